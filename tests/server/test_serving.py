"""The command as it is run: where it listens, how it stops, what it hands over."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from pathlib import Path
from typing import Any

import httpx2
import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.service.opening import open_service
from plainloop.server.serving import Replica
from plainloop_wire.faults import Faults
from plainloop_wire.serving import open_listener
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop
from tests.server.conftest import SECRET, begin
from tests.server.events import fold, parse_sse

ENVIRON = {"AGENT_PROVIDER": "offline", "AGENT_LIMITS_DRAIN_S": "2"}


async def start_server(plainloop: Command, *arguments: str, **environ: str) -> tuple[Any, str]:
    """The process and its URL, once it answers."""
    process = await plainloop.start("serve", "--port", "0", *arguments, **ENVIRON | environ)
    assert process.stdout
    async with asyncio.timeout(120):
        line = (await process.stdout.readline()).decode()
    match = re.fullmatch(r"plainloop is ready on (http://\S+)\n", line)
    assert match, (line, await process.stderr.read() if process.stderr else "")
    return process, match[1]


async def stop_server(process: Any, number: int = signal.SIGTERM) -> int:
    process.send_signal(number)
    async with asyncio.timeout(60):
        return await process.wait()


def make_client(url: str, **headers: str) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(base_url=url, headers=headers, timeout=60, trust_env=False)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_drains_the_replica(plainloop: Command, number: int):
    process, url = await start_server(plainloop)
    async with make_client(url) as local:
        assert (await local.get("/readyz")).json() == {"status": "ready"}
        conversation = await begin(local)
        answer = await local.post(
            f"/api/chat/conversations/{conversation}/messages", json={"content": "list my jobs"}
        )
    code = await stop_server(process, number)
    log = (await process.stderr.read()).decode()
    lines = [json.loads(line)["event"] for line in log.splitlines() if line.startswith("{")]
    events = [event for event in lines if event != "request"]

    assert parse_sse(answer.text)[-1].event == "done"
    assert code == 0, log
    assert events[-2:] == ["draining", "stopped"]
    assert "list my jobs" not in log


async def test_a_draining_replica_serves_until_proxies_notice(plainloop: Command):
    process, url = await start_server(plainloop, AGENT_LIMITS_LEAVE_S="3600")
    async with make_client(url) as local:
        conversation = await begin(local)
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(60):
            while (ready := await local.get("/readyz")).status_code == 200:
                await asyncio.sleep(0)
        answer = await local.post(
            f"/api/chat/conversations/{conversation}/messages", json={"content": "list my jobs"}
        )
    code = await stop_server(process)

    assert (ready.status_code, ready.json()) == (503, {"status": "draining"})
    assert parse_sse(answer.text)[-1].event == "done"
    assert code != 0, "the second signal ends it at once"


async def test_a_replica_that_cannot_listen_ends_with_the_error(settings: Settings):
    async with open_service(settings) as service:
        listener = open_listener("127.0.0.1", 0)
        replica = Replica(service, listener)
        listener.close()
        ended = asyncio.create_task(replica.serve())
        done, _ = await asyncio.wait({ended}, timeout=60)
        replica.stop()

    assert done
    assert isinstance(ended.exception(), OSError | ValueError)


async def test_without_authentication_the_server_listens_on_loopback_only(plainloop: Command):
    refused = await plainloop("serve", "--host", "0.0.0.0", "--port", "0")
    short = await plainloop("serve", "--port", "0", AGENT_AUTH_JWT_SECRET="too short")
    process, url = await start_server(plainloop, "--host", "0.0.0.0", AGENT_AUTH_JWT_SECRET=SECRET)
    made = await plainloop("token", "ada", "--tenant", "acme", AGENT_AUTH_JWT_SECRET=SECRET)
    none = await plainloop("token", "ada")
    local = url.replace("0.0.0.0", "127.0.0.1")
    async with (
        make_client(local) as nobody,
        make_client(local, authorization=f"Bearer {made.out.strip()}") as ada,
    ):
        told, known = await nobody.get("/api/config"), await ada.get("/api/config")
    await stop_server(process)

    assert refused.code == 2
    assert refused.err.startswith("error[CONFIG_INVALID]: without authentication, the server")
    assert short.code == 2
    assert "fewer than 32 bytes" in short.err
    assert "too short" not in short.err
    assert (told.status_code, known.status_code) == (401, 200)
    assert none.code == 2


async def test_a_port_in_use_gives_a_readable_error(plainloop: Command):
    process, url = await start_server(plainloop)
    again = await plainloop("serve", "--port", url.rpartition(":")[2], **ENVIRON)
    await stop_server(process)

    assert again.code == 2
    assert "cannot listen on" in again.err


async def make_killable(wire_server: Any) -> dict[str, str]:
    """The environment of replicas whose model is slow, and whose runs soon go on elsewhere."""
    wire = await wire_server(faults=Faults(delay_ms=40))
    return {
        "AGENT_PROVIDER": "anthropic",
        "AGENT_API_BASE": wire.base_url,
        "ANTHROPIC_API_KEY": "any",
        "AGENT_LIMITS_LEASE_S": "1.5",
        "AGENT_LIMITS_HEARTBEAT_S": "0.3",
        "AGENT_LIMITS_RECOVERY_S": "0.2",
        "AGENT_LIMITS_QUARANTINE_S": "0.1",
    }


async def test_a_killed_replica_is_replaced_and_its_stream_is_resumed(
    plainloop: Command, wire_server: Any, tmp_path: Path
):
    """kill -9 in the middle of a stream: the viewer comes back to another replica."""
    environ = await make_killable(wire_server)
    first, url = await start_server(plainloop, **environ)
    async with make_client(url) as local:
        conversation = await begin(local)
        path = f"/api/chat/conversations/{conversation}"
        text = ""
        try:
            body = {"content": "what should I think about when I look for work?"}
            async with local.stream("POST", f"{path}/messages", json=body) as stream:
                async for piece in stream.aiter_text():
                    text += piece
                    if "text_delta" in text and first.returncode is None:
                        first.kill()
        except httpx2.HTTPError:
            pass
    seen = parse_sse(text)
    second, url = await start_server(plainloop, **environ)
    async with make_client(url) as local:
        rest = await local.get(f"{path}/stream", params={"after": seen[-1].seq})
        read = (await local.get(path)).json()
    await stop_server(second)
    events = seen + parse_sse(rest.text)

    assert seen[-1].event not in ("done", "error")
    assert [item.seq for item in events] == sorted({item.seq for item in events})
    assert events[-1].event == "done"
    assert fold(events) == events[-1].data["content"]
    assert read["messages"][-1]["content"] in fold(events)
