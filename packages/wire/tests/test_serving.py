"""Starting and stopping the server, in a program and as a command."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import urllib.request

import orjson
import pytest

from packages.wire.tests.brains import CityBrain
from plainloop.agent.errors import ConfigError
from plainloop_wire.app import make_app
from plainloop_wire.listings import list_ids
from plainloop_wire.options import ServerOptions
from plainloop_wire.serving import build_usage_lines, open_listener, run_wire_server, serve_wire

COMMAND = """
from plainloop_wire.serving import run_wire_server
from plainloop_wire.listings import list_ids
from plainloop_wire.options import ServerOptions
from packages.wire.tests.brains import CityBrain
run_wire_server(ServerOptions(port=0), CityBrain(), echo=lambda line: print(line, flush=True))
"""


async def test_wire_servers_run_side_by_side_on_loopback_only(wire_server):
    servers = [await wire_server(CityBrain()) for _ in range(3)]
    assert len({server.base_url for server in servers}) == 3
    assert all(server.base_url.startswith("http://127.0.0.1:") for server in servers)


async def test_models_are_listed_in_each_apis_format(wire_server, connect):
    server = await wire_server(CityBrain())
    clients = connect(server)
    gemini = await clients.gemini.models.list()
    listed = {
        "anthropic": [model.id async for model in clients.anthropic.models.list()],
        "openai": [model.id async for model in clients.openai.models.list()],
        "gemini": [model.name.removeprefix("models/") async for model in gemini],
    }
    assert listed == {name: list_ids(name) for name in listed}
    assert server.requests == []  # only model calls are in the journal


async def test_a_stopped_wire_server_accepts_no_connection(http):
    async with serve_wire(make_app(CityBrain())) as base_url:
        assert (await http.get(f"{base_url}/__log")).status_code == 200
    with pytest.raises(Exception, match="connection"):
        await http.get(f"{base_url}/__log")


async def test_a_port_in_use_gives_one_readable_error():
    async with serve_wire(make_app(CityBrain())) as base_url:
        port = int(base_url.rsplit(":", 1)[1])
        with pytest.raises(ConfigError, match="cannot listen on 127.0.0.1"):
            run_wire_server(ServerOptions(port=port), CityBrain())


def test_the_wire_servers_banner_names_url_and_key_of_each_api():
    base = "http://127.0.0.1:8399"
    assert build_usage_lines(base) == [
        f"wire server on {base}",
        f"  AGENT_PROVIDER=anthropic AGENT_API_BASE={base} ANTHROPIC_API_KEY=any",
        f"  AGENT_PROVIDER=openai AGENT_PROTOCOL=chat AGENT_API_BASE={base}/v1 OPENAI_API_KEY=any",
        "  AGENT_PROVIDER=openai AGENT_PROTOCOL=responses "
        f"AGENT_API_BASE={base}/v1 OPENAI_API_KEY=any",
        f"  AGENT_PROVIDER=gemini AGENT_API_BASE={base} GEMINI_API_KEY=any",
        f"  AGENT_PROVIDER=ollama AGENT_API_BASE={base}",
        f"requests so far: {base}/__log",
    ]


def test_the_wire_server_command_serves_until_interrupted():
    process = subprocess.Popen([sys.executable, "-c", COMMAND], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        base_url = process.stdout.readline().split()[-1]
        with urllib.request.urlopen(f"{base_url}/__log", timeout=60) as answer:
            assert orjson.loads(answer.read()) == {"requests": []}
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) in (0, 130, -signal.SIGINT)
    finally:
        process.kill()
        process.communicate()


def test_small_writes_are_sent_without_delay():
    """Asyncio switches Nagle's delay off only where the listener's protocol is named."""
    listener = open_listener("127.0.0.1", 0)
    with listener:
        assert listener.proto == socket.IPPROTO_TCP
