"""Settings of single providers."""

from __future__ import annotations

from collections.abc import Mapping

from ..config.values import setting
from ..dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GeminiSettings:
    """`[gemini]`"""

    search_grounding: bool = setting(False, "let Gemini search with Google")


TABLES: Mapping[str, type] = {"gemini": GeminiSettings}
