"""Settings of files in messages."""

from __future__ import annotations

from collections.abc import Mapping

from ...config.values import Count, setting
from ...dataclasses import dataclass

# Accepted unless the settings say otherwise.
FILE_TYPES = (
    *("image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"),
    *("text/plain", "text/markdown", "text/csv", "application/json"),
)


@dataclass(frozen=True, slots=True)
class FileSettings:
    """`[server]`: files in messages."""

    file_types: tuple[str, ...] = setting(
        FILE_TYPES,
        "media types of files allowed in messages, comma-separated; detected by content; none: -",
    )


@dataclass(frozen=True, slots=True)
class FileLimits:
    """`[limits]` of files in messages."""

    file_bytes: Count = setting(3_500_000, "max. bytes of one file in a message")
    files_per_message: Count = setting(8, "max. files in one message")


TABLES: Mapping[str, type] = {"server": FileSettings, "limits": FileLimits}
