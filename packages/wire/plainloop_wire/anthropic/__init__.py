"""Anthropic Messages: `POST /v1/messages`, plain and SSE, and `POST /v1/messages/count_tokens`."""

from ..call import Dialect
from .decode import parse_call
from .encode import to_body, to_error, to_error_frame, to_frames, to_usage, too_long
from .prompt import choose_rule

DIALECT = Dialect(
    name="anthropic",
    choose_cache=choose_rule,
    parse_call=parse_call,
    to_body=to_body,
    to_frames=to_frames,
    to_usage=to_usage,
    to_count=lambda tokens: {"input_tokens": tokens},
    to_error=to_error,
    to_error_frame=to_error_frame,
    too_long=too_long,
    request_id_header="request-id",
    retry_after_header=True,
)
