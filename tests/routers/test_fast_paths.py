from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, cast

import pytest

from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.config.settings import Settings
from plainloop.agent.core.state import END, AgentState, apply_step, initialize_state
from plainloop.agent.events import Event
from plainloop.agent.intents.queries import LOOKUP_FIELD, to_json_value
from plainloop.agent.intents.rules import match_intent
from plainloop.agent.routers.fast_answers import describe_filters, format_count, format_lookup
from plainloop.agent.routers.fast_paths import fast_count, fast_list, fast_lookup, format_result
from plainloop.agent.store.store import Store
from tests.core.model_calls import Caller, make_caller
from tests.tracker.entities import DOCUMENTS, JOBS, TRACKER, add_row
from tests.tracker.pack import build_pack

FAST_NODES = {"count": fast_count, "list": fast_list, "lookup": fast_lookup}


@dataclass(frozen=True)
class Answer:
    text: str
    state: AgentState
    events: list[Event]


Ask = Callable[..., Awaitable[Answer]]


async def make_context(
    store: Store, settings: Settings, tenant_id: str = "acme", user_id: str = "ann"
) -> Caller:
    """A run of a pack with the tracker's rows, without a model: a path that asks one fails."""
    caller = await make_caller(store, settings, tenant_id=tenant_id)
    caller.ctx = replace(caller.ctx, pack=build_pack(), user_id=user_id)
    return caller


def begin(text: str, **result: Any) -> AgentState:
    """The state behind a rule that is certain of the text. result: by its `rule`, say."""
    pytest.importorskip("plainloop_rules")
    match = match_intent(text, TRACKER)
    assert match is not None, "the rules are not certain of this one"
    said = [make_text_message("user", text)] if result else []
    state = initialize_state(said, start=f"fast_{match.fast_intent}")
    state["fast_intent"], state["entity_type"] = match.fast_intent, match.entity_type
    state["query"], state["result"] = match.query, result or None
    return state


@pytest.fixture
def ask(store: Store, settings: Settings) -> Ask:
    """Run a sentence through the rules and the fast path's two nodes."""

    async def ask_text(text: str, tenant_id: str = "acme", user_id: str = "ann") -> Answer:
        caller = await make_context(store, settings, tenant_id, user_id)
        state = begin(text)
        for node in (FAST_NODES[state["fast_intent"] or ""], format_result):
            update, next_node = await node(state, caller.ctx)
            state = apply_step(state, node.run.__qualname__, update, next_node)
        assert state["route_to"] == END
        message = state["messages"][0]
        return Answer(cast(Any, message["parts"][0])["text"], state, caller.events)

    return ask_text


async def add_jobs(store: Store, count: int, **columns: Any) -> None:
    """columns: also whose they are, `tenant_id`."""
    for n in range(1, count + 1):
        day = datetime(2026, 1, 1 + n % 28, tzinfo=UTC)
        row = {"company": f"Acme {n}", "title": "Cook", "created_at": day, **columns}
        await add_row(store, "tracker_jobs", job_id=n, **row)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        (
            "how many jobs have I applied to?",
            {
                0: "You have no jobs with status applied.",
                1: "You have 1 job with status applied.",
                3: "You have 3 jobs with status applied.",
            },
        ),
        (
            "open job 98",
            {
                0: "I found no job with number 98. You have 1 job.",
                3: "I found no job with number 98. You have 4 jobs.",
            },
        ),
    ],
)
async def test_counts_are_answered_in_one_correct_sentence(
    store: Store, ask: Ask, question: str, answers: dict[int, str]
):
    for rows, answer in answers.items():
        tenant = f"t{rows}"
        await add_jobs(store, rows, status="applied", tenant_id=tenant)
        await add_row(store, "tracker_jobs", job_id=99, company="x", title="y", tenant_id=tenant)
        assert (await ask(question, tenant_id=tenant)).text == answer


