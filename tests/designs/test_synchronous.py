"""Designs as the first design documents showed them: subclasses, plain `def`, a blocking host."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from dataclasses import replace

import pytest

from plainloop.agent.designs.base import load_design
from plainloop.agent.designs.synchronous import DesignThread
from plainloop.agent.errors import AgentError, RunCancelled
from tests.machine.notes_pack import make_pack
from tests.machine.running import TENANT, USER
from tests.machine.scripted import text

PLAIN = """
from plainloop.agent.designs.base import Agent, OnboardingAgent, ResumeParser
from plainloop.agent.types import ChatRequest

class PlainAgent(Agent):
    def __init__(self, model, search_api_key=None, adzuna_app_id=None, adzuna_app_key=None,
                 adzuna_country="us", jsearch_api_key=None, conversation_id=None):
        self.model = model

    def run(self, messages):
        {run}

class PlainOnboardingAgent(OnboardingAgent):
    def __init__(self, model):
        self.model = model

    def run(self, messages):
        yield {{"event": "done", "data": {{"content": "Hello, who are you?"}}}}

class PlainResumeParser(ResumeParser):
    def __init__(self, model):
        self.model = model

    def parse(self, raw_text):
        {parse}
"""
RUN = """
        host = self.model.host
        added = host.execute("add_note", {"text": "milk"})
        answer = host.call("worker", ChatRequest("Be short.", messages))
        yield {"event": "text_delta", "data": {"content": added["note"]["text"]}}
        yield {"event": "done", "data": {"content": added["note"]["text"] + answer.text}}
"""
PARSE = 'return self.model.host.call_json("parser", ChatRequest(raw_text, []))'


def make_source(run: str = RUN, parse: str = PARSE) -> str:
    return PLAIN.format(run=run.strip(), parse=parse)


async def test_a_synchronous_design_gets_results_of_tools_and_models(machine, add_design):
    add_design("plain", make_source())
    run = await machine(text(", noted."), design="plain")
    told = await run.ask()

    assert told.answer == "milk, noted."
    assert await run.list_notes() == [("milk", 0)]
    assert [call.status for call in await run.list_calls(told)] == ["succeeded"]


@pytest.mark.parametrize(
    "parse",
    [
        PARSE,
        "return self.read(raw_text)\n\n    async def read(self, raw_text):\n        "
        'return await self.model.host.call_json("parser", ChatRequest(raw_text, []))',
        "import asyncio; return asyncio.run(self.read(raw_text))\n\n    "
        "async def read(self, raw_text):\n        "
        'return await self.model.host.call_json("parser", ChatRequest(raw_text, []))',
    ],
)
async def test_a_synchronous_parsers_result_is_returned(machine, add_design, parse):
    add_design("plain", make_source(parse=parse))
    run = await machine(text('{"name": "Ann"}'), design="plain")

    assert await run.service.parse_text(run.service.pack, "Ann", TENANT, USER) == {"name": "Ann"}


async def test_a_synchronous_interview_begins_without_a_message(machine, add_design):
    add_design("plain", make_source())
    run = await machine(design="plain", pack=replace(make_pack()))
    agent = load_design("plain").onboarding(model=run.service.make_design_model("worker"))

    assert [event["data"]["content"] for event in agent.run([])] == ["Hello, who are you?"]


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ("return 7", "the design's run() returned int instead of events"),
        ("yield 'done'", "the design yielded 'done'; an event must be {\"event\": name, "),
        ("yield {'event': 'done', 'data': 7}", "the design yielded {'event': 'done', 'data': 7};"),
    ],
)
async def test_the_error_names_a_design_event_of_unknown_form(machine, add_design, run, message):
    add_design("plain", make_source(run))
    told = await (await machine(design="plain")).ask()

    assert told.last[0] == "error"
    assert told.last[1]["message"].startswith(message)


@pytest.mark.parametrize("parse", ["return [1]", "return None", "return {'a': object()}"])
async def test_a_parser_that_returns_no_json_object_is_named(machine, add_design, parse):
    add_design("plain", make_source(parse=parse))
    run = await machine(design="plain")

    with pytest.raises(AgentError, match=r"the design's parse\(\) returned"):
        await run.service.parse_text(run.service.pack, "Ann", TENANT, USER)


async def test_a_design_may_return_a_list_of_events(machine, add_design):
    event = '{"event": "done", "data": {"content": self.model.host.execute("list_notes", {})}}'
    add_design("plain", make_source(f"return [{event}]"))

    told = await (await machine(design="plain")).ask()
    assert told.last[0] == "done"


async def test_cancelling_a_run_cancels_the_call_its_design_waits_for():
    thread, stopped = DesignThread(), threading.Event()
    begun = asyncio.Event()
    outcome: list[str] = []

    async def call_model() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            outcome.append("the model call ended")

    def work() -> None:
        for _ in range(2):  # a design that tries again is refused
            try:
                thread.take(call_model())
            except RunCancelled:
                outcome.append("refused")
        stopped.set()

    running = asyncio.ensure_future(thread.call(work))
    await begun.wait()
    running.cancel()
    thread.close()
    with suppress(asyncio.CancelledError):
        await running
    await asyncio.to_thread(stopped.wait)

    assert sorted(outcome) == ["refused", "refused", "the model call ended"]


async def test_cancelling_a_run_ends_calls_in_the_designs_own_event_loop():
    thread, begun, ended = DesignThread(), asyncio.Event(), asyncio.Event()

    async def call_model() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def work() -> None:
        await thread.take(call_model())

    running = asyncio.ensure_future(thread.call(lambda: asyncio.run(work())))
    await begun.wait()
    thread.close()
    async with asyncio.timeout(30):
        await ended.wait()
    with suppress(asyncio.CancelledError):
        await running


async def test_waiting_synchronous_designs_do_not_use_the_default_threads():
    threads = [DesignThread() for _ in range(64)]
    all_wait, free = asyncio.Event(), asyncio.Event()
    arrived: list[int] = []

    async def call_model(number: int) -> int:
        arrived.append(number)
        if len(arrived) == len(threads):
            all_wait.set()
        await free.wait()
        return number

    waiting = [
        asyncio.ensure_future(thread.call(thread.take, call_model(number)))
        for number, thread in enumerate(threads)
    ]
    # The loop's own pool has fewer threads: there this would wait for ever.
    async with asyncio.timeout(30):
        await all_wait.wait()
        assert await asyncio.to_thread(int) == 0
    free.set()

    assert await asyncio.gather(*waiting) == [*range(len(threads))]
    for thread in threads:
        thread.close()


async def test_a_design_generator_that_is_stopped_early_runs_its_finally(machine, add_design):
    run = """
        try:
            yield {"event": "done", "data": {"content": "over"}}
        finally:
            self.model.host.left.set()
"""
    add_design("plain", make_source(run))
    left = threading.Event()
    machine_run = await machine(design="plain")
    make_model = machine_run.service.make_design_model

    def make(*args, **kwargs):
        model = make_model(*args, **kwargs)
        model.host.left = left
        return model

    machine_run.service.make_design_model = make
    assert (await machine_run.ask()).answer == "over"
    await asyncio.to_thread(left.wait, 10)
    assert left.is_set()
