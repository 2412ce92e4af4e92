"""Anthropic Messages: `POST /v1/messages`, plain and SSE."""

from ..api import load_api
from ..call import Dialect
from .decode import check_key, read_call
from .encode import to_body, to_error, to_error_frame, to_frames, to_usage
from .prompt import choose_rule

DIALECT = Dialect(
    name="anthropic",
    api=load_api("anthropic"),
    choose_cache=choose_rule,
    check_key=check_key,
    read_call=read_call,
    to_body=to_body,
    to_frames=to_frames,
    to_usage=to_usage,
    to_error=to_error,
    to_error_frame=to_error_frame,
)
