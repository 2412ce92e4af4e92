"""The same failures on every wire, as our own clients see them."""

from __future__ import annotations

import pytest

from packages.wire.tests.brains import FixedBrain, say, think
from packages.wire.tests.test_same_on_all_wires import PROVIDERS, ask, make_provider
from plainloop.agent.core.history import repair_history
from plainloop.agent.errors import ModelError, ModelOverloaded, RateLimited, StreamCut
from plainloop.agent.types import ChatRequest, Message
from plainloop_wire.faults import Fault, Faults

TEXT = "One two three four five six seven eight nine ten."
HELLO: Message = {"role": "user", "parts": [{"type": "text", "text": "Hello"}]}
REQUEST = ChatRequest(system="", messages=[HELLO])


@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize(("status", "kind"), [(429, RateLimited), (503, ModelOverloaded)])
async def test_a_failure_before_the_answer_raises_the_matching_error(
    wire_server, name, status, kind
):
    faults = Faults(series=(Fault(status=status, times=2),))
    server = await wire_server(FixedBrain(say(TEXT)), faults=faults)
    provider = make_provider(name, server)
    for stream in (False, True):
        with pytest.raises(kind):
            await ask(provider, REQUEST, stream=stream)
    assert (await ask(provider, REQUEST, stream=True)).text == TEXT
    assert [entry["status"] for entry in server.requests] == [status, status, 200]


@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize("end", ["abort", "clean"])
async def test_an_unfinished_stream_is_an_error_with_the_partial_answer(wire_server, name, end):
    events = {"anthropic": 5, "openai_responses": 8}.get(name, 3)
    cut = Fault(cut_after_events=events, end=end)
    server = await wire_server(FixedBrain(say(TEXT)), faults=Faults(series=(cut,)))
    with pytest.raises(StreamCut) as caught:
        await ask(make_provider(name, server), REQUEST, stream=True)
    partial = caught.value.partial
    assert partial is not None
    assert TEXT.startswith(partial.text)
    assert 0 < len(partial.text) < len(TEXT)


@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_thread_continues_after_an_answer_cut_at_any_byte(wire_server, name):
    server = await wire_server(FixedBrain(think("Hm. Well, let me see.", "Yes.")))
    provider = make_provider(name, server)
    for events in range(1, 12):
        cut = Fault(cut_after_events=events, end="clean")
        server.wire.faults.load(Faults(series=(cut,)))
        try:
            message = (await ask(provider, REQUEST, stream=True)).message
        except StreamCut as error:
            message = error.partial.message if error.partial else HELLO
        history, _ = repair_history([HELLO, message, HELLO])
        answer = await ask(provider, ChatRequest(system="", messages=history), stream=True)
        assert answer.text == "Yes.", events


@pytest.mark.parametrize("name", PROVIDERS)
async def test_an_error_event_inside_a_stream_raises_a_model_error(wire_server, name):
    cut = Fault(cut_after_events=4, end="error", message="Overloaded")
    server = await wire_server(FixedBrain(say(TEXT)), faults=Faults(series=(cut,)))
    with pytest.raises(ModelError) as caught:
        await ask(make_provider(name, server), REQUEST, stream=True)
    assert not isinstance(caught.value, StreamCut)
