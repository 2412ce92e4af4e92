"""A table of routes: which model answers requests of which kind. `plainloop route learn` makes it,
the engine reads it; both name a request's kind by the same keys.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from plainloop.agent.errors import InputError

Key = tuple[str, ...]


class Route(msgspec.Struct, frozen=True):
    """Says who answers for one key. loss: against the reference, in both halves."""

    key: Key
    model: str
    rows: int = 0
    loss: float = 0.0
    cost: float = 0.0


class Table(msgspec.Struct, frozen=True):
    """Keys that are not in it stay with the reference. One written by hand promises nothing.

    cuts: by place in `by`, where a number is cut into buckets. bound: the table's loss is below it
    with 95 % confidence. saving: the share of the reference's cost. expires: a date; "": never.
    """

    reference: str
    by: tuple[str, ...]
    routes: tuple[Route, ...]
    cuts: dict[str, tuple[float, ...]] = {}
    max_loss: float = 1.0
    rows: int = 0
    loss: float = 0.0
    bound: float = 1.0
    saving: float = 0.0
    expires: str = ""

    def choose(self, key: Key) -> str:
        """Return the model that a routing table chooses for a key of feature values.

        It is the reference model if the key is not listed.
        """
        return next((route.model for route in self.routes if route.key == key), self.reference)


def load_table(path: Path) -> Table:
    """Load a routing table from JSON or TOML.

    Raises: InputError.
    """
    try:
        content = path.read_bytes()
        if path.suffix == ".toml":
            table = msgspec.convert(tomllib.loads(content.decode()), Table)
        else:
            table = msgspec.json.decode(content, type=Table)
    except (OSError, ValueError) as error:  # both formats' own errors are ValueErrors
        raise InputError(
            f"{path} is not a routing table: {error}", hint="`plainloop route` writes such a table."
        ) from error
    wrong = next((route for route in table.routes if len(route.key) != len(table.by)), None)
    if wrong is not None:
        raise InputError(
            f"{path}: the key {' · '.join(wrong.key)} has {len(wrong.key)} parts, but the table "
            f"sorts by {len(table.by)}: {', '.join(table.by)}",
            hint="Correct this key, or learn the table again.",
        )
    return table


def to_key(row: Sequence[str], cuts: Mapping[str, Sequence[float]]) -> Key:
    """Convert a row of feature values to a key of the routing table.

    Numbers become ranges such as `> 500`.

    >>> to_key(("law", "740"), {"1": (200.0, 500.0)}), to_key(("law", "90"), {"1": (200.0, 500.0)})
    (('law', '> 500'), ('law', '≤ 200'))
    """
    key: list[str] = []
    for place, text in enumerate(row):
        ends, value = cuts.get(str(place)), to_number(text)
        if ends is None or value is None:
            key.append(text)
        else:
            key.append(next((f"≤ {end:g}" for end in ends if value <= end), f"> {ends[-1]:g}"))
    return tuple(key)


def to_number(text: str) -> float | None:
    """Parse text as a number.

    None if it is not a finite number.
    """
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None  # "nan" has no place among buckets
