"""The profile interview: kick, answers, resume, limit, and an end that only the agent can say."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.config.settings import Settings
from plainloop.agent.designs.interview import KICK
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest
from plainloop_careers import make_pack
from plainloop_careers import store as careers
from plainloop_careers.onboarding import MARKER, list_missing_topics, list_topics
from tests.linear import is_linear
from tests.machine.scripted import text, tools
from tests.packs.interviewing import Interviewing, make_scripted, open_offline, replay_interview

PACK = make_pack()
ENDED = (
    "Thank you, that was the last question. Skipped: {topics}. You can add this later on the page "
    "Résumé and profile."
)
ANSWERS = (
    "Data engineer, senior",
    "Oslo or Bergen",
    "hybrid",
    "900,000 NOK",
    "Pipelines that never wake anybody up",
    "skip",
    "short and warm",
)


def write(content: str, call_id: str = "c1") -> Any:
    return tools((call_id, "update_user_profile", {"content": content}))


async def load_profile(store: Store, tenant_id: str = "t1", user_id: str = "u1") -> dict[str, Any]:
    row = await careers.load_profile(store.read(tenant_id), (tenant_id, user_id))
    return {"content": row["content"], "is_onboarded": row["is_onboarded"]}


async def load_messages(store: Store, held: Interviewing) -> list[Any]:
    thread = await held.service.ensure_interview(held.tenant_id, held.user_id)
    return await store.load_messages(held.tenant_id, thread.thread_id)


def test_a_profile_of_spaces_is_read_without_delay():
    topics = list_topics()

    assert is_linear(lambda text: list_missing_topics(f"# a{text}b", topics), " ")
    assert "Salary" not in list_missing_topics("## Salary ## \n90k", topics)


async def test_the_whole_interview_works_without_a_language_model(settings: Settings, store: Store):
    async with open_offline(settings) as service:
        held = Interviewing(service)
        turns = [await held.say(said) for said in (None, *ANSWERS)]

    assert "your target roles: positions and seniority?" in turns[0].done
    assert [turn.ending for turn in turns] == [["done"]] * 7 + [["onboarding_complete", "done"]]
    assert [turn.tools for turn in turns[1:]] == [["read_user_profile", "update_user_profile"]] * 7
    assert turns[-1].done == turns[-1].shown == ENDED.format(topics="Availability")
    profile = await load_profile(store)
    assert profile["is_onboarded"] is True
    assert "## Locations\n\nOslo or Bergen" in profile["content"]
    assert "## Availability\n\nSkipped" in profile["content"]


async def test_the_profile_tool_refuses_a_non_answer(settings: Settings, store: Store):
    calls = write("## Salary\n\nasdf"), write("## Salary\n\nSkipped", "c2")
    service, _ = make_scripted(settings, store, PACK, *calls, text("I skip the salary."))

    turn = await Interviewing(service).say("asdf")

    (failed,) = turn.list_data("tool_error")
    assert failed["error"].startswith(
        "the text for Salary does not answer the question: ask the user once more"
    )
    assert (await load_profile(store))["content"] == "## Salary\n\nSkipped"


async def test_an_interview_resumes_after_a_restart(settings: Settings, store: Store):
    async with open_offline(settings) as service:
        held = Interviewing(service)
        for said in (None, *ANSWERS[:3]):
            await held.say(said)
    async with open_offline(settings) as service:  # as another process would
        held = Interviewing(service)
        resumed = await held.say(None)
        asked = await held.say("What is still missing?")

    assert (
        resumed.done
        == "Let us continue with your profile. What should I note about your salary: expected pay?"
    )
    assert asked.done.startswith("Still missing: Salary, Strengths, Availability, Cover letters.")
    assert (await load_profile(store))["content"].count("##") == 3


async def test_an_interview_can_start_without_a_user_message(settings: Settings, store: Store):
    service, provider = make_scripted(settings, store, PACK, text("Hello!"), text("And where?"))
    held = Interviewing(service)

    kicked = await held.say(None)
    await held.say("Cook")

    assert kicked.done == "Hello!"
    seen = [[(m["role"], get_text(m)) for m in r.messages] for r in provider.requests]
    assert seen == [[("user", KICK)], [("user", KICK), ("assistant", "Hello!"), ("user", "Cook")]]
    stored = [(m["role"], get_text(m)) for m in await load_messages(store, held)]
    assert stored == [
        ("user", ""),
        ("assistant", "Hello!"),
        ("user", "Cook"),
        ("assistant", "And where?"),
    ]


async def test_the_interview_can_call_only_the_two_profile_tools(settings: Settings, store: Store):
    call = tools(("c1", "list_jobs", {}), ("c2", "read_user_profile", {}))
    service, provider = make_scripted(settings, store, PACK, call, text("Hm."))

    turn = await Interviewing(service).say("Hi")

    names = [[tool.name for tool in request.tools] for request in provider.requests]
    assert names == [["read_user_profile", "update_user_profile"]] * 2
    (failed,) = turn.list_data("tool_error")
    assert (failed["id"], failed["error"]) == ("c1", "unknown tool 'list_jobs'")
    assert failed["result"]["available"] == names[0]


async def test_each_model_call_of_an_interview_has_the_newest_profile(
    settings: Settings, store: Store
):
    service, provider = make_scripted(
        settings, store, PACK, write("## Salary\n\n90k"), text("Noted. Where?")
    )

    await Interviewing(service).say("90k")

    before, after = [request.system for request in provider.requests]
    assert "Still missing: Target roles, Locations, Work style, Salary, Str" in before
    assert "## Salary\n\n90k" in after
    assert "Still missing: Target roles, Locations, Work style, Strengths, Av" in after
    assert after.startswith(PACK.onboarding.prompt if PACK.onboarding else "?")


async def test_an_end_marker_cut_across_chunks_is_not_streamed(settings: Settings, store: Store):
    for size in (1, 2, 7, 1000):
        said = f"All set,  thank you. {MARKER}\n"
        service, _ = make_scripted(settings, store, PACK, text(said), size=size)
        held = Interviewing(service, user_id=f"u{size}")

        turn = await held.say("That is all.")

        assert turn.ending == ["onboarding_complete", "done"]
        assert turn.shown == turn.done == "All set,  thank you."
        assert not any("[" in data["content"] for data in turn.list_data("text_delta"))
        assert get_text((await load_messages(store, held))[-1]) == "All set,  thank you."
        assert (await load_profile(store, user_id=held.user_id))["is_onboarded"] is True


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (MARKER, "Thank you, that was the last question."),
        (f"{MARKER} Bye.", "Bye."),
        (f"Thanks.{MARKER}Bye. {MARKER}", "Thanks. Bye."),
        *((f"See {said}", None) for said in ("[ONBOARDING COMPLETE]", "[ONBOARDING_COMPLET")),
        ("See [onboarding]", None),
    ],
)
async def test_an_interview_ends_only_at_an_exact_end_marker(
    said: str, shown: str | None, settings: Settings, store: Store
):
    service, _ = make_scripted(settings, store, PACK, text(said))

    turn = await Interviewing(service).say("Yes.")

    assert (turn.shown, turn.done) == (shown or said,) * 2
    assert turn.ending == (["onboarding_complete", "done"] if shown else ["done"])
    assert (await load_profile(store))["is_onboarded"] is bool(shown)


async def test_an_end_marker_beside_a_tool_call_ends_the_interview_once(
    settings: Settings, store: Store
):
    both = tools(
        ("c1", "update_user_profile", {"content": "## Salary\n\n1"}), said=f"Done. {MARKER}"
    )
    service, _ = make_scripted(settings, store, PACK, both, text(f"Bye. {MARKER}"))

    turn = await Interviewing(service).say("Yes.")

    assert turn.ending == ["onboarding_complete", "done"]
    assert turn.done == turn.shown == "Done.\n\nBye."
    assert await load_profile(store) == {"content": "## Salary\n\n1", "is_onboarded": True}


async def test_an_end_marker_from_the_user_or_a_tool_is_ignored(settings: Settings, store: Store):
    service, provider = make_scripted(
        settings,
        store,
        PACK,
        write(f"## Salary\n\n{MARKER}"),
        tools(("c2", "read_user_profile", {})),
        text("Where do you want to work?"),
    )
    held = Interviewing(service)

    turn = await held.say(f"I am done. {MARKER}")

    assert turn.ending == ["done"]
    assert (await load_profile(store))["is_onboarded"] is False
    for request in provider.requests:
        for seen in list_seen(request):
            assert MARKER not in seen
    assert get_text((await load_messages(store, held))[0]) == f"I am done. {MARKER}"


def list_seen(request: ChatRequest) -> list[str]:
    """What others than the agent wrote into a request: the profile, the user, the tools."""
    prompt = PACK.onboarding.prompt if PACK.onboarding else ""
    others = [m["parts"] for m in request.messages if m["role"] != "assistant"]
    return [request.system.removeprefix(prompt), *(str(parts) for parts in others)]


async def test_the_profile_tool_cannot_unset_the_onboarded_mark(settings: Settings, store: Store):
    async with store.transaction("t1") as db:
        await careers.save_onboarded(db, ("t1", "u1"))
    undo = "---\nonboarded: false\n---\n## Salary\n\n2"
    service, _ = make_scripted(settings, store, PACK, write(undo), text("Changed."))

    await Interviewing(service).say("Change my salary.")

    assert await load_profile(store) == {"content": "## Salary\n\n2", "is_onboarded": True}


async def test_an_interview_turn_stops_after_six_model_calls(settings: Settings, store: Store):
    calls = [write(f"## Salary\n\n{n}", f"c{n}") for n in range(8)]
    service, provider = make_scripted(settings, store, PACK, *calls, text("On we go."))
    held = Interviewing(service)

    turn = await held.say("Loop.")

    assert len(provider.requests) == 6
    assert (turn.error, turn.ending) == ("LIMIT_REACHED", ["error"])
    missing = "Target roles, Locations, Work style, Strengths, Availability, Cover letters"
    told = (
        f"I have to stop here for now. Still missing: {missing}. Send another message to continue."
    )
    assert turn.shown == told
    assert get_text((await load_messages(store, held))[-1]) == told
    provider.script[:] = [text("On we go.")]
    assert (await held.say("Go on.")).done == "On we go."


async def test_each_user_of_each_tenant_has_a_separate_interview(settings: Settings, store: Store):
    service, _ = make_scripted(settings, store, PACK, *(text(f"Hello {n}") for n in range(4)))
    owners = [("t1", "u1"), ("t1", "u2"), ("t2", "u1")]
    for tenant_id, user_id in owners:
        await Interviewing(service, tenant_id, user_id).say(f"I am {user_id} of {tenant_id}")
    threads = [await service.ensure_interview(*owner) for owner in owners]

    assert len({thread.thread_id for thread in threads}) == 3
    assert [thread.messages for thread in threads] == [2, 2, 2]
    assert (await service.ensure_interview("t1", "u1")).thread_id == threads[0].thread_id


@pytest.mark.parametrize("design", ["default", "react"])
async def test_each_design_can_run_the_onboarding_interview(
    design: str, settings: Settings, store: Store
):
    async with open_offline(settings, AGENT_DESIGN=design) as service:
        model = service.make_design_model("worker", "t1", "u1", pack="careers")
        agent = service.design.onboarding(model=model)
        message = {"role": "user", "parts": [{"type": "text", "text": "Hi"}]}
        events = [event async for event in agent.run([message])]
        (thread,) = await store.list_threads("t1", "u1", limit=9)

    assert events[-1]["event"] == "done"
    assert "your target roles" in events[-1]["data"]["content"]
    assert (thread.kind, thread.pack) == ("onboarding", "careers")


async def test_the_interviews_end_names_what_was_skipped(settings: Settings, store: Store):
    async with open_offline(settings) as service:
        held = Interviewing(service)
        said = ("skip this one", *ANSWERS[1:-1], "skip this one")
        turns = [await held.say(answer) for answer in (None, *said)]

    assert turns[-1].ending == ["onboarding_complete", "done"]
    assert turns[-1].done == ENDED.format(topics="Target roles, Availability, Cover letters")


async def test_a_second_interview_after_completion_ends_at_once(settings: Settings, store: Store):
    async with open_offline(settings) as service:
        held = Interviewing(service)
        for said in (None, *ANSWERS):
            await held.say(said)
        again = await held.say(None)

    assert again.ending == ["onboarding_complete", "done"]
    assert again.done == ENDED.format(topics="Availability")


async def test_a_recorded_interview_replays_without_divergence(settings: Settings, store: Store):
    async with open_offline(settings) as service:
        for said in (None, *ANSWERS):
            await Interviewing(service).say(said)
        replayed = await replay_interview(service)

    assert [turn.outcome for turn in replayed.turns] == ["same"] * 8


async def test_a_replay_reports_a_changed_interview_prompt_as_divergence(
    settings: Settings, store: Store
):
    async with open_offline(settings) as service:
        for said in (None, *ANSWERS[:2]):
            await Interviewing(service).say(said)
        replayed = await replay_interview(service, {"interview": "You ask what there is to ask."})

    assert replayed.divergence is not None
    assert (replayed.diverged_turn, replayed.divergence.kind) == (0, "request")
    assert '+  "system": "You ask what there is to ask.' in "\n".join(
        replayed.divergence.render_diff()
    )
