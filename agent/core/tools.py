"""Tools: typed async functions that a model may call.

A tool's errors are data for the model; nothing but cancellation leaves `execute_tool`.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, Literal, cast, get_type_hints

import msgspec
import orjson

from ..base.copies import replace
from ..base.shown.rare_tools import bundle_rare, estimate_schema
from ..base.text.cleaning import clean_json, cut_text
from ..base.text.secrets import cut_keys
from ..base.time.work_time import WorkLimit
from ..config.modules import find_place
from ..dataclasses import dataclass
from ..errors import StoreError, ToolError
from ..provenance.marking import Reach, ToolFields, list_marked
from ..store.connecting.queryable import Queryable
from ..store.records import Effect
from ..types import FunctionCall, FunctionResponse, Record, ToolSchema
from .seams import RunView

logger = logging.getLogger(__name__)

MAX_RAISED_CHARS: Final = 500
UNKNOWN: Final = "unknown"  # `status` in the result of such a call


class ToolContext(Record, frozen=True):
    """The first argument of a tool function, with everything that the function may use."""

    ctx: RunView
    # A `write` tool's transaction is the step's own: effect and record commit together.
    db: Queryable
    data: Mapping[str, Any]  # the pack's fields; to change them return a ToolOutcome with `data`
    idempotency_key: str  # "run:step:call", for external systems
    is_tainted: bool = False  # the model has read text from outside: mark what is kept of it

    @property
    def tenant_id(self) -> str:
        return self.ctx.tenant_id

    @property
    def user_id(self) -> str:
        return self.ctx.user_id


class ToolOutcome(Record, frozen=True):
    """The outcome of a tool call. The outcome's `data` is merged into the state's `data`."""

    result: Any  # JSON for the model
    is_error: bool = False
    data: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    is_unknown: bool = False  # an external call that was cut off: it may have had its effect
    # For operators: of a call to somebody outside, or what the tool raised.
    receipt: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    # Fields of the result, or paths in it ("0/body"), that others may have written.
    outside: Sequence[str] = ()


ToolFunction = Callable[..., Awaitable[Any]]
# With the same arguments as the tool's function: one sentence that asks a person to agree.
ToolQuestion = Callable[..., Awaitable[str]]


@dataclass(frozen=True)
class Tool:
    """A declared tool. Its argument type and schema are built at first use, then cached.

    effect: `read` may run again, `write` changes our own Postgres inside the step's transaction,
    `external` touches someone else's system. is_keyed: that system takes an idempotency key, so
    the call may be made again with the same one. needs_approval: a person must agree to each call.
    ask: what that person is asked, in words ("Delete #7 Cook at Cafe Uno?"); it reads and changes
    nothing. Without one, or when it fails, the call's name and arguments are the question.

    What it may do after the model has read text from outside (see `taint.py`): undone_by: the tool
    that takes back what this write did, so that it need not ask. is_fixed: a read that goes where
    the operator said, whatever its arguments. reach: what a call of it reaches, so that where its
    arguments come from decides. outside: fields of its results that others may have written: these
    taint, not the rest. secrets: fields that nobody is told unasked. vouches_for: fields of its
    untrusted results whose addresses are the service's that it asks, not a page's.
    """

    name: str
    description: str
    effect: Effect
    function: ToolFunction
    is_keyed: bool = False
    needs_approval: bool = False
    undone_by: str | None = None
    is_fixed: bool = False
    reach: Reach | None = None
    outside: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    vouches_for: tuple[str, ...] = ()
    ask: ToolQuestion | None = None
    is_described_outside: bool = False  # name, description, schema: nobody here agreed to them
    is_client: bool = False  # brought by the run's client, which makes the calls itself
    # A JSON Schema that came from elsewhere; arguments then reach the function as they are.
    parameters: dict[str, Any] | None = None
    source: Literal["local", "mcp"] = "local"  # whose it is: events tell
    timeout_s: float | None = None  # None: limits.tool_timeout_s
    stands_for: Effect | None = None  # in a replay, where nothing has one: the real tool's effect

    @cached_property
    def arguments_type(self) -> type[msgspec.Struct]:
        """Build the struct type that checks a call's arguments, from the function's signature."""
        hints = get_type_hints(self.function, include_extras=True)
        parameters = list(inspect.signature(self.function).parameters.values())[1:]
        fields: list[Any] = [
            (item.name, hints[item.name])
            if item.default is inspect.Parameter.empty
            else (item.name, hints[item.name], item.default)
            for item in parameters
        ]
        required_first = sorted(fields, key=len)
        return msgspec.defstruct(
            self.name, required_first, forbid_unknown_fields=True, frozen=True, kw_only=True
        )

    @cached_property
    def schema(self) -> ToolSchema:
        """Return the tool's schema, as models see it."""
        if self.parameters is not None:
            return ToolSchema(self.name, self.description, self.parameters)
        _, components = msgspec.json.schema_components([self.arguments_type])
        return ToolSchema(self.name, self.description, _to_plain_schema(components[self.name]))

    def read_arguments(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Check a call's arguments; return them converted. Raises: msgspec.ValidationError."""
        if self.parameters is not None:
            return arguments
        read = msgspec.convert(arguments, self.arguments_type, strict=False)
        return {name: getattr(read, name) for name in read.__struct_fields__}


def tool(
    effect: Effect,
    *,
    is_keyed: bool = False,
    needs_approval: bool = False,
    undone_by: str | None = None,
    is_fixed: bool = False,
    reach: Reach | None = None,
    outside: tuple[str, ...] = (),
    secrets: tuple[str, ...] = (),
    vouches_for: tuple[str, ...] = (),
    ask: ToolQuestion | None = None,
) -> Callable[[ToolFunction], Tool]:
    """Declare an async function `f(tool: ToolContext, …)` as a tool for models.

    The name is the function's, the description its docstring; argument descriptions and bounds
    come from `Annotated[int, msgspec.Meta(ge=1, description="…")]`. It returns JSON for the model
    or a `ToolOutcome`.
    """

    def declare(function: ToolFunction) -> Tool:
        description = inspect.cleandoc(function.__doc__ or "")
        rest = (is_keyed, needs_approval, undone_by, is_fixed, reach, outside, secrets, vouches_for)
        return Tool(function.__name__, description, effect, function, *rest, ask)

    return declare


class ToolRegistry:
    """The tools of a run, by name; schemas per worker, built lazily and in stable order."""

    def __init__(
        self, tools: Iterable[Tool] = (), outside: Sequence[str] = (), *, only_last: bool = False
    ) -> None:
        self.only_last = only_last  # of the user's messages none but the last is trusted
        self._tools = {item.name: item for item in tools}
        self._schemas: dict[tuple[tuple[str, ...], ...], tuple[ToolSchema, ...]] = {}
        self._unsent: dict[tuple[str, ...], tuple[int, int]] = {}
        self._of_client = tuple(item.name for item in self._tools.values() if item.is_client)
        schemas = (t.schema for t in self._tools.values() if t.is_described_outside)
        self.outside = (*outside, *map(str, schemas))  # of others, in prompts beside the thread
        # What the pack's own tools only read may be outdated by reading it again.
        ours = [t for t in self._tools.values() if not t.is_client]
        own = [t for t in ours if t.source == "local"]
        self.all_reads = frozenset(t.name for t in ours if (t.stands_for or t.effect) == "read")
        self.reads = self.all_reads & {t.name for t in own}
        self.undone = frozenset(t.name for t in own if t.effect != "external")  # by a rollback

    def extend(self, schemas: Sequence[ToolSchema], system: str = "") -> ToolRegistry:
        """Return a registry with the additional tools and system text that a run's client sent."""
        if not schemas and not system:
            return self
        tools = (*self._tools.values(), *map(_make_client_tool, schemas))
        return ToolRegistry(tools, [system] if system else (), only_last=self.only_last)

    def allow(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return these tool names and the names of the client's tools."""
        return (*names, *self._of_client)

    def list_effects(self, names: tuple[str, ...]) -> dict[str, Effect]:
        """Map the names of all tools that a worker may call to their effects."""
        known = {name: tool for name in self.allow(names) if (tool := self.get(name)) is not None}
        return {name: "write" if t.is_client else t.effect for name, t in known.items()}

    def get(self, name: str) -> Tool | None:
        """Return the tool of this name; None when there is none."""
        return self._tools.get(name)

    def get_fields(self, name: str) -> ToolFields:
        """Return the names of a tool's trusted and of its secret result fields."""
        tool = self._tools.get(name)
        return (tool.vouches_for, tool.secrets) if tool else ((), ())

    def list_names(self) -> list[str]:
        """List the names of all tools, sorted."""
        return sorted(self._tools)

    def build_schemas(
        self, names: tuple[str, ...], rare: tuple[str, ...] = ()
    ) -> tuple[ToolSchema, ...]:
        """Return the sorted schemas of these tools and of the client's tools.
        rare: names whose tools are combined into one.

        Raises: KeyError when a worker names a tool that the pack does not have.
        """
        if (key := (names, rare)) not in self._schemas:
            schemas = tuple(self._tools[name].schema for name in sorted({*self.allow(names)}))
            self._schemas[key] = bundle_rare(schemas, rare) if rare else schemas
        return self._schemas[key]

    def estimate_unsent(self, names: tuple[str, ...]) -> tuple[int, int]:
        """Count the tools that are neither these nor the client's, and their schemas' tokens."""
        if names not in self._unsent:
            sent = self.allow(names)
            schemas = [tool.schema for name, tool in self._tools.items() if name not in sent]
            self._unsent[names] = len(schemas), sum(map(estimate_schema, schemas))
        return self._unsent[names]

    def get_tool_definitions(self) -> tuple[ToolSchema, ...]:
        """Return the schemas of all tools, for designs that have no workers."""
        return self.build_schemas(tuple(self.list_names()))


def _make_client_tool(schema: ToolSchema) -> Tool:
    name, description, shape = schema.name, schema.description, schema.parameters
    return Tool(name, description, "read", _refuse_to_run, parameters=shape, is_client=True)


async def _refuse_to_run(tool: ToolContext) -> Any:
    raise ToolError("only the client that declared this tool can execute it: use another tool")


async def execute_tool(
    call: FunctionCall, tool: Tool | None, context: ToolContext, allowed: Mapping[str, Effect]
) -> ToolOutcome:
    """Execute one tool call. A failure is returned as an error result that guides the model.

    allowed: what this worker was shown, as `list_effects`; any other is answered as unknown.
    """
    if tool is None or call["name"] not in allowed:
        from ..base.messages.tool_names import suggest_tool  # only for what no tool is

        return _fail(f"unknown tool {call['name']!r}", **suggest_tool(call["name"], allowed))
    if call.get("is_cut"):
        return _fail(
            "the answer was cut off at its token limit inside this call; it was not executed: "
            "make it again, with shorter arguments"
        )
    if "invalid_arguments" in call:
        return _fail("the arguments were not a JSON object; the call was not executed")
    try:
        values = tool.read_arguments(call["arguments"])
    except msgspec.ValidationError as error:
        return _fail(f"invalid arguments: {error}")
    limit_s = tool.timeout_s or context.ctx.limits.tool_timeout_s
    deadline = WorkLimit(limit_s)
    try:
        async with deadline:
            returned = await tool.function(context, **values)
        return _to_outcome(returned, tool, context.ctx.data_fields)
    except ToolError as error:
        return ToolOutcome({"error": error.message, **error.details}, is_error=True)
    except StoreError:
        raise  # not the tool's fault, nor the model's: the step is done again
    except Exception as error:
        # The edge: one broken tool must not end the run.
        if deadline.expired():
            return _fail_midway(tool, f"timed out after {limit_s:g} s")
        raised = describe_raised(tool, error)
        extra = {"tool": tool.name, "run_id": context.ctx.run.run_id, **raised}
        logger.exception("tool_failed", extra=extra)
        text = f"{tool.name} failed unexpectedly: tell the user, and continue without this tool"
        return replace(_fail_midway(tool, text), receipt=raised)


def describe_raised(tool: Tool, error: Exception) -> dict[str, Any]:
    """Describe an exception of a tool for operators, as `{"raised", "at"}`."""
    scope: dict[str, Any] = getattr(tool.function, "__globals__", {})
    package = scope.get("__package__") or scope.get("__name__", "")
    message = cut_text(cut_keys(str(error)), MAX_RAISED_CHARS)
    at = find_place(error, package) or f"what {tool.name} returned"
    return {"raised": f"{type(error).__name__}: {message}", "at": at}


def make_unknown(reason: str) -> ToolOutcome:
    """Build the outcome of an external call whose result is unknown."""
    text = f"{reason}. Nobody knows whether the call took effect: ask the user before you repeat it"
    return ToolOutcome({"error": text, "status": UNKNOWN}, is_error=True, is_unknown=True)


def to_function_response(call: FunctionCall, outcome: ToolOutcome) -> FunctionResponse:
    """Convert an outcome to the message part that answers this call."""
    part: FunctionResponse = {
        "type": "tool_result",
        "id": call["id"],
        "name": call["name"],
        "result": outcome.result,
        "is_error": outcome.is_error,
    }
    return {**part, "outside": [*outcome.outside]} if outcome.outside else part


def describe_error(result: Any) -> str:
    """Return the error text in a failed call's result, or "failed" if it has none."""
    if not isinstance(result, dict):
        return str(result)
    fields = cast(dict[str, Any], result)
    return str(fields.get("error") or fields.get("message") or fields.get("text") or "failed")


def _to_outcome(returned: Any, tool: Tool, data_fields: tuple[str, ...]) -> ToolOutcome:
    """What the tool returned, as JSON.

    Raises: TypeError for what is no JSON, KeyError for a field that the pack does not declare.
    """
    outcome = returned if isinstance(returned, ToolOutcome) else ToolOutcome(returned)
    for key in outcome.data:
        if key not in data_fields:
            raise KeyError(f"the pack declares no data field {key!r}: add it to data_fields")
    result, data = _to_json(outcome.result), _to_json(outcome.data)
    fields = cast(dict[str, Any], result) if isinstance(result, dict) else {}
    is_error = outcome.is_error or "error" in fields or fields.get("status") == "error"
    named = (*tool.outside, *outcome.outside)
    outside = list_marked(result, named) if named else []
    return replace(outcome, result=result, is_error=is_error, data=data, outside=outside)


def _to_json(value: Any) -> Any:
    """Convert a value to what the store will return: text keys, and only JSON types."""
    return orjson.loads(orjson.dumps(clean_json(msgspec.to_builtins(value, str_keys=True))))


def _fail_midway(tool: Tool, reason: str) -> ToolOutcome:
    """Build the outcome of a call that failed after it began; outside effects are unknown."""
    return make_unknown(reason) if tool.effect == "external" else _fail(reason)


def _fail(message: str, **details: Any) -> ToolOutcome:
    return ToolOutcome({"error": message, **details}, is_error=True)


def _to_plain_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """JSON Schema as every provider takes it: no title, no null unions, no defaults of null.

    That other arguments are refused is said only where there are none: it is in every request, and
    a model that invents one is told.
    """
    properties = {name: _to_plain_property(item) for name, item in schema["properties"].items()}
    plain: dict[str, Any] = {"type": "object", "properties": properties}
    if schema.get("required"):
        plain["required"] = schema["required"]
    return plain if properties else {**plain, "additionalProperties": False}


def _to_plain_property(schema: dict[str, Any]) -> dict[str, Any]:
    options = [item for item in schema.get("anyOf", []) if item.get("type") != "null"]
    if len(options) == 1:
        schema = {**options[0], **{key: schema[key] for key in ("description",) if key in schema}}
    if "enum" in schema:
        values = [value for value in schema["enum"] if value is not None]
        schema = {"type": "string", **schema, "enum": values}
    return {key: value for key, value in schema.items() if key not in ("title", "default")}
