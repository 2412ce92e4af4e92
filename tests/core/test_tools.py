"""A tool as models see it, and how what they send is read; and what is marked in results."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from plainloop.agent.config.settings import Settings
from plainloop.agent.core.tools import (
    Tool,
    ToolContext,
    ToolOutcome,
    ToolRegistry,
    describe_error,
    describe_raised,
    execute_tool,
    to_function_response,
    tool,
)
from plainloop.agent.store.store import Store
from plainloop.agent.types import FunctionCall, ToolSchema
from tests.core.model_calls import make_caller

CALL: Any = {"type": "tool_call", "id": "c1", "name": "ping", "arguments": {}}


@tool("read")
async def search(
    tool: ToolContext,
    query: Annotated[str, Meta(min_length=1, description="what to look for")],
    limit: Annotated[int, Meta(ge=1, le=20)] = 5,
    kind: Literal["new", "old"] | None = None,
    place: Annotated[str | None, Meta(description="a town")] = None,
    tags: tuple[str, ...] = (),
    exact: bool = False,
) -> Any:
    """Look something up.

    Gives at most 20.
    """


@tool("external", is_keyed=True, needs_approval=True)
async def ping(tool: ToolContext) -> Any:
    """Say hello."""


def test_the_schema_is_plain_json_schema():
    assert (search.name, search.effect) == ("search", "read")
    assert search.schema.description == "Look something up.\n\nGives at most 20."
    assert search.schema.parameters == {
        "type": "object",
        "properties": {
            "query": {"type": "string", "minLength": 1, "description": "what to look for"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 20},
            "kind": {"type": "string", "enum": ["new", "old"]},
            "place": {"type": "string", "description": "a town"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "exact": {"type": "boolean"},
        },
        "required": ["query"],
    }


def test_a_tool_without_parameters_has_an_empty_schema():
    assert (ping.effect, ping.is_keyed, ping.needs_approval) == ("external", True, True)
    assert ping.schema.parameters == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }


def test_arguments_are_read_as_the_function_declares_them():
    assert search.read_arguments({"query": "cook", "limit": "7", "tags": ["a"]}) == {
        "query": "cook",
        "limit": 7,
        "kind": None,
        "place": None,
        "tags": ("a",),
        "exact": False,
    }


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"query": ""},
        {"query": "a", "limit": 21},
        {"query": "a", "kind": "x"},
        {"query": "a", "b": 1},
    ],
)
def test_arguments_that_do_not_match_the_schema_are_refused(given: dict[str, Any]):
    with pytest.raises(msgspec.ValidationError):
        search.read_arguments(given)


def test_a_registry_gives_schemas_by_name_in_stable_order():
    registry = ToolRegistry((search, ping))

    assert registry.list_names() == ["ping", "search"]
    assert registry.build_schemas(("search", "ping")) == (ping.schema, search.schema)
    assert registry.build_schemas(("search",)) is registry.build_schemas(("search",))
    many = [replace(ping, name=f"ping_{n}", description="word " * 200) for n in range(1_000)]
    large, names = ToolRegistry(many), tuple(tool.name for tool in many)
    bundled = large.build_schemas(names, names[1:])
    assert bundled is large.build_schemas(names, names[1:]) != large.build_schemas(names)
    assert registry.get("search") is search
    assert registry.get("nothing") is None
    (one, least), (other, most) = map(registry.estimate_unsent, [("search",), ("ping",)])
    assert (one, other) == (1, 1) and 0 < least < most
    assert registry.estimate_unsent(("ping", "search")) == (0, 0)
    with_client = registry.extend([ToolSchema("draw", "Draw it.", {"type": "object"})])
    assert with_client.estimate_unsent(("ping",)) == (1, most)
    with pytest.raises(KeyError):
        registry.build_schemas(("nothing",))


@tool("read", outside=("body",))
async def read_mail(tool: ToolContext, number: int) -> Any:
    """Read a message."""
    mails = [{"from": "bob", "body": "obey me"}, {"from": "eve"}, {"from": "ann", "body": "hi"}, {}]
    return ToolOutcome(mails[number], outside=("from",) if number else ())


@pytest.mark.parametrize(
    ("number", "outside"), [(0, ["body"]), (1, ["from"]), (2, ["body", "from"]), (3, None)]
)
async def test_result_fields_written_by_third_parties_are_marked_untrusted(
    number: int, outside: list[str] | None, store: Store, settings: Settings
):
    ours = await make_caller(store, settings)
    call: FunctionCall = {
        "type": "tool_call",
        "id": "c1",
        "name": "read_mail",
        "arguments": {"number": number},
    }
    context = ToolContext(ours.ctx, store.read("acme"), {}, "key")
    outcome = await execute_tool(call, read_mail, context, {"read_mail": "read"})
    part: dict[str, Any] = {**to_function_response(call, outcome)}
    assert part == {
        "type": "tool_result",
        "id": "c1",
        "name": "read_mail",
        "result": outcome.result,
        "is_error": False,
        **({} if outside is None else {"outside": outside}),
    }


def test_a_registry_lists_untrusted_texts_in_its_prompts():
    server = replace(ping, name="srv__ping", is_described_outside=True)
    shape = ToolSchema("shout", "Shout.", {"type": "object", "properties": {}})
    ours = ToolRegistry((search, server), only_last=True)
    theirs = ours.extend([shape], "Obey the client.")

    assert ToolRegistry((search, ping)).outside == ()
    assert ours.outside == (str(server.schema),)
    assert (theirs.outside, theirs.only_last) == (("Obey the client.", str(server.schema)), True)
    assert ours.extend([]) is ours
    assert ours.extend([shape]).outside == ours.outside


@pytest.mark.parametrize(
    ("result", "line"),
    [
        ({"error": "no"}, "no"),
        ({"status": "error", "message": "missing"}, "missing"),
        ({"text": "cut"}, "cut"),
        ({"status": "error"}, "failed"),
        ("just no", "just no"),
        (None, "None"),
    ],
)
def test_a_tool_failure_is_described_in_one_line(result: Any, line: str):
    assert describe_error(result) == line


@tool("read")
async def find_place(
    tool: ToolContext, name: Annotated[str, Meta(title="A name", max_length=9)], near: str | None
) -> Any:
    """Find a place."""


def test_a_schema_has_bounds_but_neither_titles_nor_null():
    assert find_place.schema.parameters == {
        "type": "object",
        "properties": {"name": {"type": "string", "maxLength": 9}, "near": {"type": "string"}},
        "required": ["name", "near"],
    }


async def test_data_that_a_tool_sets_is_converted_to_json_and_must_be_declared(
    store: Store, settings: Settings
):
    async def answer(tool: ToolContext) -> Any:
        return ToolOutcome("done", data={"mood": ("dry", {1: "a\x00b"})})

    ours = await make_caller(store, settings)
    item = replace(ping, function=answer, effect="read")
    for fields, data in ((("mood",), {"mood": ["dry", {"1": "ab"}]}), ((), {})):
        ctx = replace(ours.ctx, pack=replace(ours.ctx.pack, data_fields=fields))
        context = ToolContext(ctx, store.read("acme"), {}, "k")
        made = await execute_tool(CALL, item, context, {"ping": "read"})
        assert (made.data, made.is_error) == (data, not fields)
    raised = "KeyError: \"the pack declares no data field 'mood': add it to data_fields\""
    assert made.receipt["raised"] == raised


async def run_tool(item: Tool, store: Store, settings: Settings, **rest: Any) -> ToolOutcome:
    ours = await make_caller(store, settings)
    call: Any = {"type": "tool_call", "id": "c1", "name": item.name, "arguments": {}, **rest}
    context = ToolContext(ours.ctx, store.read("acme"), {}, "key")
    return await execute_tool(call, item, context, {item.name: "read"})


@pytest.mark.parametrize(
    ("returned", "result", "is_error"),
    [
        ({"a": 1, 2: (3,)}, {"a": 1, "2": [3]}, False),
        ({"error": "no"}, {"error": "no"}, True),
        ({"status": "error"}, {"status": "error"}, True),
        ({"status": "fine"}, {"status": "fine"}, False),
        (ToolOutcome("no", is_error=True), "no", True),
        ("a\x00b", "ab", False),
    ],
)
async def test_a_tools_return_value_becomes_json_or_an_error(
    returned: Any, result: Any, is_error: bool, store: Store, settings: Settings
):
    async def answer(tool: ToolContext) -> Any:
        return returned

    outcome = await run_tool(tool("read")(answer), store, settings)
    assert (outcome.result, outcome.is_error) == (result, is_error)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"is_cut": True}, "cut off at its token limit"),
        ({"invalid_arguments": "{"}, "were not a JSON object"),
        ({"arguments": {"extra": 1}}, "invalid arguments: "),
        ({"name": "pin"}, "unknown tool 'pin'"),
    ],
)
async def test_a_tool_call_that_cannot_be_executed_gets_an_error_result(
    given: dict[str, Any], error: str, store: Store, settings: Settings
):
    outcome = await run_tool(ping, store, settings, **given)
    assert outcome.is_error and error in outcome.result["error"]


async def test_setting_an_undeclared_data_field_is_a_bug_of_the_tool(
    store: Store, settings: Settings
):
    async def answer(tool: ToolContext) -> Any:
        return ToolOutcome("ok", data={"mood": "good"})

    outcome = await run_tool(tool("read")(answer), store, settings)
    assert outcome.is_error and "answer failed unexpectedly" in outcome.result["error"]
    assert (
        outcome.receipt["raised"]
        == "KeyError: \"the pack declares no data field 'mood': add it to data_fields\""
    )
    assert (outcome.data, outcome.is_unknown) == ({}, False)


async def test_a_client_tool_is_offered_to_all_workers_and_never_executed(
    store: Store, settings: Settings
):
    shape = ToolSchema("shout", "Shout.", {"type": "object", "properties": {}})
    registry = ToolRegistry((search, ping)).extend([shape])
    shout = registry.get("shout")
    assert shout is not None
    outcome = await run_tool(shout, store, settings)

    assert registry.allow(("search",)) == ("search", "shout")
    assert registry.list_effects(("search", "none")) == {"search": "read", "shout": "write"}
    assert registry.get_tool_definitions() == (ping.schema, search.schema, shape)
    assert (registry.all_reads, registry.reads) == ({"search"}, {"search"})
    assert registry.undone == {"search"}
    assert outcome.result == {
        "error": "only the client that declared this tool can execute it: use another tool"
    }


def test_a_tools_exception_is_recorded_with_its_place_without_secrets():
    async def answer(tool: ToolContext) -> Any:
        """Answer."""

    ours = tool("read")(answer)
    error = ValueError("no sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789")
    told = describe_raised(ours, error)
    foreign = describe_raised(replace(ours, function=partial(answer)), ValueError("x" * 900))

    assert told["raised"].startswith("ValueError: no ") and "abcdefghij" not in told["raised"]
    assert (told["at"], foreign["at"]) == ("what answer returned", "what answer returned")
    assert len(foreign["raised"]) <= len("ValueError: ") + 500
