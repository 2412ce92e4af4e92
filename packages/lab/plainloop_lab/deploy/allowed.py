"""`allowed.toml`: divergences that are meant, each with its reason and its last day."""

from __future__ import annotations

import tomllib
from datetime import UTC, date, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

import msgspec

from plainloop.agent.errors import ConfigError

FILE: Final = Path("allowed.toml")


class Allowance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Allows what `pattern` fits: `pack/design kind node`, with * for any part."""

    pattern: str
    reason: str
    until: date  # the last day on which it holds

    def fits(self, head: str) -> bool:
        """Whether the allowance covers this divergence and has not expired.

        head: the divergence, matched with the allowance's pattern.
        """
        return self.until >= datetime.now(UTC).date() and fnmatchcase(head, self.pattern)


class _File(msgspec.Struct, forbid_unknown_fields=True):
    allow: tuple[Allowance, ...] = ()


def load_allowed(path: Path | None) -> tuple[Allowance, ...]:
    """Load the divergences that a deploy check allows, from a file.

    path None: `allowed.toml` in the current folder, if it exists. Raises: ConfigError.
    """
    if path is None and not FILE.is_file():
        return ()
    try:
        document = tomllib.loads((path or FILE).read_text(encoding="utf-8"))
        return msgspec.convert(document, _File).allow
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"{path or FILE} cannot be read: {error}",
            hint="Each [[allow]] needs `pattern`, `reason` and `until` = YYYY-MM-DD.",
        ) from error
