"""What a pack's handler is given, and which of its calls begin with their transaction."""

from __future__ import annotations

import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.core.api import ApiRequest, UploadedFile
from plainloop.agent.core.tools import ToolContext, ToolRegistry, tool
from plainloop.agent.store import leases
from plainloop.agent.store.connecting.settings import DeploySettings
from plainloop.agent.store.store import Store
from plainloop.agent.types import Message
from plainloop.agent.workers._base_worker import writes_only
from tests.core.conversations import user
from tests.core.store_samples import make_tool_use


@tool("write")
async def save(tool: ToolContext) -> Any:
    """Save."""


@tool("read")
async def look(tool: ToolContext) -> Any:
    """Look."""


def test_an_uploaded_file_can_be_read_whole_repeatedly():
    with tempfile.TemporaryFile() as file:
        file.write(b"a page")
        upload = UploadedFile("a.txt", "text/plain", file)
        assert (upload.content, upload.content) == (b"a page", b"a page")


async def test_a_pack_handlers_request_is_bound_to_user_and_tenant(
    store: Store, settings: Settings
):
    service: Any = None
    request = ApiRequest("acme", "ann", False, "p", settings, store, service, {}, {})
    assert request.owner == ("acme", "ann")
    assert (request.expires_at, request.key_id) == (None, None)
    tenant = "select current_setting('app.tenant_id')"
    assert (request.db.tenant_id, await request.db.fetchval(tenant)) == ("acme", "acme")


@pytest.mark.parametrize(
    ("names", "is_quiet"),
    [(["save"], True), (["save", "save"], True), (["save", "look"], False), (["gone"], False)],
)
def test_only_a_step_with_write_tools_opens_a_transaction_first(names: list[str], is_quiet: bool):
    parts: list[Any] = [make_tool_use(str(n), name)["parts"][0] for n, name in enumerate(names)]
    asked: Message = {"role": "assistant", "parts": parts}
    ctx: Any = SimpleNamespace(tools=ToolRegistry((save, look)))
    state: Any = {"messages": [user("go"), asked]}
    assert writes_only(state, ctx) is is_quiet


@pytest.mark.parametrize(("judge", "nice"), [("off", 0), ("warn", 7), ("refuse", 7)])
def test_only_a_judged_replica_starts_at_low_priority(judge: Any, nice: int):
    assert DeploySettings(judge=judge, nice=7).start_nice == nice


@pytest.mark.parametrize(
    ("pid", "start", "is_dead"),
    [(1, "12.5", False), (1, "9.0", True), (2, "12.5", True), (3, "12.5", True)],
)
def test_without_proc_process_start_times_come_from_psutil(
    pid: int, start: str, is_dead: bool, monkeypatch: pytest.MonkeyPatch
):
    host = leases.make_owner().rsplit("/", 2)[0]
    processes: dict[int, Any] = {
        1: SimpleNamespace(status=lambda: psutil.STATUS_RUNNING, create_time=lambda: 12.5),
        2: SimpleNamespace(status=lambda: psutil.STATUS_ZOMBIE, create_time=lambda: 12.5),
    }

    def find(pid: int) -> Any:
        if pid not in processes:
            raise psutil.NoSuchProcess(pid)
        return processes[pid]

    monkeypatch.setattr(psutil, "Process", find)
    monkeypatch.setattr(leases, "Path", lambda name: Path(f"/nowhere{name}"))
    assert leases.is_owner_dead(f"{host}/{pid}/{start}") is is_dead
