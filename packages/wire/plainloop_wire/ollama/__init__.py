"""Ollama's native API: `POST /api/chat`, plain and NDJSON.

It never refuses a long prompt: what does not fit `num_ctx` is left out without a word, and only
`prompt_eval_count` shows it.
"""

from ..api import load_api
from ..call import Dialect
from ..prompt_cache import CacheRule
from .decode import check_key, read_call
from .encode import to_body, to_error, to_error_frame, to_frames, to_usage

DIALECT = Dialect(
    name="ollama",
    api=load_api("ollama"),
    choose_cache=lambda model: CacheRule("none"),
    check_key=check_key,
    read_call=read_call,
    to_body=to_body,
    to_frames=to_frames,
    to_usage=to_usage,
    to_error=to_error,
    to_error_frame=to_error_frame,
)
