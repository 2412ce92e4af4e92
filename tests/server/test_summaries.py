"""Summarise a run in sentences; when its tools began; what helps where it failed."""

from __future__ import annotations

from plainloop.agent.errors import ModelAuthError
from tests.machine.scripted import text, tools, triage, verdict
from tests.server.conftest import Serve, ask, begin


async def test_a_runs_summary_names_worker_tools_and_rejected_drafts(serve: Serve):
    served = await serve(
        triage("writer"),
        tools(("c1", "list_jobs", {})),
        text("It may be none."),
        verdict("retry", "It says nothing for sure.", 0.3),
        text("None is saved."),
        verdict("pass", score=0.9),
    )
    ann, ben = await served.client(), await served.client("ben")
    run_id = (await ask(ann, await begin(ann), "write a letter to the first, please"))["run_id"]

    assert (await ann.get(f"/api/runs/{run_id}/summary")).json() == {
        "run_id": run_id,
        "sentences": [
            "The assistant's part that answered: Writer.",
            "It used list jobs.",
            "A first draft did not pass the check and was not used: It says nothing for sure.",
            "The answer was checked before it was shown.",
        ],
        "action": None,
    }
    assert (await ben.get(f"/api/runs/{run_id}/summary")).status_code == 404


async def test_a_failed_runs_summary_links_to_the_remedy(serve: Serve):
    served = await serve(ModelAuthError("the key was refused"))
    ann = await served.client()
    path = f"/api/chat/conversations/{await begin(ann)}/messages"
    answer = await ann.post(path, json={"content": "hello there, what can you do for me?"})
    action = {"screen": "settings/models", "label": "Replace the key"}
    run_id = answer.headers["x-run-id"]

    assert '"action":{"screen":"settings/models","label":"Replace the key"}' in answer.text
    summary = (await ann.get(f"/api/runs/{run_id}/summary")).json()
    assert (summary["action"], len(summary["sentences"])) == (action, 1)
