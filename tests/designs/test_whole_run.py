"""Designs with only `run`: one step of a recorded run, in the tenant of whoever asked."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.base.messages.contents import get_answer, get_text, make_text_message
from plainloop.agent.core.spec import CallJson, Interview, WorkerSpec
from plainloop.agent.errors import ConfigError, InputError
from plainloop.agent.packs.prompts import change_prompts
from plainloop.agent.service.service import LOCAL_TENANT
from plainloop.agent.types import ChatRequest, JsonSchema
from tests.machine.notes_pack import make_pack
from tests.machine.running import TENANT, USER
from tests.machine.scripted import text, triage
from tests.replaying import load_stored, replay_stored

OTHERS = """
class {0}OnboardingAgent:
    def __init__(self, model): ...
    def run(self, messages): ...
class {0}ResumeParser:
    def __init__(self, model): ...
    async def parse(self, raw_text): ...
"""
AGENT = """
class {0}Agent:
    def __init__(self, model, search_api_key=None, adzuna_app_id=None, adzuna_app_key=None,
                 adzuna_country="us", jsearch_api_key=None, conversation_id=None):
        self.model = model
    async def run(self, messages):
"""


async def list_missing(state, ctx) -> tuple[str, ...]:
    return ("a name",)


def make_source(name: str, body: str) -> str:
    lines = "".join(f"        {line}\n" for line in body.strip().splitlines())
    return "from plainloop.agent.types import ChatRequest\n" + (AGENT + lines + OTHERS).format(name)


@pytest.mark.parametrize("kind", ["async def run", "def run"])  # a generator of either kind
async def test_a_designs_events_are_forwarded_and_its_text_is_the_answer(machine, add_design, kind):
    body = """
yield {{"event": "run_start", "data": {{"run_id": "its own"}}}}
yield {{"event": "text_delta", "data": {{"content": "Hel"}}}}
yield {{"event": "tool_start", "data": {{"id": "1", "name": "x", "arguments": {{}}}}}}
yield {{"event": "text_delta", "data": {{"content": "lo " + messages[-1]["parts"][0]["text"]}}}}
yield {{"event": "done", "data": {{"content": "Hello Ann"}}}}
"""
    add_design("foreign", make_source("Foreign", body).replace("async def run", kind))
    run = await machine(design="foreign")
    told = await run.ask("Ann")

    assert told.nodes == ["foreign"]
    assert told.answer == told.text == "Hello Ann"
    told.check_stream()
    assert told.list_events("tool_start") == [{"id": "1", "name": "x", "arguments": {}}]
    assert [e["run_id"] for e in told.list_events("run_start")] == [told.run_id]
    assert await run.load_plain() == [
        make_text_message("user", "Ann"),
        make_text_message("assistant", "Hello Ann"),
    ]


@pytest.mark.parametrize(
    ("said", "done"),
    [("", "All at once."), ("Someth", "Something."), ("Wrong", "Right."), ("Only deltas.", "")],
)
async def test_a_designs_streamed_answer_equals_the_stored_one(machine, add_design, said, done):
    body = f"""
yield {{{{"event": "text_delta", "data": {{{{"content": {said!r}}}}}}}}}
yield {{{{"event": "done", "data": {{{{"content": {done!r}}}}}}}}}
"""
    add_design("foreign", make_source("Foreign", body))
    run = await machine(design="foreign")
    told = await run.ask()

    assert told.text == told.answer == get_answer(await run.load_messages()) == (done or said)


async def test_a_designs_calls_are_recorded_for_run_and_tenant(machine, add_design):
    body = """
host = self.model.host
names = [tool.name for tool in host.get_tool_definitions()]
added = await host.execute("add_note", {{"text": "milk"}})
failed = await host.execute("add_then_fail", {{"text": "gone"}})
mood = await host.execute("set_mood", {{"mood": "glad"}})
again = await host.execute("set_mood", {{"mood": "sad"}})
unknown = await host.execute("nothing", {{}})
answer = await host.call("worker", ChatRequest("Be short.", messages))
yield {{"event": "done", "data": {{"content": " | ".join([answer.text, str(len(names)),
    str(added["note"]["text"]), failed["error"], str(again["before"]), unknown["error"]])}}}}
