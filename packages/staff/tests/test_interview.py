"""The staff interview from the greeting to the export, and what ends it."""

from __future__ import annotations

import json

from plainloop.agent.config.settings import Settings
from plainloop.agent.store.store import Store
from plainloop_retrieval.indexing import add_document
from plainloop_staff import make_pack
from plainloop_staff.settings import get_export_dir
from plainloop_staff.tools import DOCUMENTS
from tests.machine.scripted import text, tools
from tests.packs.interviewing import Interviewing, make_scripted, open_offline

PACK = make_pack()
HANDBOOK = b"# Canteen\n\nLunch is served from noon to two.\n\n# Desks\n\nDesks are shared.\n"


async def test_the_whole_interview_works_without_a_language_model(settings: Settings, store: Store):
    answers = (
        None,
        "My name is Ada Lovelace",
        "E-42",
        "a unicorn",
        "the keyboard, please",
        "When is lunch served?",
        "no nuts",
        "yes, it is",
        "hm",
        "yes",
    )
    async with open_offline(settings, AGENT_ONBOARDING="staff_onboarding") as service:
        async with service.open_context(service.onboarding_pack, "t1", "u1") as ctx:
            await add_document(ctx, DOCUMENTS, "handbook.md", HANDBOOK)
        held = Interviewing(service)
        turns = [await held.say(said) for said in answers]
        thread = await service.ensure_interview("t1", "u1")

    assert turns[0].done.endswith("Please tell me: employee name.")
    assert "Possible: mouse, keyboard, backpack." in turns[3].done
    assert turns[5].tools == ["rag_search"]
    assert "handbook.md" in turns[5].done
    assert "Lunch is served from noon to two." in turns[5].done
    assert turns[7].done.endswith("Shall I export it?")
    assert turns[8].done.endswith("Shall I export it?")  # no yes
    assert turns[9].tools == ["read_data", "export_data"]
    assert [turn.ending for turn in turns] == [["done"]] * 9 + [["onboarding_complete", "done"]]
    document = json.loads((get_export_dir(settings) / f"{thread.thread_id}.json").read_bytes())
    assert document["starter_kit"] == "keyboard"
    assert document["dietary_restrictions"] == "no nuts"
    assert document["meeting_scheduled"] is True
    assert document["conversation_summary"].startswith("- Employee name: Ada Lovelace")


async def test_a_non_answer_is_not_stored_in_the_interview(settings: Settings, store: Store):
    async with open_offline(settings, AGENT_ONBOARDING="staff_onboarding") as service:
        held = Interviewing(service)
        turns = [await held.say(said) for said in (None, "I don't know yet", "“No Idea”")]

    assert turns[1].tools == ["read_data"]
    assert turns[1].done.endswith("Please tell me: employee name.")
    assert turns[2].tools == ["read_data", "write_data"]
    assert turns[2].done.endswith("Please tell me: employee id.")


async def test_interview_fields_survive_a_restart(settings: Settings, store: Store):
    async with open_offline(settings, AGENT_ONBOARDING="staff_onboarding") as service:
        for said in (None, "Ada Lovelace"):
            await Interviewing(service).say(said)
    async with open_offline(settings, AGENT_ONBOARDING="staff_onboarding") as service:
        turn = await Interviewing(service).say(None)

    assert turn.tools == ["read_data"]
    assert turn.done.endswith("Please tell me: employee id.")


async def test_only_a_successful_export_ends_the_interview(settings: Settings, store: Store):
    service, _ = make_scripted(
        settings,
        store,
        PACK,
        tools(("c1", "export_data", {})),
        text("All done! [ONBOARDING_COMPLETE]"),
    )

    turn = await Interviewing(service).say("Finish it, please.")

    assert turn.ending == ["done"]
    assert turn.done == "All done! [ONBOARDING_COMPLETE]"  # another pack's marker: mere text


async def test_an_interview_at_its_turn_limit_names_the_missing_fields(
    settings: Settings, store: Store
):
    calls = [
        tools((f"c{n}", "write_data", {"field_name": "employee_id", "value": n})) for n in range(8)
    ]
    service, _ = make_scripted(settings, store, PACK, *calls)

    turn = await Interviewing(service).say("Loop.")

    assert turn.error == "LIMIT_REACHED"
    missing = "employee name, starter kit, dietary restrictions, meeting scheduled"
    assert f"Still missing: {missing}." in turn.shown


async def test_the_staff_pack_can_serve_chat_without_another_pack(settings: Settings, store: Store):
    async with open_offline(settings, AGENT_PACKS="staff_onboarding") as service:
        assert service.pack.name == "staff_onboarding"
        assert service.onboarding_pack is service.pack
        thread = await service.ensure_thread("t1", "u1", None, "Hi")
        outcome = await service.answer("t1", "u1", thread.thread_id, "Hi")
    assert outcome.answer.endswith("Please tell me: employee name.")
