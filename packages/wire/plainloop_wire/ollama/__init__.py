"""Ollama's native API: `POST /api/chat`, plain and NDJSON.

It never refuses a long prompt: what does not fit `num_ctx` is left out without a word, and only
`prompt_eval_count` shows it.
"""

from ..call import Dialect
from ..prompt_cache import CacheRule
from .decode import parse_call
from .encode import to_body, to_error, to_error_frame, to_frames, to_usage

DIALECT = Dialect(
    name="ollama",
    choose_cache=lambda model: CacheRule("none"),
    parse_call=parse_call,
    to_body=to_body,
    to_frames=to_frames,
    to_usage=to_usage,
    to_count=lambda tokens: {"prompt_eval_count": tokens},
    to_error=to_error,
    to_error_frame=to_error_frame,
    too_long=None,
    request_id_header="x-request-id",
    retry_after_header=False,
    stream_type="application/x-ndjson",
)
