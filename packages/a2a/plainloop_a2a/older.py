"""A2A 0.3 over JSON-RPC: its names of methods, and tasks as its clients read them.

Some clients (fasta2a) say the old names and read the new answers: whose message has no `kind` gets
them, with the values of old.
"""

from __future__ import annotations

from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_list, as_object
from plainloop.server.protocols.encoder import Frame
from plainloop.server.protocols.json_rpc import Rpc

VERSION: Final = "0.3.0"
METHODS: Final = {
    "message/send": "SendMessage",
    "message/stream": "SendStreamingMessage",
    "tasks/get": "GetTask",
    "tasks/list": "ListTasks",
    "tasks/cancel": "CancelTask",
    "tasks/resubscribe": "SubscribeToTask",
    "agent/getAuthenticatedExtendedCard": "GetExtendedAgentCard",
}
_KINDS: Final = {
    "task": "task",
    "statusUpdate": "status-update",
    "artifactUpdate": "artifact-update",
}
_OPEN: Final = ("submitted", "working")


def has_kinds(asked: Rpc) -> bool:
    """Return whether the client uses A2A 0.3.

    Then its message has `kind`, or it sends no message.
    """
    message = asked.params.get("message")
    return message is None or "kind" in as_object(message)


def to_older(frame: Frame, *, is_flat: bool) -> Frame:
    """Convert a response or stream frame to the form of A2A 0.3.

    is_flat: without the enclosing key.
    """
    name = next((name for name in _KINDS if name in frame), None)
    if name is None:
        return _convert(frame)  # a task by itself, or a list
    told: Frame = {**_convert(frame[name]), "kind": _KINDS[name]}
    if name == "statusUpdate":
        told["final"] = told["status"]["state"] not in _OPEN
    return told if is_flat else {name: told}


def _convert(value: Any) -> Any:
    if isinstance(value, list):
        return [_convert(item) for item in as_list(value)]
    if not isinstance(value, dict):
        return value
    items = as_object(value).items()
    told = {key: item if key == "data" else _convert(item) for key, item in items}
    if "state" in told:
        told["state"] = told["state"].removeprefix("TASK_STATE_").lower().replace("_", "-")
    for kind, mark in (("text", "text"), ("data", "data"), ("task", "contextId")):
        if mark in told:
            told["kind"] = kind
    if "role" in told:
        told |= {"role": told["role"].removeprefix("ROLE_").lower(), "kind": "message"}
    return told


def build_older_card(card: dict[str, Any]) -> dict[str, Any]:
    """Convert the agent card to the form that clients of A2A 0.3 read."""
    url = card["supportedInterfaces"][0]["url"]
    kept = {key: value for key, value in card.items() if not key.startswith(("supported", "sec"))}
    older = {**kept, "url": url, "preferredTransport": "JSONRPC", "protocolVersion": VERSION}
    if "securitySchemes" in card:
        older["securitySchemes"] = {
            name: {"type": "http", **scheme["httpAuthSecurityScheme"]}
            for name, scheme in card["securitySchemes"].items()
        }
        older["security"] = [{name: []} for name in card["securitySchemes"]]
    return older
