"""OpenAI Chat Completions: `POST /v1/chat/completions`, plain and SSE.

The compatible providers (DeepSeek, Kimi, GLM, MiniMax, …) are served by the same dialect: for a
model that is not OpenAI's own their extra fields are accepted and OpenAI's own limits relaxed.
"""

from ..call import Dialect
from .caching import choose_rule
from .decode import parse_call
from .encode import to_body, to_error, to_error_frame, to_frames, to_usage, too_long

DIALECT = Dialect(
    name="openai_chat",
    choose_cache=choose_rule,
    parse_call=parse_call,
    to_body=to_body,
    to_frames=to_frames,
    to_usage=to_usage,
    to_count=lambda tokens: {"object": "response.input_tokens", "input_tokens": tokens},
    to_error=to_error,
    to_error_frame=to_error_frame,
    too_long=too_long,
    request_id_header="x-request-id",
    retry_after_header=True,
)
