"""Names of the prompts that a candidate may replace."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from string import Formatter
from typing import Final

from plainloop.agent.core.spec import Pack
from plainloop.agent.packs.prompts import INTERVIEW, list_workers

# The engine's own. A template says what stands in for its names, which a text must not break.
ENGINE: Final[Mapping[str, tuple[str, ...]]] = {
    "react": (),
    "triage": ("workers", "entities", "order"),
    "route": ("workers",),
    "verdict": (),
}
PARSER: Final = "parser"


def list_prompt_names(packs: Iterable[Pack]) -> set[str]:
    """Return all names under which a candidate can replace a prompt.

    A prompt of a pack has its own name and `PACK.NAME`.
    """
    names = {*ENGINE}
    for pack in packs:
        own = {*pack.prompts, *(spec.name for spec in list_workers(pack))}
        own |= {INTERVIEW} if pack.onboarding else set()
        own |= {PARSER} if pack.parse else set()
        names |= own | {f"{pack.name}.{name}" for name in own}
    return names


def find_prompt_problem(prompts: Mapping[str, str], known: Collection[str]) -> str | None:
    """Explain why these prompts cannot be used.

    None if they can.
    """
    for name, text in prompts.items():
        if name not in known:
            return f"the prompt {name!r} belongs to no worker and no other model call"
        if parts := ENGINE.get(name.rpartition(".")[2]):
            try:
                wrong = find_wrong_field(text, parts)
            except ValueError as error:
                wrong = str(error)
            if wrong is not None:
                allowed = ", ".join(f"{{{part}}}" for part in parts)
                return (
                    f"the prompt {name!r} cannot be filled in ({wrong}): it may contain {allowed}"
                )
    return None


def find_wrong_field(text: str, parts: Collection[str]) -> str | None:
    """Return the first field of a template that is not one of these names, or None.

    A field with a format or a conversion is wrong too. Raises: ValueError for a brace that nothing
    closes or opens.
    """
    for _, field, spec, conversion in Formatter().parse(text):
        # A width ("{workers:>2000000000}") would take all memory, a conversion is of no use.
        if field is not None and (field not in parts or spec or conversion):
            way = f"!{conversion}" if conversion else ""
            return f"{{{field}{way}{f':{spec}' if spec else ''}}}"
    return None
