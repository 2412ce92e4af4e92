"""What Responses demands of its input items, and the neutral messages that they mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_list, as_object
from plainloop.agent.types import Message, MessagePart, Role

from ..api import WireError, load_api
from ..openai_chat.fields import OPENAI_MODEL, refuse_value
from ..openai_chat.history import check_id, read_text, to_call, to_result
from ..openai_chat.tools import check_name
from ..results import IMAGES, PDFS, read_data_url
from ..strict import Shape, check_shape, find_duplicate
from .sealing import find_reasoning_id, is_sealed

_API: Final = load_api("openai_responses")

_MAX_CALL_ID_CHARS: Final = 64
_ID_PREFIXES: Final = {"message": "msg", "function_call": "fc", "reasoning": "rs"}
Item = dict[str, Any]


def read_input(given: Any, model: str, account: str) -> list[Item]:
    """Check a request's `input` and return it as items.

    A string is one user message. Ids and reasoning are only checked for OpenAI's own models: others
    return theirs as they like. Raises: WireError, ShapeError for the first thing that the API would
    refuse.
    """
    if isinstance(given, str):
        return [{"type": "message", "role": "user", "content": given}]
    if not given:
        raise _API.refuse("empty_array", where="input")
    read = [_read_item(value, index) for index, value in enumerate(given)]
    if OPENAI_MODEL.match(model):
        for index, item in enumerate(read):
            prefix = _ID_PREFIXES.get(item["type"])
            if prefix is not None and item.get("id") and not item["id"].startswith(prefix):
                raise _API.refuse("item_id", index=index, item_id=item["id"], prefix=prefix)
        twice = find_duplicate([item["id"] for item in read if item.get("id")])
        if twice:
            raise _API.refuse("duplicate_item", twice=twice)
        _check_reasoning(read, model, account)
    # Each call has one output somewhere after it, each output its call.
    open_ids: dict[str, None] = {}
    for item in read:
        if item["type"] == "function_call":
            open_ids[item["call_id"]] = None
        elif item["type"] == "function_call_output":
            if item["call_id"] not in open_ids:
                raise _API.refuse("output_without_call", call_id=item["call_id"])
            del open_ids[item["call_id"]]
    if open_ids:
        raise _API.refuse("output_missing", call_id=next(iter(open_ids)))
    return read


def join_system(items: Sequence[Item]) -> str:
    """Join the texts of the items' system and developer messages, in order."""
    return "\n\n".join(
        read_text(item["content"])
        for item in items
        if item["type"] == "message" and item["role"] in ("system", "developer")
    )


def to_messages(items: Sequence[Item]) -> list[Message]:
    """Convert input items to plainloop's messages.

    Items of one role that follow each other become one message, except the user's.
    """
    names = {item["call_id"]: item["name"] for item in items if item["type"] == "function_call"}
    neutral: list[Message] = []
    for item in items:
        for role, part in _to_parts(item, names):
            if neutral and neutral[-1]["role"] == role and role != "user":
                neutral[-1]["parts"].append(part)
            else:
                neutral.append({"role": role, "parts": [part]})
    return neutral


def _to_parts(item: Item, names: Mapping[str, str]) -> list[tuple[Role, MessagePart]]:
    match item["type"]:
        case "function_call":
            return [("assistant", to_call(item["call_id"], item["name"], item["arguments"]))]
        case "function_call_output":
            return [("tool", to_result(item["call_id"], read_text(item["output"]), names))]
        case "reasoning":
            text = "".join(as_object(piece).get("text") or "" for piece in item["summary"])
            return [("assistant", {"type": "reasoning", "text": text})]
        case _ if item["role"] in ("system", "developer"):
            return []
        case _:
            role: Role = "assistant" if item["role"] == "assistant" else "user"
            content = map(as_object, as_list(item["content"]))
            found: list[tuple[Role, MessagePart]] = [
                (role, read_data_url(part[key], types))
                for part in content
                for key, types in (("image_url", IMAGES), ("file_data", PDFS))
                if part.get(key)
            ]
            return [*found, (role, {"type": "text", "text": read_text(item["content"])})]


def _read_item(value: Any, index: int) -> Item:
    given = as_object(value)
    kind: Any = given.get("type") or ("message" if "role" in given else None)
    if kind not in _API.lists["items"]:
        raise refuse_value(kind, _API.lists["items"], f"input[{index}]" + ".type" * bool(kind))
    shape = _API.objects[kind]
    given = check_shape(value, ("input", index), shape.required, shape.optional)
    item: Item = {**given, "type": kind}
    if kind == "message":
        _check_message(item, index)
    elif kind == "function_call":
        check_name(item["name"], f"input[{index}].name")
    if "call_id" in item:
        check_id(item["call_id"], f"input[{index}].call_id", _MAX_CALL_ID_CHARS)
    if kind == "item_reference":
        raise _not_stored(item["id"])
    return item


def _check_message(item: Item, index: int) -> None:
    if item["role"] not in _API.lists["roles"]:
        raise refuse_value(item["role"], _API.lists["roles"], f"input[{index}].role")
    phase = item.get("phase")
    if phase is not None and phase not in _API.lists["phases"]:
        raise refuse_value(phase, _API.lists["phases"], f"input[{index}].phase")
    allowed = _API.lists[f"said_by_{item['role']}"]
    for i, value in enumerate(as_list(item["content"])):
        where = f"input[{index}].content[{i}]"
        kind = as_object(value).get("type")
        if kind not in allowed:
            raise refuse_value(kind, allowed, where)
        required: Shape = {"type": "string", "refusal" if kind == "refusal" else "text": "string"}
        optional: Shape = _API.shapes["text_extras"]
        if kind in _API.objects:  # a file
            required, optional = _API.objects[kind].required, _API.objects[kind].optional
        check_shape(value, ("input", index, "content", i), required, optional)


def _check_reasoning(items: Sequence[Item], model: str, account: str) -> None:
    """Reasoning comes back unchanged, before what the model made of it, and not without that."""
    seen: set[str] = set()
    for index, item in enumerate(items):
        if item["type"] == "reasoning":
            _check_reasoning_item(items, index, model, account)
            seen.add(item["id"])
            continue
        needed = find_reasoning_id(item.get("id") or "")
        if needed is not None and needed not in seen:
            raise _API.refuse(
                "without_reasoning", item_id=item["id"], kind=item["type"], needed=needed
            )


def _check_reasoning_item(items: Sequence[Item], index: int, model: str, account: str) -> None:
    item = items[index]
    if not item.get("encrypted_content"):
        raise _not_stored(item["id"])
    after = items[index + 1] if index + 1 < len(items) else {"type": "", "role": ""}
    if after["type"] not in ("function_call", "reasoning") and after.get("role") != "assistant":
        raise _API.refuse("reasoning_alone", item_id=item["id"])
    if not is_sealed(model, account, item["id"], item["encrypted_content"]):
        raise _API.refuse("encrypted_unverified", item_id=item["id"])


def _not_stored(item_id: str) -> WireError:
    return _API.refuse("item_not_found", item_id=item_id)
