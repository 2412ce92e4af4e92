"""Gemini: `POST /v1beta/models/{m}:generateContent`, `:streamGenerateContent`, `:countTokens`."""

from ..call import Dialect
from ..prompt_cache import CacheRule
from .decode import parse_call
from .encode import to_body, to_error, to_error_frame, to_frames, to_usage, too_long

DIALECT = Dialect(
    name="gemini",
    choose_cache=lambda model: CacheRule("automatic", min_tokens=1024, ttl_s=300.0),
    parse_call=parse_call,
    to_body=to_body,
    to_frames=to_frames,
    to_usage=to_usage,
    to_count=lambda tokens: {
        "totalTokens": tokens,
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": tokens}],
    },
    to_error=to_error,
    to_error_frame=to_error_frame,
    too_long=too_long,
    request_id_header="x-goog-request-id",
    retry_after_header=False,
    stream_type="text/event-stream",
)
