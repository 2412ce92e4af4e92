"""Which model is good enough where: a table learnt from outcomes, whose promise holds.

The order in which keys go to a cheaper model is taken from one half of the outcomes, the test that
the whole table loses no more than promised from the other half. A table chosen by its own measured
mean breaks its promise nearly always: of many tables the luckiest looks best.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from msgspec.structs import replace

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError
from plainloop_lab.selection.table import Key, Route, Table, to_key, to_number

from .proofs import bound_mean, prove_positive

ALPHA: Final = 0.05
_PRIOR_ROWS: Final = 10  # a key of few rows is believed to be like all others together
_BUCKETS: Final = 3  # of a feature that is a number


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Says what each model came to, row by row: 1 right, 0 wrong, or between. features: by row.

    models: the reference first, whose answers are given today; with what a call costs. tasks: by
    row; rows of one task hang together and are one observation. (): each row is its own.
    """

    models: Mapping[str, float]
    features: Sequence[tuple[str, ...]]
    quality: Mapping[str, Sequence[float]]
    tasks: Sequence[str] = ()

    @property
    def reference(self) -> str:
        """Return the name of the reference model, which is the first."""
        return next(iter(self.models))

    def __len__(self) -> int:
        return len(self.features)

    def take(self, places: Sequence[int]) -> Outcomes:
        """Return the outcomes of the rows at these positions."""
        return Outcomes(
            self.models,
            [self.features[n] for n in places],
            {name: [values[n] for n in places] for name, values in self.quality.items()},
            [self.tasks[n] for n in places] if self.tasks else (),
        )

    def split(self, seed: int) -> tuple[Outcomes, Outcomes]:
        """Split the rows at random into two halves.

        All rows of a task are in one of them.
        """
        owners: Sequence[object] = self.tasks or range(len(self))
        names = list(dict.fromkeys(owners))
        random.Random(seed).shuffle(names)
        firsts = set(names[: len(names) // 2])
        if not firsts:
            what = "tasks" if self.tasks else "requests"
            raise InputError(
                f"a routing table can be learned only from outcomes of at least 2 {what}",
                hint=f"Add outcomes of more {what}.",
            )
        halves: tuple[list[int], list[int]] = ([], [])
        for place, owner in enumerate(owners):
            halves[owner not in firsts].append(place)
        return self.take(halves[0]), self.take(halves[1])


def learn(outcomes: Outcomes, by: Sequence[str], max_loss: float, seed: int = 0) -> Table:
    """Learn the routing table that saves most and still keeps the promised loss.

    Raises: InputError.
    """
    first, second = outcomes.split(seed)
    cuts = find_cuts(first)
    steps = order_switches(first, [to_key(row, cuts) for row in first.features])
    keys = [to_key(row, cuts) for row in second.features]
    chosen: dict[Key, str] = {}
    tried: dict[Key, str] = {}
    for key, model in steps:
        if not _is_cheaper(outcomes, model, tried.get(key)):
            continue
        tried[key] = model
        if not _keeps_promise(second, keys, tried, max_loss):
            break  # tables are tested in their order, up to the first that fails: no correction
        chosen = dict(tried)
    return _make_table(outcomes, second, by, cuts, chosen, max_loss)


def _is_cheaper(outcomes: Outcomes, model: str, known: str | None) -> bool:
    """Whether a switch saves more than the key's earlier one, which loses less for the money.

    Without this the last of several cheap models would get the key, not the cheapest one
    (test_routing_sends_a_key_to_the_cheapest_sufficient_model).
    """
    return known is None or outcomes.models[model] < outcomes.models[known]


def order_switches(outcomes: Outcomes, keys: Sequence[Key]) -> list[tuple[Key, str]]:
    """List the possible switches of a key's requests to a cheaper model.

    The switch that loses least for the money that it saves comes first. An item is (key, model).
    """
    reference = outcomes.reference
    rows: dict[Key, list[int]] = {}
    for place, key in enumerate(keys):
        rows.setdefault(key, []).append(place)
    found: list[tuple[float, float, Key, str]] = []
    for model, cost in outcomes.models.items():
        saved = outcomes.models[reference] - cost
        if saved <= 0:
            continue
        losses = _list_losses(outcomes, [model] * len(keys))
        usual = math.fsum(losses) / len(losses)
        for key, places in rows.items():
            lost = math.fsum(losses[place] for place in places)
            likely = (lost + _PRIOR_ROWS * usual) / (len(places) + _PRIOR_ROWS)
            found.append((likely / saved, -saved, key, model))
    return [(key, model) for _, _, key, model in sorted(found)]


def check(table: Table, outcomes: Outcomes, today: str) -> tuple[Table, dict[str, Any]]:
    """Test a routing table on new outcomes, and drop its bad routes.

    Returns (the table without bad routes, findings). verdict: of the table as it is. When it is
    proven to lose more than promised, its worst rows go until the rest keeps the promise here; when
    it has expired, all do.
    """
    keys = [to_key(row, table.cuts) for row in outcomes.features]
    models = [table.choose(key) for key in keys]
    losses = _list_losses(outcomes, models)
    limit = table.max_loss
    each = _list_means(outcomes, losses)
    met = Counter(keys)
    is_met = any(met[route.key] for route in table.routes)
    verdict = "undecided"
    # Where no outcome met a row the reference answered, and nothing can be lost.
    if is_met and prove_positive([limit - loss for loss in each], limit - 1) <= ALPHA:
        verdict = "passed"
    elif prove_positive([loss - limit for loss in each], -1 - limit) <= ALPHA:
        verdict = "failed"
    lost: dict[Key, float] = {}  # of the table's loss, by key
    rows = Counter(outcomes.tasks)
    for n, (key, loss) in enumerate(zip(keys, losses, strict=True)):
        weight = 1 / rows[outcomes.tasks[n]] / len(rows) if rows else 1 / len(outcomes)
        lost[key] = lost.get(key, 0.0) + loss * weight
    routes = sorted(table.routes, key=lambda route: (lost.get(route.key, 0.0), route.key))
    is_over = bool(table.expires) and table.expires < today
    kept = [] if is_over else routes
    while verdict == "failed" and math.fsum(lost.get(r.key, 0.0) for r in kept) > limit:
        kept = kept[:-1]
    left = replace(table, routes=tuple(sorted(kept, key=lambda route: route.key)))
    return left, {
        "verdict": "failed" if is_over else verdict,
        "expired": is_over,
        "rows": len(outcomes),
        "met": [{"route": route, "rows": met[route.key]} for route in table.routes],
        "loss": math.fsum(each) / len(each),
        "retired": [
            {"route": route, "loss": lost.get(route.key, 0.0)} for route in routes[len(kept) :]
        ],
    }


def measure_table(outcomes: Outcomes, table: Table) -> tuple[float, float]:
    """Return a routing table's (mean loss, share of the cost that it saves) on these rows.

    The share is 0 if the reference model is free.
    """
    chosen = [table.choose(to_key(row, table.cuts)) for row in outcomes.features]
    costs = math.fsum(outcomes.models[model] for model in chosen)
    losses = _list_losses(outcomes, chosen)
    full = outcomes.models[outcomes.reference] * len(outcomes)
    return math.fsum(losses) / len(losses), 1 - costs / full if full else 0.0


def find_oracle(outcomes: Outcomes, max_loss: float) -> float:
    """Compute what share of the cost an ideal routing table would save.

    It would know the true loss of every key. It takes keys in the order of their true loss for the
    money, and leaves out those that would break the promise.
    """
    full = outcomes.models[outcomes.reference] * len(outcomes)
    best = 0.0
    for _, models in _switch_by_mean(outcomes, find_cuts(outcomes), max_loss, skips=True):
        best = max(best, 1 - math.fsum(outcomes.models[name] for name in models) / full)
    return best


def simulate(
    outcomes: Outcomes, by: Sequence[str], max_loss: float, rows: int, draws: int, seed: int = 0
) -> dict[str, float]:
    """Simulate learning from random samples of rows, and average over the learned tables.

    Each table is measured on all rows. naive: how often a table chosen by its own mean would have
    broken the promise.
    """
    draw = random.Random(f"{seed} {max_loss} {rows}")
    kept = naive = saved = 0.0
    for n in range(draws):
        seen = outcomes.take(draw.choices(range(len(outcomes)), k=rows))
        loss, saving = measure_table(outcomes, learn(seen, by, max_loss, n))
        kept += loss <= max_loss
        saved += saving if loss <= max_loss else 0.0
        naive += measure_table(outcomes, _learn_by_mean(seen, by, max_loss))[0] > max_loss
    oracle = find_oracle(outcomes, max_loss)
    return {
        "max_loss": max_loss,
        "rows": rows,
        "kept": kept / draws,
        "saving": saved / draws,
        "oracle": oracle,
        "regret": oracle - saved / draws,
        "naive_broken": naive / draws,
    }


def find_cuts(outcomes: Outcomes) -> dict[str, tuple[float, ...]]:
    """Return the bucket bounds of numeric features with many values, by feature position."""
    found: dict[str, tuple[float, ...]] = {}
    for place, column in enumerate(zip(*outcomes.features, strict=True)):
        values = [to_number(text) for text in column]
        numbers = sorted(value for value in values if value is not None)
        if len(numbers) == len(values) and len(set(numbers)) > 4 * _BUCKETS:
            ends = (numbers[len(numbers) * n // _BUCKETS] for n in range(1, _BUCKETS))
            found[str(place)] = tuple(ends)
    return found


def _keeps_promise(
    outcomes: Outcomes, keys: Sequence[Key], chosen: Mapping[Key, str], max_loss: float
) -> bool:
    models = [chosen.get(key, outcomes.reference) for key in keys]
    losses = _list_means(outcomes, _list_losses(outcomes, models))
    return prove_positive([max_loss - loss for loss in losses], max_loss - 1) <= ALPHA


def _list_losses(outcomes: Outcomes, models: Sequence[str]) -> list[float]:
    was = outcomes.quality[outcomes.reference]
    return [was[n] - outcomes.quality[model][n] for n, model in enumerate(models)]


def _list_means(outcomes: Outcomes, losses: Sequence[float]) -> Sequence[float]:
    """List the mean loss of each task, because the promise is about the mean over tasks."""
    if not outcomes.tasks:
        return losses
    found: dict[str, list[float]] = {}
    for task, loss in zip(outcomes.tasks, losses, strict=True):
        found.setdefault(task, []).append(loss)
    return [math.fsum(values) / len(values) for values in found.values()]


def _make_table(
    outcomes: Outcomes,
    second: Outcomes,
    by: Sequence[str],
    cuts: dict[str, tuple[float, ...]],
    chosen: Mapping[Key, str],
    max_loss: float,
) -> Table:
    keys = [to_key(row, cuts) for row in outcomes.features]
    routes: list[Route] = []
    for key, model in sorted(chosen.items()):
        part = outcomes.take([place for place, each in enumerate(keys) if each == key])
        lost = math.fsum(_list_losses(part, [model] * len(part))) / max(1, len(part))
        routes.append(Route(key, model, len(part), lost, outcomes.models[model]))
    tested = [chosen.get(to_key(row, cuts), outcomes.reference) for row in second.features]
    losses = _list_means(second, _list_losses(second, tested))
    sums = [(Fraction(-loss), 1) for loss in losses]
    table = Table(
        reference=outcomes.reference,
        by=tuple(by),
        cuts=cuts,
        max_loss=max_loss,
        rows=len(outcomes),
        loss=math.fsum(losses) / len(losses),
        bound=-bound_mean(sums, -1.0, ALPHA),
        saving=0.0,
        routes=tuple(routes),
    )
    return replace(table, saving=measure_table(outcomes, table)[1])


def _learn_by_mean(outcomes: Outcomes, by: Sequence[str], max_loss: float) -> Table:
    """Learn a table the naive way, for comparison: the same rows choose it and judge it."""
    cuts = find_cuts(outcomes)
    steps = [chosen for chosen, _ in _switch_by_mean(outcomes, cuts, max_loss, skips=False)]
    routes = tuple(Route(key, model) for key, model in steps[-1].items()) if steps else ()
    return Table(outcomes.reference, tuple(by), routes, cuts, max_loss)


def _switch_by_mean(
    outcomes: Outcomes, cuts: Mapping[str, Sequence[float]], max_loss: float, *, skips: bool
) -> Iterator[tuple[Mapping[Key, str], Sequence[str]]]:
    """Yield (the switches so far, each row's model) while the mean loss keeps the promise.

    skips: a switch that would break it is left out; else it is the end.
    """
    keys = [to_key(row, cuts) for row in outcomes.features]
    chosen: dict[Key, str] = {}
    for key, model in order_switches(outcomes, keys):
        if not _is_cheaper(outcomes, model, chosen.get(key)):
            continue
        tried = {**chosen, key: model}
        models = [tried.get(each, outcomes.reference) for each in keys]
        if math.fsum(_list_losses(outcomes, models)) / len(keys) <= max_loss:
            chosen = tried
            yield chosen, models
        elif not skips:
            return
