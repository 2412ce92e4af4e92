"""Roles that advice judges beside the workers, and why it cannot judge the others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from plainloop.agent.core.models import ROLES
from plainloop.agent.core.seams import ModelSource
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.service.variants import PROMPTED

from ..live.routing import NODES
from ..store.workers import WorkerUsage

WORKER: Final = "worker"
TRIAGE: Final = "triage"
# Why a role's answers cannot be judged by a replay. Other names: `OTHER`.
UNJUDGED: Final = {
    WORKER: "each worker is judged by itself",
    "evaluator": "a less strict reviewer passes more answers, which looks like an improvement",
    "parser": "no measure compares the data that it reads from files",
    "embedding": "stored vectors are of today's model, so all documents would need new ones",
}
OTHER: Final = "its answers are not part of a conversation, so a replay does not repeat them"


def find_role(name: str) -> str:
    """Return the model role that a name in advice or `--for` means.

    It is "worker" for the name of a worker.

    >>> find_role("triage"), find_role("verdict"), find_role("crm_worker")
    ('classifier', 'evaluator', 'worker')
    """
    role = PROMPTED.get(name, name)
    return role if role in ROLES else WORKER


def name_subject(name: str) -> str:
    """Convert a name in `--for` to the name that advice prints.

    That is a worker's name, or the usual name of a role.

    >>> name_subject("classifier"), name_subject("route"), name_subject("crm_worker")
    ('triage', 'router', 'crm_worker')
    """
    role = find_role(name)
    return name if role == WORKER != name else TRIAGE if role == "classifier" else role


def name_usage(usage: WorkerUsage) -> str:
    """Return the name by which advice lists a row of usage.

    It is the name of a worker, a role or a package.
    """
    is_own = usage.role in (WORKER, "classifier") and usage.worker is not None
    return usage.worker or "" if is_own else name_subject(usage.role)


def is_judged(usage: WorkerUsage) -> bool:
    """Whether a replay can judge another model for these calls.

    It can for calls of workers, triage and the router.
    """
    return usage.role == WORKER or (usage.role in NODES and usage.worker is None)


def group_judged(
    usages: Iterable[WorkerUsage], workers: Collection[str], named: Sequence[str]
) -> tuple[dict[str, list[WorkerUsage]], list[str]]:
    """Group the usage that advice can judge by worker or routing role.

    Returns (usage by the advice's names, the names to advise on). workers: that are served. named:
    as `--for` names them; (): all served workers and all roles.
    """
    found: dict[str, list[WorkerUsage]] = {}
    for usage in filter(is_judged, usages):
        found.setdefault(name_usage(usage), []).append(usage)
    served = sorted(name for name in found if name in workers or find_role(name) != WORKER)
    return found, [*map(name_subject, named)] or served


def resolve_model(models: ModelSource, name: str) -> ModelHandle:
    """Return today's model of a worker or role in advice."""
    role = find_role(name)
    return models.resolve(role, name if role == WORKER else None)
