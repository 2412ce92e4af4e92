"""Outcomes of several models, row by row: a CSV file, or the sides of replays."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, cast

from ..errors import InputError
from .outcomes import Side
from .routing import Outcomes
from .rules import SLICES, Slice

_GZIP: Final = b"\x1f\x8b"


def read_csv(path: Path, by: Sequence[str], models: Mapping[str, float]) -> Outcomes:
    """One row a request, with a column for each feature and for what each model came to.

    models: columns, with what a call costs; the reference first. Raises: InputError.
    """
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if content.startswith(_GZIP) else content).decode()
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}") from error
    reader = csv.DictReader(io.StringIO(text))
    missing = [name for name in (*by, *models) if name not in (reader.fieldnames or ())]
    if missing:
        has = ", ".join(reader.fieldnames or ())
        raise InputError(f"{path} has no column {', '.join(missing)}", hint=f"It has {has}.")
    features: list[tuple[str, ...]] = []
    quality: dict[str, list[float]] = {name: [] for name in models}
    for row in reader:
        features.append(tuple(row[name] for name in by))
        for name in models:
            quality[name].append(_read_quality(row[name], reader.line_num, path))
    if not features:
        raise InputError(f"{path} has no row")
    return Outcomes(models, features, quality)


def join_sides(
    sides: Mapping[str, Side], by: Sequence[str], measure: str, prices: Mapping[str, float]
) -> Outcomes:
    """The conversations that all sides have. by: of worker, tool, tag, language, length.

    prices: by side; one that is missing is what its conversations cost. Raises: InputError.
    """
    unknown = [name for name in by if name not in SLICES]
    if unknown:
        raise InputError(f"--by {', '.join(unknown)}", hint=f"One of: {', '.join(SLICES)}.")
    known, *others = sides.values()
    shared = [
        name
        for name, outcome in known.items()
        if all(name in side and measure in side[name].values for side in (known, *others))
        and outcome.labels
    ]
    if not shared:
        raise InputError(f"no conversation of all candidates has {measure}")
    quality: dict[str, list[float]] = {}
    costs: dict[str, float] = {}
    for name, side in sides.items():
        sums = [side[each].values[measure] for each in shared]
        quality[name] = [_check_range(float(total / count), measure) for total, count in sums]
        costs[name] = prices.get(name) or _find_cost(name, side, shared)
    features = [
        tuple(" + ".join(sorted(known[each].labels.get(cast(Slice, name), ()))) for name in by)
        for each in shared
    ]
    return Outcomes(costs, features, quality)


def _find_cost(name: str, side: Side, shared: Sequence[str]) -> float:
    costs = [cost for each in shared if (cost := side[each].cost_usd) is not None]
    if not costs:
        raise InputError(f"what a conversation of {name} costs is not known", hint="NAME=PRICE")
    return sum(costs) / len(costs)


def _read_quality(text: str, line: int, path: Path) -> float:
    try:
        return _check_range(float(text), f"{path}, line {line}")
    except ValueError as error:
        raise InputError(f"{path}, line {line}: {text!r} is no number") from error


def _check_range(value: float, where: str) -> float:
    if not 0 <= value <= 1:
        raise InputError(f"{where}: {value:g} is not between 0 and 1")
    return value