async def test_a_fast_answer_is_one_message_with_its_result(store: Store, ask: Ask):
    await add_jobs(store, 2)
    answer = await ask("how many jobs do I have?")
    text = "You have 2 jobs."
    assert answer.state == {
        **initialize_state([]),
        "messages": [{"role": "assistant", "parts": [{"type": "text", "text": text}]}],
        "route_to": END,
        "done": True,
        "fast_intent": "count",
        "entity_type": "jobs",
        "query": {"filters": [], "order_by": None, "descending": False, "limit": 0},
        "result": {"total": 2},
    }
    assert [(e["event"], e["data"]) for e in answer.events] == [("text_delta", {"content": text})]


async def test_fast_paths_show_only_the_users_own_rows(store: Store, ask: Ask):
    await add_jobs(store, 3)
    assert (await ask("how many jobs do I have?", user_id="bob")).text == "You have no jobs."
    assert (await ask("list my jobs", tenant_id="evil")).text == "You have no jobs."
    answer = await ask("show me job 1", tenant_id="evil")
    assert answer.text == "I found no job with number 1. You have no jobs yet."


async def test_a_list_has_a_line_for_each_row(store: Store, ask: Ask):
    await add_jobs(store, 2)
    answer = await ask("list my jobs")
    assert answer.text == (
        "You have 2 jobs:\n\n- #2 Cook at Acme 2 (saved)\n- #1 Cook at Acme 1 (saved)"
    )
    assert answer.state["result"] == {
        "total": 2,
        "rows": [
            {"id": 2, "title": "#2 Cook at Acme 2 (saved)"},
            {"id": 1, "title": "#1 Cook at Acme 1 (saved)"},
        ],
    }


async def test_a_long_list_states_how_many_rows_are_hidden(store: Store, ask: Ask):
    await add_jobs(store, 32)
    lines = (await ask("list all my jobs")).text.splitlines()
    assert lines[0] == "You have 32 jobs:"
    assert len([line for line in lines if line.startswith("- ")]) == 20
    assert lines[-1] == "…and 12 more (20 shown)."


async def test_a_list_names_its_entity_and_filters(store: Store, ask: Ask):
    headings = [
        ("show me my 2 newest jobs", "Here are 2 of your 3 jobs, newest first:"),
        ("list my oldest jobs", "You have 3 jobs, oldest first:"),
        ("list my jobs by salary", "You have 3 jobs, highest salary first:"),
        ("list my jobs sorted by company", "You have 3 jobs, sorted by company:"),
        ("show me my last ten jobs", "You have 3 jobs, newest first:"),
        ("list my jobs that pay over 10", "You have 3 jobs with salary of at least 11:"),
        ("list my saved jobs at Acme", "You have 3 jobs with company “Acme” and status saved:"),
        ("list my remote jobs", "You have no jobs with remote type remote."),
        ("list my favourite jobs", "You have no jobs marked favorite."),
    ]
    await add_jobs(store, 3, salary=100)
    for text, heading in headings:
        assert (await ask(text)).text.splitlines()[0] == heading


async def test_a_single_match_is_shown_with_its_fields(store: Store, ask: Ask):
    await add_row(
        store, "tracker_jobs", job_id=3, company="Noma", title="Cook", salary=10, location="Oslo"
    )
    answer = await ask("what's the status of my Noma application?")
    assert answer.text == (
        "**#3 Cook at Noma (saved)**\n\n"
        "- company: Noma\n- title: Cook\n- status: saved\n- location: Oslo\n- salary: 10\n"
        "- favorite: no"
    )


async def test_several_matches_are_listed_with_a_question(store: Store, ask: Ask):
    await add_jobs(store, 2)
    assert (await ask("open the Acme job")).text == (
        "I found 2 jobs matching “Acme”. Which one do you mean?\n\n"
        "- #2 Cook at Acme 2 (saved)\n- #1 Cook at Acme 1 (saved)"
    )


async def test_very_many_matches_state_how_many_are_hidden(store: Store, ask: Ask):
    await add_jobs(store, 25)
    lines = (await ask("open the Acme job")).text.splitlines()
    assert lines[0] == "I found 25 jobs matching “Acme”. Which one do you mean?"
    assert lines[-1] == "…and 5 more (20 shown)."


