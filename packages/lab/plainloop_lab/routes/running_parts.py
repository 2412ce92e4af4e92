"""What calls models in a service today: workers and the calls around them, with their prompts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib import resources
from typing import Final

import msgspec

from plainloop.agent.core.spec import Pack
from plainloop.agent.packs.prompts import list_workers
from plainloop.agent.providers.pricing import OFFLINE
from plainloop.agent.service import titles
from plainloop.agent.service.service import Service
from plainloop.agent.service.settings import TitleSettings
from plainloop.server.routes.config import find_rates

from .shapes import RunningPart

DIGEST_BYTES: Final = 4  # a version is compared by people, in one list
# The calls around workers: by role, the name of its prompt in a pack, and where the engine's lies.
AROUND: Final = {
    "classifier": ("triage", "plainloop.agent.routers", "triage.md"),
    "evaluator": ("verdict", "plainloop.agent.evaluators", "verdict.md"),
}


def list_running_parts(service: Service) -> list[RunningPart]:
    """List all workers, then the other callers of models, each with its model, tools and prompt."""
    parts = [
        msgspec.structs.replace(
            _describe(service, pack, spec.name, "worker", spec.prompt),
            description=spec.description,
            tools=list(spec.tools),
        )
        for pack in service.packs
        for spec in list_workers(pack)
    ]
    first = service.packs[0]
    around = [_describe(service, first, *call) for call in _list_around(service, first)]
    return parts + [part for part in around if part.provider != OFFLINE]


def _list_around(service: Service, pack: Pack) -> Iterator[tuple[str, str, str | None]]:
    """Yield name, role and prompt of each call that is no worker's."""
    for role, (name, module, file) in AROUND.items():
        if role != "evaluator" or any(spec.evaluate != "never" for spec in list_workers(pack)):
            stored = resources.files(module).joinpath(file)
            yield role, role, pack.prompts.get(name) or stored.read_text("utf-8").strip()
    if pack.parse is not None:
        yield "parser", "parser", pack.prompts.get("parser")
    if service.settings.get_table(TitleSettings).titles:
        yield titles.NAME, "classifier", titles.PROMPT


def _describe(service: Service, pack: Pack, name: str, role: str, text: str | None) -> RunningPart:
    models = service.models
    handle = models.resolve(role, name if role == "worker" else None)
    rates = find_rates(models.prices, handle.provider, handle.model, ("input_usd", "output_usd"))
    version = None if text is None else version_prompt(text)
    return RunningPart(
        *(name, role, pack.name, handle.provider, handle.model, handle.effort),
        text=text,
        version=version,
        input_usd=rates["input_usd"],
        output_usd=rates["output_usd"],
    )


def version_prompt(text: str) -> str:
    """Return the short name of a prompt's text, which another text does not have.

    >>> version_prompt("Be brief.")
    '1947d731'
    """
    return hashlib.blake2b(text.encode(), digest_size=DIGEST_BYTES).hexdigest()