"""
    add_design("foreign", make_source("Foreign", body))
    run = await machine(text("From the model."), design="foreign")
    told = await run.ask()

    assert told.answer == (
        "From the model. | 6 | milk | no, after all | glad | unknown tool 'nothing'"
    )
    assert await run.list_notes() == [("milk", 0)]
    assert await run.load_data() == {"mood": "sad"}
    (call,) = await run.list_calls(told)
    assert (call.node, call.role, call.status) == ("foreign", "worker", "succeeded")
    assert told.outcome.state["tokens"] == {"in": 10, "out": 5}
    notes = await run.store.read("local").fetch("SELECT * FROM notes WHERE tenant_id = 'local'")
    assert notes == []


@pytest.mark.parametrize(
    ("event", "last", "status"),
    [
        (
            '{{"event": "error", "data": {{"message": "no luck", "code": "MY_CODE"}}}}',
            {"message": "no luck", "code": "MY_CODE"},
            "failed",
        ),
        (
            '{{"event": "error", "data": {{"message": "x", "code": "LIMIT_REACHED"}}}}',
            {"message": "Max iterations reached", "code": "LIMIT_REACHED", "reason": "x"},
            "limit",
        ),
        (
            '{{"event": "surprise", "data": {{}}}}',
            {
                "message": "the design yielded the unknown event 'surprise'",
                "code": "INTERNAL_ERROR",
            },
            "failed",
        ),
        (
            '{{"event": "usage", "data": {{}}}}',
            {
                "message": "the design's run() ended without a done or error event",
                "code": "INTERNAL_ERROR",
            },
            "failed",
        ),
    ],
)
async def test_a_designs_final_event_ends_the_run(machine, add_design, event, last, status):
    body = f"""
yield {{{{"event": "text_delta", "data": {{{{"content": "So far."}}}}}}}}
yield {event}
"""
    add_design("foreign", make_source("Foreign", body))
    run = await machine(design="foreign")
    told = await run.ask()

    assert told.last == ("error", last)
    assert (await run.load_run(told)).status == status
    assert told.text == get_answer(await run.load_messages()) == "So far."


async def test_a_design_can_read_but_not_change_the_thread(machine, add_design):
    body = """
