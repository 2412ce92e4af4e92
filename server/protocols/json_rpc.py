"""JSON-RPC 2.0 over HTTP: what is asked, what is answered, what is refused, and how."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec
from starlette.responses import JSONResponse, Response

from ...agent.base.text.foreign_json import as_object
from ...agent.errors import AgentError, ShapeError
from ..http.error_table import get_mapping
from ..http.reading import convert

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL: Final = -32603
_NO_JSON: Final = "INVALID_FORMAT"

RpcId = str | int | float | None
Message = dict[str, Any]


class Rpc(msgspec.Struct):
    """A client's JSON-RPC message; without a method it answers a request of ours."""

    jsonrpc: Literal["2.0"]
    method: str = ""
    id: RpcId | msgspec.UnsetType = msgspec.UNSET  # unset: nobody waits for an answer
    params: dict[str, Any] = {}
    result: Any = None
    error: Any = None

    @property
    def is_request(self) -> bool:
        """Return whether the message expects an answer: it has an id."""
        return self.id is not msgspec.UNSET

    @property
    def meta(self) -> dict[str, Any]:
        return as_object(self.params.get("_meta"))


class AnyCall(msgspec.Struct):
    """A message of any shape: its errors are answered under its id, as JSON-RPC wants it."""

    jsonrpc: Any = None
    method: Any = None
    id: Any = msgspec.UNSET
    params: Any = {}

    @property
    def named(self) -> RpcId:
        """Return the id that the response must have; None if the message has no valid id."""
        # JSON-RPC 2.0, 5: the id is answered as it came, or null where it could not be read.
        is_name = isinstance(self.id, (str, int, float)) and not isinstance(self.id, bool)
        return self.id if is_name else None

    def to_rpc(self) -> Rpc:
        """Validate the message and convert it to a JSON-RPC request.

        Raises: RpcError for a message that is no request of JSON-RPC 2.0.
        """
        if not isinstance(self.params, dict):
            raise RpcError(
                INVALID_PARAMS, "`params` must be an object: put the parameters in braces"
            )
        if not isinstance(self.method, str) or not self.method:
            raise RpcError(INVALID_REQUEST, "the request has no `method`: name the method to call")
        try:
            return convert(msgspec.structs.asdict(self), Rpc, "the request")
        except ShapeError as error:
            raise RpcError(INVALID_REQUEST, error.public_message) from error


class RpcError(Exception):
    """A refused JSON-RPC request. status: of HTTP."""

    def __init__(self, code: int, message: str, data: Any = None, status: int = 400) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.status = status


def to_answer(request_id: Any, result: Message) -> Message:
    return {"jsonrpc": "2.0", "id": request_id, "result": result}


def to_refusal(request_id: Any, error: RpcError) -> Message:
    described: Message = {"code": error.code, "message": error.message}
    if error.data is not None:
        described["data"] = error.data
    return {"jsonrpc": "2.0", "id": request_id, "error": described}


def tell_error(error: AgentError) -> Response:
    """Build the JSON-RPC error response, without id, for a request that could not be parsed."""
    refusal = read_refusal(error)
    headers = {"www-authenticate": "Bearer"} if refusal.status == 401 else None
    return JSONResponse(to_refusal(None, refusal), refusal.status, headers)


def read_refusal(error: AgentError) -> RpcError:
    """Convert an AgentError to a JSON-RPC error that has our error code in its data."""
    status = get_mapping(error).status
    if error.code == _NO_JSON and status == 400:
        code = PARSE_ERROR
    else:
        code = INVALID_REQUEST if status < 500 else INTERNAL
    # JSON-RPC's own codes are too few: clients that know us read ours from `data`.
    data = {"code": error.code, **({"hint": error.hint} if error.hint else {})}
    # Not 422: in JSON-RPC's transports, a refused body is a 400.
    return RpcError(code, error.public_message, data, 400 if status == 422 else status)
