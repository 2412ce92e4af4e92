"""Whatever JSON a sorter or reviewer answers, the run goes on: read, ignored or asked again."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plainloop.agent.evaluators._base_evaluator import read_verdict
from tests.machine.running import TENANT, USER
from tests.machine.scripted import text, verdict

EXAMPLES = int(os.environ.get("AGENT_MACHINE_EXAMPLES") or 25)
FIXTURES = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]

words = st.sampled_from(["note_writer", "poet", "notes", "text", "stars", "list", "count", "none"])
scalars = st.none() | st.booleans() | st.integers() | st.floats() | words | st.text(max_size=5)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
filters = st.lists(st.fixed_dictionaries({"field": words, "value": scalars}), max_size=3) | values
triages = st.fixed_dictionaries(
    {
        "worker": st.sampled_from(["note_writer", "poet"]) | values,
        "success_criteria": values,
        "fast_intent": st.sampled_from(["none", "lookup", "count", "list"]) | values,
        "entity_type": st.sampled_from(["none", "notes"]) | values,
        "filters": filters,
    },
    optional={"order_by": values, "descending": values, "limit": values},
)


@pytest.fixture
async def idle(machine):
    return await machine()


@given(triages)
@settings(max_examples=EXAMPLES, suppress_health_check=FIXTURES)
async def test_any_triage_answer_leads_to_a_node(idle, answer):
    thread = await idle.service.ensure_thread(TENANT, USER, None, "odd")
    idle.thread_id = thread.thread_id
    route = text('{"worker": "note_writer", "success_criteria": ""}')
    # Asked of whoever is next: the router reads the first, a worker takes it as its answer.
    idle.provider.script[:] = [text(json.dumps(answer)), route, verdict("pass"), verdict("pass")]
    told = await idle.ask("what about it")

    assert told.error is None, (answer, told.error)
    assert told.last[0] == "done"
    assert told.text == told.answer


@given(values | st.fixed_dictionaries({"verdict": values, "feedback": values, "score": values}))
def test_any_review_answer_is_a_verdict_or_none(answer):
    read = read_verdict(json.dumps(answer))
    if read is None:
        said = answer.get("verdict") if isinstance(answer, dict) else None
        assert said not in ("pass", "retry")
        return

    assert set(read) == {"verdict", "feedback", "score"}
    assert read["verdict"] in ("pass", "retry")
    assert isinstance(read["feedback"], str)
    assert 0 <= read["score"] <= 1


def test_an_infinite_score_counts_as_the_best():
    read = read_verdict('{"verdict": "retry", "score": 1' + "0" * 400 + "}")
    assert read and read["score"] == 1.0
