"""The parser of the shipped designs: calls the pack's `parse`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..errors import ConfigError
from ..types import ChatRequest
from .base import DesignModel


class PackParser:
    """Parses texts by the pack's `parse`, with the model of the role `parser`."""

    def __init__(self, model: DesignModel) -> None:
        self.model = model

    async def parse(self, raw_text: str) -> dict[str, Any]:
        """Parse a text with the pack's `parse`. Raises: ConfigError if the pack has none."""
        host = self.model.host
        if host.pack.parse is None:
            raise ConfigError(
                f"the pack {host.pack.name!r} does not define how texts are parsed",
                hint="Set `parse` in the pack, or choose another pack.",
            )
        prompt = host.pack.prompts.get("parser")

        async def call_json(role: str, request: ChatRequest) -> dict[str, Any]:
            return await host.call_json(role, replace(request, system=prompt or request.system))

        return await host.pack.parse(raw_text, call_json)
