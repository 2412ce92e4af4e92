"""A pack with other prompts: what a candidate may name, and where each name's text is read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final

from ..core.spec import Pack, WorkerSpec

# The engine's own. A template says what stands in for its names, which a text must not break.
ENGINE: Final[Mapping[str, tuple[str, ...]]] = {
    "react": (),
    "triage": ("workers", "entities", "order"),
    "route": ("workers",),
    "verdict": (),
}
INTERVIEW: Final = "interview"  # whichever worker holds the pack's
PARSER: Final = "parser"


def change_workers(pack: Pack, change: Callable[[WorkerSpec], WorkerSpec]) -> Pack:
    """Copy the pack with every worker changed, its interviewer included."""
    held = pack.onboarding
    return replace(
        pack,
        workers=tuple(map(change, pack.workers)),
        onboarding=None if held is None else change(held),
    )


def change_prompts(pack: Pack, prompts: Mapping[str, str]) -> Pack:
    """Copy the pack with these prompts instead of its own and the engine's."""

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


def list_prompt_names(packs: Iterable[Pack]) -> set[str]:
    """List all names under which a prompt may be replaced."""
    names = {*ENGINE}
    for pack in packs:
        names |= {*pack.prompts, *(spec.name for spec in list_workers(pack))}
        names |= {INTERVIEW} if pack.onboarding else set()
        names |= {PARSER} if pack.parse else set()
    return names


def find_prompt_problem(prompts: Mapping[str, str], known: Collection[str]) -> str | None:
    """Find why these prompts cannot be used; None if they can."""
    for name, text in prompts.items():
        if name not in known:
            return f"the prompt {name!r} belongs to no worker and no other model call"
        if ENGINE.get(name):
            try:
                text.format(**dict.fromkeys(ENGINE[name], ""))
            except (KeyError, IndexError, ValueError, AttributeError) as error:
                allowed = ", ".join(f"{{{part}}}" for part in ENGINE[name])
                return (
                    f"the prompt {name!r} cannot be filled in ({error}): it may contain {allowed}"
                )
    return None
