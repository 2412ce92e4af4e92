"""Forms that a server sends to the user in the middle of a call; only that person fills them in.

call ─► input_required, kept in the call's receipt ─► the model calls SERVER__ask_user, which always
asks ─► the person answers the form where approvals are decided ─► the call again, with the answer

So it waits as approvals do, through restarts and on any replica; no model writes a word of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from ..base.text.cleaning import clean_json, clean_text, cut_text
from ..base.text.foreign_json import as_list, as_object, list_objects
from ..core.tools import ToolContext
from ..dataclasses import asdict, dataclass
from ..errors import InputError, NotFoundError
from ..store.approvals import list_approvals
from ..store.database import Queryable
from ..store.records import ToolCallRecord
from ..store.runs import list_tool_calls
from .names import SEPARATOR, make_tool_name
from .schemas import Schema, to_parameters
from .wire import ServerError

RECEIPT: Final = "form"  # its key in the call's receipt
# Bounded because it is stored with the run's call: a server could otherwise fill our database.
MAX_STATE_CHARS: Final = 20_000
_ASK: Final = "ask_user"
_MAX_MESSAGE_CHARS: Final = 1_000
_MAX_TITLE_CHARS: Final = 100
_FLAT: Final = ("string", "number", "integer", "boolean")


@dataclass(frozen=True, slots=True)
class Form:
    """A form that an MCP server asks the user to fill in (elicitation).
    key: the server's name for the question. state: opaque, to be sent back unchanged.
    """

    key: str
    message: str
    fields: Schema  # an object of flat values
    state: str | None = None


def make_ask_name(server: str) -> str:
    return make_tool_name(server, _ASK)


def read_form(result: dict[str, Any]) -> Form:
    """Parse the form that a server's result asks the user to fill in.

    Raises: ServerError for any other wish than one form.
    """
    wanted = as_object(result.get("inputRequests"))
    # Not supported, on purpose: several forms at once (docs/decisions/16-mcp.md).
    if len(wanted) != 1:
        raise ServerError(
            "the server requested several forms at once, which is not supported: use another tool"
        )
    [(key, request)] = wanted.items()
    request_object = as_object(request)
    form = as_object(request_object.get("params"))
    if request_object.get("method") != "elicitation/create" or form.get("mode", "form") != "form":
        raise ServerError(
            "the server asked for input other than a form, which is not supported: use another tool"
        )
    state: Any = result.get("requestState")
    if state is not None and not (isinstance(state, str) and len(state) <= MAX_STATE_CHARS):
        raise ServerError(
            f"the tool server sent a request state of more than {MAX_STATE_CHARS} characters: "
            "report this to its developer"
        )
    fields = to_parameters(form.get("requestedSchema"))
    stated = as_object(as_object(form.get("requestedSchema")).get("properties"))
    fields["properties"] = {
        name: _read_field(as_object(schema), as_object(stated.get(name)))
        for name, schema in fields["properties"].items()
    }
    message = " ".join(clean_text(str(form.get("message", ""))).split())
    return Form(key, cut_text(message, _MAX_MESSAGE_CHARS), fields, state)


def _read_field(schema: Schema, stated: Schema) -> Schema:
    """Convert a form's field to a flat one with its title. Raises: ServerError for a nested one."""
    flat = _flatten(schema, stated.get("oneOf") or stated.get("anyOf"))
    if flat.get("type") == "array":
        items = _flatten(as_object(flat.get("items")), as_object(stated.get("items")).get("anyOf"))
        described = {key: items.pop(key) for key in ("description",) if key in items}
        flat = {**flat, "items": items, **described}
    is_choice = flat.get("type") == "array" and "enum" in flat["items"]
    if not is_choice and flat.get("type") not in _FLAT:
        raise ServerError(
            "the server's form has nested fields, which are not supported: use another tool"
        )
    title = clean_text(str(stated.get("title") or "")).strip()
    return {**flat, "title": cut_text(title, _MAX_TITLE_CHARS)} if title else flat