seen = [message["parts"][0]["text"] for message in messages]
messages[0]["parts"][0]["text"] = "changed"
yield {{"event": "done", "data": {{"content": str(seen)}}}}
"""
    add_design("foreign", make_source("Foreign", body))
    run = await machine(design="foreign")
    await run.ask("one")
    told = await run.ask("two")

    assert told.answer == "['one', \"['one']\", 'two']"
    assert get_text((await run.load_messages())[0]) == "one"


async def test_a_shipped_design_also_runs_by_its_run_method(machine):
    run = await machine(triage("note_writer"), text("Hi."))
    agent = run.service.make_agent(None)
    events = [event async for event in agent.run([make_text_message("user", "hello")])]

    assert events[0]["event"] == "run_start"
    assert events[-1] == {"event": "done", "data": {"content": "Hi."}}


async def test_without_a_conversation_passed_messages_form_a_new_thread(machine):
    run = await machine(triage("note_writer"), text("Ann."))
    said = [
        make_text_message("user", "I am Ann"),
        make_text_message("assistant", "Hello Ann"),
        make_text_message("user", "who am I?"),
    ]
    events = [event async for event in run.service.make_agent(None).run(said)]

    assert events[-1] == {"event": "done", "data": {"content": "Ann."}}
    assert [get_text(m) for m in run.provider.requests[-1].messages] == [
        "I am Ann",
        "Hello Ann",
        "who am I?",
    ]
    run.thread_id = events[0]["data"]["thread_id"]
    stored = await run.store.load_messages(LOCAL_TENANT, run.thread_id)
    assert [get_text(m) for m in stored] == ["I am Ann", "Hello Ann", "who am I?", "Ann."]


@pytest.mark.parametrize("said", [[], [make_text_message("assistant", "Hello")]])
async def test_running_a_design_without_a_user_message_is_refused(machine, said):
    run = await machine()
    with pytest.raises(InputError, match="the last message is not the user's"):
        _ = [event async for event in run.service.make_agent(None).run(said)]


async def test_without_a_message_the_interview_agent_begins(machine):
    interview = WorkerSpec("ask", "", "You ask.", (), interview=Interview(list_missing))
    pack = replace(make_pack(), onboarding=interview)
    run = await machine(text("What is your name?"), pack=pack)
    agent = run.service.design.onboarding(model=run.service.make_design_model("worker"))
    events = [event async for event in agent.run([])]

    assert events[-1] == {"event": "done", "data": {"content": "What is your name?"}}


CARD = JsonSchema(
    "card",
    {
        "type": "object",
        "properties": {"name": {"type": "string"}, "phone": {"type": "string"}},
        "required": ["name", "phone"],
    },
)


async def read_card(text: str, call_json: CallJson) -> dict[str, Any]:
    request = ChatRequest("Read the card.", [make_text_message("user", text)], json_schema=CARD)
    return await call_json("parser", request)


async def test_a_parsers_calls_are_in_the_requesting_users_ledger(machine):
    half, whole = '{"name": "Ann"}', '{"name": "Ann", "phone": "7"}'
    run = await machine(text(half), text(whole), pack=replace(make_pack(), parse=read_card))
    parsed = await run.service.parse_text(run.service.pack, "Ann, cook", TENANT, USER)

    rows = await run.store.read(TENANT).fetch(
        "SELECT role, llm_calls.status, runs.status AS run, node, step, llm_calls.user_id, "
        "input_tokens FROM llm_calls JOIN runs USING (tenant_id, run_id) "
        "WHERE tenant_id = $1 ORDER BY call_id",
        TENANT,
    )
    assert parsed == {"name": "Ann", "phone": "7"}
    row = {
        "role": "parser",
        "status": "succeeded",
        "run": "succeeded",
        "node": "parser",
        "step": 0,
        "user_id": USER,
        "input_tokens": 10,
    }
    assert rows == [row, row], "asked once more for what was missing"
    assert "phone" in get_text(run.provider.requests[1].messages[-1])


@pytest.mark.parametrize(
    "said",
    [('{"name": "Ann", "phone": "7"}',), ('{"name": "Ann"}', '{"name": "Ann"}'), ("no", "no")],
)
async def test_parsing_replays_exactly_and_shows_a_changed_prompt(machine, said):
    pack = replace(make_pack(), parse=read_card)
    run = await machine(*map(text, said), pack=pack)
    with suppress(InputError):
        await run.service.parse_text(run.service.pack, "Ann, cook", TENANT, USER)
    (thread_id,) = await run.store.read(TENANT).fetch("SELECT thread_id::text FROM threads "
        "WHERE kind = 'parse'")  # fmt: skip
    stored = await load_stored(run.store, TENANT, thread_id["thread_id"])
    outcomes = [
        (await replay_stored(stored, {pack.name: served}, run.service.settings)).turns[0]
        for served in (pack, change_prompts(pack, {"parser": "Read it well."}))
    ]
    assert outcomes[0].divergence is None
    assert outcomes[1].divergence is not None
    assert "Read it well." in str(outcomes[1].divergence.render_diff())
    assert await run.store.list_threads("other", USER, limit=9) == []
    assert [one.kind for one in await run.store.list_threads(TENANT, USER, limit=9)] == ["chat"]


async def test_a_parser_reports_an_unreadable_answer(machine):
    pack = replace(make_pack(), parse=read_card)
    run = await machine(text("nothing here"), text("still nothing"), pack=pack)

    with pytest.raises(InputError, match="the answer cannot be parsed"):
        await run.service.parse_text(run.service.pack, "Ann, cook", TENANT, USER)


async def test_parsing_with_a_pack_without_a_parser_is_an_error(machine):
    run = await machine()

    with pytest.raises(ConfigError, match="does not define how texts are parsed"):
        await run.service.parse_text(run.service.pack, "Ann, cook", TENANT, USER)
