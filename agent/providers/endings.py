"""Shutdown dates of models: the vendors' lists, and the operator's own list over them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from datetime import UTC, date, datetime
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from ..base.text.cleaning import format_count
from ..errors import ConfigError
from .answered_models import split_version

_LIST: Final = Path(__file__).with_name("endings.toml")
_TUNED: Final = "ft:"  # before a fine-tuned model's base


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shutdown date of some models of a provider, and the vendor's successor.

    reroutes: from then on the successor answers under the models' names, and is billed.
    """

    provider: str
    models: tuple[str, ...]
    ends: date  # the first day without the model
    successor: str | None = None
    source: str | None = None
    reroutes: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError for a re-route to no model."""
        if self.reroutes and self.successor is None:
            raise ValueError("`reroutes` needs `successor`: name the model that answers from then")

    def has_ended(self, today: date | None = None) -> bool:
        """Return whether the models are already shut down. today: by default the date in UTC."""
        return self.ends <= (today or get_today())

    def describe(self, today: date | None = None) -> str:
        """Describe a shutdown's date as a phrase, such as `ended on 14 January 2027`.

        >>> ending = Ending("openai", ("gpt-4o",), date(2027, 1, 14))
        >>> ending.describe(date(2026, 11, 27)), ending.describe(date(2027, 2, 1))
        ('ends on 14 January 2027 (in 48 days)', 'ended on 14 January 2027')
        """
        when = format_start(self.ends, today)
        if self.reroutes:
            return f"is answered by {self.successor} {when}"
        return f"{'ended' if self.has_ended(today) else 'ends'} on {when.partition(' ')[2]}"

    def describe_rehearsal(self) -> str:
        """Return the shell command that tries the successor model on recorded conversations."""
        name = self.successor or "SUCCESSOR"
        return f"plainloop replay live --provider {self.provider} --model {name}"


class Endings:
    """All shutdown dates that this process knows."""

    def __init__(self, endings: Iterable[Ending]) -> None:
        """Index shutdown entries by model; later entries of a model replace earlier ones."""
        self._endings = {
            (ending.provider, name.lower()): ending for ending in endings for name in ending.models
        }

    def find(self, provider: str, model: str) -> Ending | None:
        """Return a model's shutdown entry, which may hold for all versions of it; else None.

        >>> openai = load_endings()
        >>> ending = openai.find("openai", "ft:gpt-4o-mini-2024-07-18:acme::1")
        >>> ending and ending.successor, openai.find("openai", "gpt-4o-transcribe")
        ('gpt-6-luna', None)
        """
        name = model.lower()
        if name.startswith(_TUNED):
            name = name.split(":")[1]
        # The whole name first: gpt-4o-2024-05-13 ended before gpt-4o does
        # (test_model_versions_and_tunings_share_the_shutdown_date).
        ending = self._endings.get((provider, name.rpartition("/")[2]))
        return ending or self._endings.get((provider, split_version(name)[0]))

    def list_names(self) -> list[tuple[str, str]]:
        """List the (provider, model) of all shutdown entries."""
        return [*self._endings]


def load_endings(own: Path | None = None) -> Endings:
    """Load the list of model shutdowns, including the operator's own file.

    Its entries replace entries of the bundled list or add to them.

    Raises: ConfigError for a file that cannot be read.
    """
    return Endings([*_read_list(), *(parse_endings(own) if own is not None else ())])


@lru_cache(maxsize=1)
def _read_list() -> tuple[Ending, ...]:
    return parse_endings(_LIST)


def parse_endings(path: Path) -> tuple[Ending, ...]:
    """Parse a file in the form of endings.toml. Raises: ConfigError if unreadable or invalid."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        return msgspec.convert(document["endings"], tuple[Ending, ...])
    except (OSError, KeyError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        reason = f"no [[endings]] in {path.name}" if isinstance(error, KeyError) else str(error)
        hint = "See agent/providers/endings.toml for the form."
        raise ConfigError(f"endings_file: {reason}", hint=hint) from error
    except msgspec.ValidationError as error:
        raise ConfigError(
            f"endings_file: {path.name}: {error}",
            hint="Correct the file; agent/providers/endings.toml shows the form.",
        ) from error


def format_start(start: date, today: date | None = None) -> str:
    """Format a date as a phrase, such as `from 14 January 2027 (in 1 day)`.

    >>> format_start(date(2027, 1, 14), date(2027, 1, 13)), format_start(date(2026, 1, 14))
    ('from 14 January 2027 (in 1 day)', 'since 14 January 2026')
    """
    when = f"{start.day} {start:%B %Y}"
    days = (start - (today or get_today())).days
    return f"from {when} (in {format_count(days, 'day')})" if days > 0 else f"since {when}"


def get_today() -> date:
    """Return today's date in UTC."""
    return datetime.now(UTC).date()