def _flatten(schema: Schema, options: Any) -> Schema:
    """Convert choices with titles to an enum, their titles to a description; else return it as is.

    Source: MCP 2025-11-25 and 2026-07-28, TitledSingleSelectEnumSchema and its multiple form.
    """
    values = [as_list(part.get("enum")) for part in list_objects(schema.get("anyOf"))]
    texts = [value for each in values for value in each if isinstance(value, str)]
    if not values or not all(values) or len(texts) < sum(map(len, values)):
        return schema  # no choice, or one of numbers, which MCP does not have
    titled = [(str(it.get("const")), str(it.get("title"))) for it in list_objects(options)]
    words = [f"{value}: {title}" for value, title in titled if title not in ("None", value)]
    described = {"description": "; ".join(filter(None, [schema.get("description"), *words]))}
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    flat = {"type": "string", "enum": texts}
    return {**rest, **flat, **(described if words else {})}


def describe_form(server: str, form: Form, call_id: str) -> dict[str, Any]:
    """Build the tool result that tells the model to have the user fill in a form."""
    return {
        "status": "asks",
        "form_id": call_id,
        "question": form.message,
        "next": f"Call {make_ask_name(server)} with this form_id: the user is then shown the form. "
        "Do not ask for its fields yourself.",
    }


def keep_form(form: Form) -> dict[str, Any]:
    return {RECEIPT: asdict(form)}


async def load_form(db: Queryable, run_id: str, call_id: Any) -> tuple[Form, ToolCallRecord]:
    """Load a pending form and its tool call. Raises: NotFoundError if there is none."""
    for call in await list_tool_calls(db, run_id):
        if call.tool_call_id == call_id and RECEIPT in call.receipt:
            return Form(**call.receipt[RECEIPT]), call
    raise NotFoundError(
        f"no pending form with this id: {str(call_id)[:80]}",
        hint="Reload the conversation; the form was answered or has expired.",
    )


async def load_fields(
    db: Queryable, run_id: str, tool_name: str, arguments: Mapping[str, Any]
) -> Schema | None:
    """Load the fields of the form that an approver must fill in; None without a form."""
    # Check the name first: every displayed approval is checked here, and few have a form.
    if not tool_name.endswith(SEPARATOR + _ASK):
        return None
    try:
        form, _ = await load_form(db, run_id, arguments.get("form_id"))
    except NotFoundError:
        return None
    return form.fields


def check_content(fields: Schema | None, content: dict[str, Any] | None) -> dict[str, Any] | None:
    """Check a user's input against a form's fields and return it; None without a form."""
    if fields is None:
        if content is not None:
            raise InputError("this call has no form to fill in", hint="Approve or deny it instead.")
        return None
    from jsonschema import Draft202012Validator  # a tenth of a second, for those who need it

    filled = clean_json(content or {})
    # Closed: a value without a form field is not sent to a third party.
    checker: Any = Draft202012Validator({**fields, "additionalProperties": False})
    for wrong in checker.iter_errors(filled):
        where = "/".join(str(key) for key in wrong.absolute_path)
        raise InputError(
            f"the form's values do not match its schema: {(where + ': ') if where else ''}"
            f"{wrong.message[:200]}",
            hint="Correct this field and send the form again.",
            code="FORM_INVALID",
        )
    return cast("dict[str, Any]", filled)


async def load_filled(tool: ToolContext, call_id: str, fields: Schema) -> dict[str, Any]:
    """Load what a person entered into a form when approving its tool call.

    Raises: InputError when it was allowed without the form.
    """
    # From the approval, not from the call: the model wrote the call, and the person wrote the form
    # (tests/tool_servers/test_forms.py::test_an_approval_without_the_form_sends_nothing).
    approvals = await list_approvals(tool.db, tool.ctx.run.run_id)
    answer = next((item.answer for item in approvals if item.tool_call_id == call_id), None)
    return check_content(fields, answer) or {}


def get_call_id(tool: ToolContext) -> str:
    return tool.idempotency_key.split(":", 2)[2]


def to_answers(form: Form, content: dict[str, Any]) -> dict[str, Any]:
    """Convert a filled-in form to the parameters with which its tool call is repeated."""
    state = {} if form.state is None else {"requestState": form.state}
    return {"inputResponses": {form.key: {"action": "accept", "content": content}}, **state}
