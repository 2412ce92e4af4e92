"""What packs' routes may ask of the running service."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

from ..agent.core.context import RequestContext
from ..agent.core.spec import Pack
from ..agent.service.service import Service
from ..agent.types import ChatRequest


class PackService:
    """`plainloop.agent.core.api.ApiService` over the process's service."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def parse_resume(self, raw_text: str, tenant_id: str, user_id: str) -> dict[str, Any]:
        return await self._service.parse_resume(raw_text, tenant_id, user_id)

    async def call_json(
        self, role: str, request: ChatRequest, tenant_id: str, user_id: str
    ) -> dict[str, Any]:
        model = self._service.make_design_model(role, tenant_id, user_id)
        return await model.host.call_json(role, request)

    def open_context(
        self, pack: Pack, tenant_id: str, user_id: str
    ) -> AbstractAsyncContextManager[RequestContext]:
        return self._service.open_context(pack, tenant_id, user_id)

    async def forget_threads(self, thread_ids: Sequence[str]) -> None:
        await self._service.forget_threads(thread_ids)