async def test_a_fast_lookup_without_a_match_goes_to_triage(store: Store, settings: Settings):
    await add_jobs(store, 2)
    ctx = (await make_context(store, settings)).ctx
    text = "what's the status of my theatre application?"
    assert await fast_lookup(begin(text, rule="any"), ctx) == (
        {"result": {"missed": True}},
        "intent_classifier",
    )
    assert (await fast_lookup(begin(text), ctx))[1] == "format_result", "triage chose it"


@pytest.mark.parametrize(
    ("text", "next_node"),
    [
        ("how many jobs have I applied to?", "format_result"),
        ("list my remote jobs", "format_result"),
        ("how many jobs do I have?", "format_result"),
        ("list my jobs", "format_result"),
        ("how many jobs do I have at Globex?", "intent_classifier"),
        ("list my jobs at Globex", "intent_classifier"),
    ],
)
async def test_an_empty_result_is_certain_unless_a_name_was_searched(
    text: str, next_node: str, store: Store, settings: Settings
):
    await add_jobs(store, 3, status="applied", remote_type="remote", tenant_id="another")
    ctx = (await make_context(store, settings)).ctx
    by_rule, by_triage = begin(text, rule="any"), begin(text)
    node = FAST_NODES[by_rule["fast_intent"] or ""]

    assert (await node(by_rule, ctx))[1] == next_node
    assert (await node(by_triage, ctx))[1] == "format_result"


async def test_counts_match_whole_words_and_searches_parts(store: Store, ask: Ask):
    for n, company in enumerate(("IKEA", "EA", "EA Sports"), start=1):
        await add_row(store, "tracker_jobs", job_id=n, company=company, title="IT Architect")
    assert (
        await ask("how many jobs do I have at EA?")
    ).text == "You have 2 jobs with company “EA”."
    assert "IKEA" not in (await ask("list my jobs at EA")).text
    assert "IKEA" in (await ask("open the KEA job")).text


async def test_titles_with_line_breaks_are_shown_in_one_line(store: Store, ask: Ask):
    await add_row(store, "tracker_jobs", job_id=1, company="A\nB", title="C\r\n- D")
    assert (await ask("list my jobs")).text.splitlines()[2:] == ["- #1 C - D at A B (saved)"]


async def test_a_fast_path_without_a_query_raises_an_error(store: Store, settings: Settings):
    ctx = (await make_context(store, settings)).ctx
    with pytest.raises(ValueError, match="needs an entity and a query"):
        await fast_count(initialize_state([]), ctx)


def test_long_and_broken_values_are_cut_and_joined():
    query: Any = {"filters": [], "order_by": None, "descending": False, "limit": 0}
    fields = {"title": "a\n\n b", "location": "x" * 400}
    row = {"id": 1, "title": "T", "fields": fields}
    text = format_lookup(JOBS, query, {"total": 1, "rows": [row], "existing": None})
    assert text == f"**T**\n\n- title: a; b\n- location: {'x' * 299}…"


def test_a_name_repeated_in_a_fast_answer_is_cut_to_one_short_line():
    filters: Any = [{"field": LOOKUP_FIELD, "op": "contains", "value": "a\nb" + "c" * 200}]
    query: Any = {"filters": filters, "order_by": None, "descending": False, "limit": 0}
    assert describe_filters(JOBS, query) == f" matching “a b{'c' * 76}…”"


@pytest.mark.parametrize(
    ("total", "said"),
    [
        (0, "You have no cover letters."),
        (1, "You have 1 cover letter."),
        (2, "You have 2 cover letters."),
    ],
)
def test_a_fast_count_can_name_rows_by_a_filter_value_that_is_a_noun(total: int, said: str):
    pytest.importorskip("plainloop_rules")
    match = match_intent("how many cover letters do I have?", TRACKER)
    assert match is not None
    assert format_count(DOCUMENTS, match.query, total) == said


def test_row_values_become_json():
    day = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    values = [day, day.date(), Decimal("2"), Decimal("2.5"), None, True, {"a": 1}, range(1)]
    assert [to_json_value(value) for value in values] == [
        "2026-01-02T03:04:00+00:00",
        "2026-01-02",
        2,
        2.5,
        None,
        True,
        {"a": 1},
        "range(0, 1)",
    ]
