"""OpenAI Responses: `POST /v1/responses`, plain and SSE.

Nothing is stored: as with `store=false` at OpenAI, a conversation comes whole with each request,
and reasoning only comes back where its encrypted form was asked for.
"""

from ..api import load_api
from ..call import Dialect
from ..openai_chat.caching import choose_rule
from ..openai_chat.decode import check_key
from ..openai_chat.encode import to_error
from .decode import read_call
from .encode import to_body, to_usage
from .events import to_error_frame, to_frames

DIALECT = Dialect(
    name="openai_responses",
    api=load_api("openai_responses"),
    choose_cache=choose_rule,
    check_key=check_key,
    read_call=read_call,
    to_body=to_body,
    to_frames=to_frames,
    to_usage=to_usage,
    to_error=to_error,
    to_error_frame=to_error_frame,
)
