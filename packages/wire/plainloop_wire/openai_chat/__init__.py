"""OpenAI Chat Completions: `POST /v1/chat/completions`, plain and SSE.

The compatible providers (DeepSeek, Kimi, GLM, MiniMax, …) are served by the same dialect: for a
model that is not OpenAI's own their extra fields are accepted and OpenAI's own limits relaxed.
"""

from ..api import load_api
from ..call import Dialect
from .caching import choose_rule
from .decode import check_key, read_call
from .encode import to_body, to_error, to_error_frame, to_frames, to_usage

DIALECT = Dialect(
    name="openai_chat",
    api=load_api("openai_chat"),
    choose_cache=choose_rule,
    check_key=check_key,
    read_call=read_call,
    to_body=to_body,
    to_frames=to_frames,
    to_usage=to_usage,
    to_error=to_error,
    to_error_frame=to_error_frame,
)
