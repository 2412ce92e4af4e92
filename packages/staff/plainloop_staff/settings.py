"""The settings that this pack brings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from plainloop.agent.config.settings import Settings, setting
from plainloop.agent.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """Write finished interviews to a folder."""

    export_dir: Path | None = setting(
        None, "folder for exported files; unset: onboarding_data in the data directory"
    )


TABLES: Mapping[str, type] = {"": ExportSettings}


def get_export_dir(settings: Settings) -> Path:
    """Return the folder for exported interviews.

    It is the setting's folder, or one in the data directory.
    """
    chosen = settings.get_table(ExportSettings).export_dir
    return chosen or settings.data_dir / "onboarding_data"
