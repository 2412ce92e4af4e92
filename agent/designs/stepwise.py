"""The base of agents that are node tables: each node's step is recorded."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Unpack

from ..core.spec import Pack
from ..types import Message
from .base import DesignEvent, DesignModel, NodeTable, SearchKeys


class StepwiseAgent:
    """The base of shipped agents: a subclass builds the nodes that a run executes."""

    def __init__(
        self,
        model: DesignModel,
        conversation_id: str | None = None,
        **search_keys: Unpack[SearchKeys],
    ) -> None:
        self.model = model
        self.conversation_id = conversation_id

    def build_nodes(self, pack: Pack) -> NodeTable:
        """Build the design's node table for this pack."""
        raise NotImplementedError

    def run(self, messages: list[Message]) -> AsyncIterator[DesignEvent]:
        """Yield the events of one run in the conversation, or in a new conversation."""
        host = self.model.host
        table = self.build_nodes(host.pack)
        return host.stream_nodes(table, messages, self.conversation_id, "chat")
