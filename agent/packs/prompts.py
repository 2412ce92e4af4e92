"""Copies packs with other prompts or workers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from ..core.spec import Pack, WorkerSpec

INTERVIEW: Final = "interview"  # whichever worker holds the pack's


def change_workers(pack: Pack, change: Callable[[WorkerSpec], WorkerSpec]) -> Pack:
    """Copy the pack with every worker changed, its interviewer included."""
    held = pack.onboarding
    return replace(
        pack,
        workers=tuple(map(change, pack.workers)),
        onboarding=None if held is None else change(held),
    )


def change_prompts(pack: Pack, prompts: Mapping[str, str]) -> Pack:
    """Copy the pack with these prompts instead of its own and the engine's.
    A name `PACK.NAME` changes that pack alone, and comes before `NAME`.
    """
    prefix = f"{pack.name}."
    own = {name.removeprefix(prefix): prompts[name] for name in prompts if name.startswith(prefix)}
    prompts = {**prompts, **own}

    def change(spec: WorkerSpec) -> WorkerSpec:
        names = (spec.name, INTERVIEW) if spec.interview else (spec.name,)
        replacements = (prompts[name] for name in names if name in prompts)
        return replace(spec, prompt=next(replacements, spec.prompt))

    return replace(change_workers(pack, change), prompts={**pack.prompts, **prompts})


def list_workers(pack: Pack) -> tuple[WorkerSpec, ...]:
    """List the pack's workers, its interviewer included, each once."""
    held = pack.onboarding
    is_apart = held is not None and pack.get_worker(held.name) is None
    return (*pack.workers, held) if held is not None and is_apart else pack.workers
