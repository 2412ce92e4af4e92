"""Outcomes of several models, row by row, in a CSV file."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from plainloop.agent.errors import InputError

from .routing import Outcomes

_GZIP: Final = b"\x1f\x8b"


def read_csv(path: Path, by: Sequence[str], models: Mapping[str, float]) -> Outcomes:
    """Read from a CSV file how well each model answered each request.

    The file has a row per request, and a column per feature and model. models: columns, with what a
    call costs; the reference first. Raises: InputError.
    """
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if content.startswith(_GZIP) else content).decode()
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InputError(
            f"cannot read {path}: {error}", hint="Check the path; it is a CSV file."
        ) from error
    reader = csv.DictReader(io.StringIO(text))
    missing = [name for name in (*by, *models) if name not in (reader.fieldnames or ())]
    if missing:
        has = ", ".join(reader.fieldnames or ())
        raise InputError(
            f"{path} has no column {', '.join(missing)}", hint=f"Its columns are {has}."
        )
    features: list[tuple[str, ...]] = []
    quality: dict[str, list[float]] = {name: [] for name in models}
    for row in reader:
        features.append(tuple(row[name] for name in by))
        for name in models:
            quality[name].append(_read_quality(row[name], reader.line_num, path))
    if not features:
        raise InputError(f"{path} has no rows", hint="Write a row for each request.")
    return Outcomes(models, features, quality)


def _read_quality(text: str, line: int, path: Path) -> float:
    where = f"{path}, line {line}"
    try:
        value = float(text)
    except ValueError as error:
        raise InputError(f"{where}: {text!r} is not a number", hint="Correct this cell.") from error
    if not 0 <= value <= 1:
        raise InputError(
            f"{where}: {value:g} is not between 0 and 1",
            hint="Write outcomes as shares, such as 1 or 0.5.",
        )
    return value
