"""The conditional evaluator: check first, verdict second, at most two retries, then the best."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.base.messages.contents import get_answer, get_text, make_text_message
from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.base.tokens.output_sizes import REVIEW
from plainloop.agent.core.seams import RunView
from plainloop.agent.core.spec import Check
from plainloop.agent.core.state import AgentState, initialize_state
from plainloop.agent.errors import EmptyAnswer, ModelOverloaded, RateLimited
from plainloop.agent.evaluators._base_evaluator import build_verdict_request
from plainloop.agent.store.ledger import load_output_sizes
from plainloop.agent.types import Update
from tests.core.conversations import answer, call, result, user
from tests.machine.notes_pack import REVIEWED, make_pack, store_answer
from tests.machine.running import TENANT
from tests.machine.scripted import Cut, text, tools, triage, verdict

NOTE = "_Note: this answer did not pass the review:_\n\n{}"


def make_reviewed_pack(**changes):
    """The test pack with another policy for its poet."""
    pack = make_pack()
    poet = replace(REVIEWED, **changes)
    return replace(pack, workers=tuple(poet if w.name == "poet" else w for w in pack.workers))


async def test_an_answer_that_passes_is_accepted_in_the_steps_transaction(machine):
    run = await machine(triage("poet"), text("Roses are red."), verdict("pass", score=0.9))
    told = await run.ask("a poem")

    assert told.nodes[-2:] == ["poet", "poet.evaluator"]
    assert told.answer == told.text == "Roses are red."
    assert await run.list_notes() == [("Roses are red.", 5)]
    assert told.outcome.state["result"] == {
        "verdicts": [{"verdict": "pass", "feedback": "", "score": 0.9}]
    }


async def test_writes_of_the_accept_hook_are_undone_if_the_step_fails(machine):
    async def store_then_fail(state, ctx, said, passed, check: Check):
        await store_answer(state, ctx, said, passed, check)
        raise RuntimeError("a bug after the insert")

    pack = make_reviewed_pack(accept=store_then_fail)
    run = await machine(triage("poet"), text("Roses."), verdict("pass"), pack=pack)
    told = await run.ask("a poem")

    assert isinstance(told.error, RuntimeError)
    assert await run.list_notes() == []
    assert get_answer(await run.load_messages()) == "Roses."


async def test_a_retried_answer_is_requested_with_feedback_and_replaces_the_draft(machine):
    run = await machine(
        triage("poet"),
        text("Roses are red."),
        verdict("retry", "It must rhyme.", 0.3),
        text("Roses are red, so is your bed."),
        verdict("pass"),
    )
    told = await run.ask("a poem")

    assert told.nodes[-4:] == ["poet", "poet.evaluator", "poet", "poet.evaluator"]
    assert told.answer == told.text == "Roses are red, so is your bed."
    asked_again = run.provider.requests[3].messages
    assert [message["role"] for message in asked_again] == ["user", "assistant", "user"]
    assert get_text(asked_again[1]) == "Roses are red."
    assert "It must rhyme." in get_text(asked_again[2])
    assert [get_text(m) for m in await run.load_messages()] == [
        "a poem",
        "Roses are red.",
        "Roses are red, so is your bed.",
    ]
    assert await run.list_notes() == [("Roses are red, so is your bed.", 5)]


async def test_the_draft_stays_visible_until_the_retrys_text_begins(machine):
    run = await machine(
        triage("poet"), text("Roses."), verdict("retry", "More.", 0.3), text("x"), worker_turns=1
    )
    told = await run.ask("a poem")

    assert told.last[1]["code"] == "LIMIT_REACHED"
    assert told.text == told.answer == get_answer(await run.load_messages()) == "Roses."


async def test_a_broken_retry_restores_the_draft(machine):
    broken = Cut("Violets", RateLimited("slow down", retry_after_s=0.0))
    run = await machine(
        triage("poet"),
        text("Roses."),
        verdict("retry", "More.", 0.3),
        broken,
        broken,
        model_attempts=2,
    )
    told = await run.ask("a poem")
    seen = [event["data"] for event in told.events if event["event"] == "text_reset"]

    assert len(seen) == 3  # the draft gave way, came back, gave way again
    assert told.text == get_answer(await run.load_messages()) == "Violets"


async def test_after_two_retries_the_best_draft_is_sent_with_a_note(machine):
    checks: list[Check] = []

    async def check_length(state, ctx):
        return Check(sources=({"length": len(get_text(state["messages"][-1]))},))

    async def remember(state, ctx, said, passed, check):
        checks.append(check)
        await store_answer(state, ctx, said, passed, check)

    run = await machine(
        triage("poet"),
        text("One."),
        verdict("retry", "Too short.", 0.2),
        text("Two."),
        verdict("retry", "Better, still short.", 0.6),
        text("And three."),
        verdict("retry", "Worse.", 0.4),
        pack=make_reviewed_pack(check=check_length, accept=remember),
    )
    told = await run.ask("a poem")

    best = f"Two.\n\n{NOTE.format('Better, still short.')}"
    assert told.answer == told.text == best
    assert told.last == ("done", {"content": best})
    assert len(run.provider.requests) == 7
    assert await run.list_notes() == [("Two.", 0)]
    assert checks == [Check(sources=({"length": 4},))]
    steps = await run.load_steps(told)
    assert "retries used up: draft 2 of 3 is used" in steps[-1].notes
    assert (await run.load_run(told)).status == "succeeded"


async def test_a_failed_deterministic_check_calls_no_reviewer(machine):
    run = await machine(
        triage("poet"), text("ROSES are red."), text("Roses are red."), verdict("pass")
    )
    told = await run.ask("a poem")

    assert told.answer == told.text == "Roses are red."
    assert "do not shout ROSES" in get_text(run.provider.requests[2].messages[-1])
    steps = await run.load_steps(told)
    first = next(step for step in steps if step.node == "poet.evaluator")
    assert [(call.role, call.reason) for call in first.avoided] == [
        ("evaluator", "the check found 1 problems: no model review needed")
    ]


@pytest.mark.parametrize("said", ["pass", '{"verdict": "maybe"}', '{"score": "high"}', "[]"])
async def test_an_unreadable_verdict_is_retried_once_then_noted(machine, said):
    run = await machine(triage("poet"), text("Roses."), text(said), text(said))
    told = await run.ask("a poem")

    assert told.error is None
    unread = "the review could not be read"
    assert told.answer == told.text == f"Roses.\n\n_Note: this answer was not reviewed: {unread}_"
    assert [c.role for c in await run.list_calls(told)] == [
        *("classifier", "worker", "evaluator", "evaluator")
    ]
    assert await run.list_notes() == [("Roses.", 0)], "kept as one that nobody passed"
    steps = await run.load_steps(told)
    assert f"not reviewed: {unread}" in steps[-1].notes


async def test_two_empty_reviews_do_not_fail_the_run(machine):
    run = await machine(triage("poet"), text("Roses."), text(""), text(""))
    told = await run.ask("a poem")

    why = f"the reviewer failed: {EmptyAnswer.sentence}"
    assert told.answer == told.text == f"Roses.\n\n_Note: this answer was not reviewed: {why}_"


async def test_a_failing_reviewer_does_not_fail_the_run(machine):
    busy = ModelOverloaded("busy", retry_after_s=0.0)
    run = await machine(triage("poet"), text("Roses."), busy, busy, model_attempts=2)
    told = await run.ask("a poem")

    why = f"the reviewer failed: {ModelOverloaded.sentence}"
    assert told.error is None
    assert told.answer == told.text == f"Roses.\n\n_Note: this answer was not reviewed: {why}_"
    assert [c.status for c in await run.list_calls(told)][2:] == ["failed"] * 2
    assert await run.list_notes() == [("Roses.", 0)], "kept as one that nobody passed"
    assert (await run.load_run(told)).status == "succeeded"


@pytest.mark.parametrize(("calls", "is_evaluated"), [(0, False), (1, False), (2, True)])
async def test_auto_evaluation_starts_above_the_workers_number_of_calls(
    machine, calls, is_evaluated
):
    pack = make_reviewed_pack(evaluate="auto", evaluate_after=1)
    used = [tools((f"c{n}", "list_notes", {"limit": n + 1})) for n in range(calls)]
    run = await machine(triage("poet"), *used, text("Roses."), verdict("pass"), pack=pack)
    told = await run.ask("a poem")

    assert (told.nodes[-1] == "poet.evaluator") is is_evaluated
    assert await run.list_notes() == [("Roses.", 5)], "accepted either way"
    steps = await run.load_steps(told)
    skipped = [call.reason for call in steps[-1].avoided if call.role == "evaluator"]
    used = format_count(calls, "tool call")
    assert skipped == ([] if is_evaluated else [f"evaluator skipped: auto, {used} this turn"])


async def test_a_skipped_reviews_savings_equal_earlier_reviews(machine):
    pack = make_reviewed_pack(evaluate="auto", evaluate_after=0)
    look = tools(("c1", "list_notes", {}))
    run = await machine(
        *(triage("poet"), look, text("Roses."), verdict("pass"), triage("poet"), text("Violets.")),
        pack=pack,
    )
    reviewed, skipped = await run.ask("a poem"), await run.ask("another poem")
    (review,) = [call for call in await run.list_calls(reviewed) if call.role == "evaluator"]
    steps = await run.load_steps(skipped)
    saved = [call.tokens for call in steps[-1].avoided if call.role == "evaluator"]
    assert saved == [review.usage.input_total + review.usage.output_total]


LETTER = "Dear Ann,\nI led {} people in Rome.\nI bake bread, and have done so for ten years.\nBo"
BOOK = "led 38 people in Rome, two houses\nbaked bread\nten years of it\nno dogs"


async def review_twice(machine, second: str, **changes):
    """The text that the second review of a letter reads."""
    run = await machine(
        *(triage("poet"), tools(("c1", "list_notes", {})), text(LETTER.format(50))),
        *(verdict("retry", "The notes say 38."), text(second), verdict("pass")),
        pack=make_reviewed_pack(**changes),
    )
    await run.store.read(TENANT).execute(
        "INSERT INTO notes (tenant_id, user_id, text, stars) VALUES ($1, 'ann', $2, 0)",
        TENANT,
        BOOK,
    )
    await run.ask("a letter")
    return get_text(run.provider.requests[-1].messages[0])


async def test_a_second_review_gets_the_changes_and_their_sources(machine):
    read = await review_twice(machine, LETTER.format(38), check=None)

    assert "after this feedback:\nThe notes say 38.\n" in read
    assert f"<answer>\n{LETTER.format(38).splitlines()[1]}\n</answer>" in read


@pytest.mark.parametrize(
    ("second", "changes"),
    [
        ("Ann, I am all new.\nTruly.", {"check": None}),  # nothing stayed
        (LETTER.format(38), {}),  # it has a check, so that no model may have read the first
    ],
)
async def test_an_unreviewed_answer_is_reviewed_completely(machine, second, changes):
    read = await review_twice(machine, second, **changes)
    assert f"Answer:\n<answer>\n{second}\n</answer>" in read
    assert "no dogs" in read


async def test_skipped_reviews_are_valued_by_that_workers_reviews(machine):
    pack = make_reviewed_pack(evaluate="auto", evaluate_after=0)
    looked_up = (triage("poet"), tools(("c1", "list_notes", {})), text("Roses."), verdict("pass"))
    run = await machine(*looked_up, triage("poet"), text("Violets."), pack=pack)
    reviewed = (await run.list_calls(await run.ask("a poem of mine")))[-1]
    usage = reviewed.usage
    told = await run.ask("a poem")

    (skipped,) = [a for s in await run.load_steps(told) for a in s.avoided if a.role == "evaluator"]
    assert skipped.tokens == (usage.input_total or 0) + (usage.output_total or 0)
    async with run.store.transaction(TENANT) as tx:
        past = await load_output_sizes(tx)
    assert past["poet", REVIEW] == skipped.tokens, "another process knows it too"


async def test_the_reviewer_sees_the_request_the_criteria_the_material_and_the_answer(machine):
    run = await machine(
        triage("poet"),
        tools(("c1", "list_notes", {})),
        text("No notes, no roses."),
        verdict("pass"),
    )
    await run.ask("a poem of my notes")

    (message,) = run.provider.requests[-1].messages
    assert get_text(message) == (
        "Request:\na poem of my notes\n\n"
        "Success criteria:\nis right\n\n"
        'Material:\nlist_notes: {"notes":[]}\n\n'
        "Answer:\n<answer>\nNo notes, no roses.\n</answer>"
    )


def test_the_reviewer_reads_rows_as_a_table():
    rows = [{"job_id": n, "company": "Acme", "title": "Cook"} for n in range(3)]
    said = [user("Which?"), call("c1"), result("c1", gave={"jobs": rows}), answer("Number 2.")]
    (message,) = build_verdict_request(initialize_state(said)).messages

    table = '{"jobs":{"columns":["job_id","company","title"],"rows":[[0,"Acme","Cook"],'
    assert f"Material:\nlook: {table}" in get_text(message)


async def test_a_retry_with_tool_calls_keeps_the_feedback(machine):
    run = await machine(
        triage("poet"),
        tools(("c1", "list_notes", {})),
        text("Roses."),
        verdict("retry", "Use my notes.", 0.3),
        tools(("c2", "list_notes", {}), said="Let me look."),
        text("No notes, no roses."),
        verdict("pass"),
    )
    told = await run.ask("a poem of my notes")

    shown = run.provider.requests[5].messages
    (place,) = [n for n, m in enumerate(shown) if "Use my notes." in get_text(m)]
    assert (shown[place]["role"], get_text(shown[place - 1])) == ("user", "Roses.")
    assert place == len(shown) - 3, "it stays behind the draft, before what was looked up"
    assert told.answer == told.text == "Let me look.\n\nNo notes, no roses."
    (message,) = run.provider.requests[-1].messages
    assert get_text(message).count("list_notes:") == 1


async def test_a_packs_node_can_run_between_answer_and_review(machine: Any):
    async def sign(state: AgentState, ctx: RunView) -> Update:
        return {"messages": [make_text_message("assistant", "Roses. – The poet")]}

    pack = make_pack()
    poet = pack.get_worker("poet")
    assert poet is not None
    workers = (*(w for w in pack.workers if w is not poet), replace(poet, after={"sign": sign}))
    run = await machine(
        triage("poet"), text("Roses."), verdict("pass"), pack=replace(pack, workers=workers)
    )

    told = await run.ask("a poem")

    walked = [(end["node"], end["next"]) for end in told.list_events("node_end")][-3:]
    assert walked == [
        ("poet", "poet.sign"),
        ("poet.sign", "poet.evaluator"),
        ("poet.evaluator", "END"),
    ]
    assert told.answer == "Roses. – The poet"
