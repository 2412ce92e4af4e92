"""Gemini: `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`."""

from ..api import load_api
from ..call import Dialect
from ..prompt_cache import CacheRule
from .decode import check_key, read_call
from .encode import to_body, to_error, to_error_frame, to_frames, to_usage

DIALECT = Dialect(
    name="gemini",
    api=load_api("gemini"),
    choose_cache=lambda model: CacheRule("automatic", min_tokens=1024, ttl_s=300.0),
    check_key=check_key,
    read_call=read_call,
    to_body=to_body,
    to_frames=to_frames,
    to_usage=to_usage,
    to_error=to_error,
    to_error_frame=to_error_frame,
)
