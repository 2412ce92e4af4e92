"""Workers and their reviewers that have models of their own: who is asked, and for how much."""

from __future__ import annotations

from typing import Any

from plainloop.agent.base.tokens.factors import TokenFactors
from plainloop.agent.providers.model_handle import ModelHandle
from tests.core.store_samples import make_text
from tests.machine.running import TENANT
from tests.machine.scripted import ScriptedModels, ScriptedProvider, Step, text, triage, verdict


class NamedModels(ScriptedModels):
    """One model for each of these, by `role` or `role_worker`; any other name is a bug."""

    def __init__(self, **scripts: list[Step]) -> None:
        self.providers = {name: ScriptedProvider(*script) for name, script in scripts.items()}
        super().__init__(*self.providers.values())
        self.handles = {
            name: ModelHandle("scripted", name, provider, TokenFactors())
            for name, provider in self.providers.items()
        }

    def resolve_chain(self, role: str, worker: str | None = None) -> tuple[ModelHandle, ...]:
        return (self.handles[f"{role}_{worker}" if worker else role],)

    def resolve(self, role: str, worker: str | None = None) -> ModelHandle:
        return self.resolve_chain(role, worker)[0]

    def count(self) -> dict[str, int]:
        return {name: len(provider.requests) for name, provider in self.providers.items()}


async def test_worker_and_reviewer_use_their_own_models(machine: Any):
    models = NamedModels(
        worker=[],
        classifier=[triage("poet")],
        worker_poet=[text("Roses.")],
        evaluator_poet=[verdict("pass")],
        worker_note_writer=[],
    )
    run = await machine(models=models)
    told = await run.ask("a poem")
    rows = [(call.role, call.worker, call.model) for call in await run.list_calls(told)]

    assert told.answer == "Roses."
    assert models.count() == {
        "worker": 0,
        "classifier": 1,
        "worker_poet": 1,
        "evaluator_poet": 1,
        "worker_note_writer": 0,
    }
    assert rows == [
        ("classifier", None, "classifier"),
        ("worker", "poet", "worker_poet"),
        ("evaluator", "poet", "evaluator_poet"),
    ]


async def test_a_workers_window_is_measured_with_its_models_token_factor(machine: Any):
    sent: list[int] = []
    for factor in (1.0, 2.0):
        scripts: dict[str, list[Step]] = {
            "worker": [],
            "classifier": [triage("note_writer")],
            "worker_note_writer": [text("Ok.")],
        }
        models = NamedModels(**scripts)
        handle = models.handles["worker_note_writer"]
        handle.factors.learn(handle.label, 1_000, round(1_000 * factor))
        run = await machine(models=models, window_tokens=400)
        for _ in range(12):
            for role in ("user", "assistant"):
                message = make_text(role, "some words of a message " * 4)
                await run.store.save_message(TENANT, run.thread_id, None, message)
        assert (await run.ask("please write it")).answer == "Ok."
        sent.append(len(models.providers["worker_note_writer"].requests[0].messages))
    assert 1 < sent[1] < sent[0] < 25
