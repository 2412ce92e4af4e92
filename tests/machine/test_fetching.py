"""What was cut of a tool's result can be read on, to its end, and stays cut in the thread."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainloop.agent.core.results import cut_result
from plainloop.agent.core.taint import UNTRUSTED
from plainloop.agent.core.tools import Tool, ToolContext, ToolError, ToolOutcome, tool
from plainloop.agent.errors import ConfigError
from plainloop.agent.service.fetching import ResultPager, read_part
from tests.machine.notes_pack import make_pack
from tests.machine.scripted import text, tools, triage

ROWS = [{"row": n, "said": f"something longer about {n}"} for n in range(200)]
LIMIT = 500


@tool("read")
async def list_rows(tool: ToolContext, prefix: str = "") -> Any:
    """List all rows."""
    if prefix == "!":
        raise ToolError("no such prefix")
    return {"rows": ROWS, "prefix": prefix}


def make_long_pack():
    pack = make_pack()
    writer = replace(pack.workers[0], tools=("list_rows",))
    return replace(pack, tools=(*pack.tools, list_rows), workers=(writer, pack.workers[1]))


def list_results(messages) -> list[Any]:
    return [p["result"] for m in messages for p in m["parts"] if p["type"] == "tool_result"]


async def test_a_model_can_fetch_a_cut_result_to_its_end(machine):
    seen: list[Any] = []

    def go_on(request):
        newest = list_results(request.messages)[-1]
        seen.append(newest)
        if "next" in newest and newest["next"] is None:
            return text("All read.")
        run.provider.script.append(go_on)
        return tools((f"f{len(seen)}", "fetch_more", {"name": "list_rows", **where(newest)}))

    def where(newest):
        return {"start": newest["next"]} if "next" in newest else {}

    first = tools(("a", "list_rows", {"prefix": "x"}))
    run = await machine(
        *(triage("note_writer"), first, go_on),
        pack=make_long_pack(),
        fetch_more=True,
        tool_result_tokens=LIMIT,
        repeated_calls=50,
        worker_turns=50,
        window_tokens=100_000,
    )
    told = await run.ask("read all of it")

    assert told.answer == "All read.", told.error
    assert [row for part in seen for row in part["rows"]] == ROWS
    assert all(cut_result(ToolOutcome(part), LIMIT).result == part for part in seen)
    for before, after in zip(run.provider.requests[1:], run.provider.requests[2:], strict=False):
        assert after.messages[: len(before.messages)] == before.messages
        assert after.tools == before.tools
    kept = [call.receipt for call in await run.list_tool_calls(told)]
    assert kept[0] == {"whole": {"rows": ROWS, "prefix": "x"}}
    assert not any(kept[1:]), "its own parts fit"


async def test_fetch_more_refuses_results_that_were_not_cut(machine):
    run = await machine(
        triage("note_writer"),
        tools(("a", "list_rows", {"prefix": "!"}), ("b", "fetch_more", {"name": "list_rows"})),
        text("Nothing."),
        pack=make_long_pack(),
        fetch_more=True,
    )
    told = await run.ask("read all of it")
    results = list_results(await run.load_messages())
    assert results == [
        {"error": "no such prefix"},
        {
            "error": "nothing to fetch: no result of the tool list_rows was cut in this "
            "conversation. Call the tool itself"
        },
    ]
    assert told.answer == "Nothing."


async def test_without_fetch_more_no_tool_is_offered_and_nothing_stored(machine):
    script = (triage("note_writer"), tools(("a", "list_rows", {})), text("Cut."))
    run = await machine(*script, pack=make_long_pack(), tool_result_tokens=LIMIT)
    told = await run.ask("read all of it")
    assert [tool.name for tool in run.provider.requests[1].tools] == ["list_rows"]
    assert [call.receipt for call in await run.list_tool_calls(told)] == [{}]


@given(st.text(max_size=3_000), st.integers(80, 400))
def test_the_parts_returned_by_fetch_more_form_the_whole_text(whole: str, limit: int) -> None:
    read, start = "", 0
    while start is not None:
        part = read_part(whole, start, limit)
        read, start = read + part["text"], part["next"]
    assert read == whole


def test_fetching_starts_at_the_cut_and_keeps_the_untrusted_mark():
    page = {"url": "https://a.example", "body": "word " * 5_000, UNTRUSTED: True}
    shown = cut_result(ToolOutcome(page), LIMIT).result
    part = read_part(page, None, LIMIT)
    assert part[UNTRUSTED] is True
    assert part["start"] == len(shown["body"].removesuffix("…"))
    assert page["body"][part["start"] :].startswith(part["body"])
    assert read_part([1, 2, 3], 1, LIMIT) == {"items": [2, 3], "start": 1, "of": 3, "next": None}


def test_a_pack_tool_named_fetch_more_is_refused():
    pack = make_long_pack()
    pager = ResultPager(is_on=True)
    equipped = pager.equip(pack)
    assert pager.equip(pack) is equipped
    by_name = {item.name: item for item in equipped.tools}
    assert by_name["list_rows"].schema == list_rows.schema
    assert by_name["list_rows"].read_arguments({"prefix": "a"}) == {"prefix": "a"}
    assert ResultPager(is_on=False).equip(pack) is pack
    own = Tool("fetch_more", "mine", "read", list_rows.function)
    with pytest.raises(ConfigError, match="the service has a tool of that name"):
        ResultPager(is_on=True).equip(replace(pack, tools=(*pack.tools, own)))


def test_a_replay_knows_the_recorded_fetch_tool():
    shown = orjson.dumps([{"name": "fetch_more"}, {"name": "list_rows"}]).decode()
    sources = pytest.importorskip("plainloop_lab.replay.sources.lent_tools")
    fields = dict.fromkeys(sources.CallRecording.__struct_fields__)
    call = sources.CallRecording(**{**fields, "worker": "w", "tools": "hash"})
    assert sources.find_lent([call], {"hash": shown}) == {"w": ({"name": "fetch_more"},)}
