"""`docs/mcp.md` as it stands: its server, its settings, its client."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import httpx2

from tests.cli.conftest import Command, plainloop
from tests.processes import run_program
from tests.server.conftest import Serve

__all__ = ["plainloop"]

PAGE = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text(encoding="utf-8")
SERVER, CLIENT = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)
(SETTINGS,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.M | re.S)
(SHOWN,) = re.findall(r"^```text\n\$ plainloop (.*?)\n(.*?)^```$", PAGE, re.M | re.S)


async def test_the_documented_server_offers_its_tools(plainloop: Command):
    (plainloop.folder / "tickets.py").write_text(SERVER)
    (plainloop.folder / "plainloop.toml").write_text(SETTINGS.replace("python3", sys.executable))

    done = await plainloop(*SHOWN[0].split())

    assert done.out.replace(sys.executable, "python3") == SHOWN[1], done.err
    assert done.code == 0
    doctor = await plainloop("doctor")
    assert "tickets: 2 tools from" in doctor.out


async def test_the_documented_client_gets_its_answer(serve: Serve, tmp_path: Path):
    served = await serve(auth=False)
    program = CLIENT.replace("http://127.0.0.1:8000", served.url)

    assert "1" in await run_program(sys.executable, "-c", program)
    async with httpx2.AsyncClient(base_url=served.url, trust_env=False) as client:
        assert (await client.get("/.well-known/oauth-protected-resource")).status_code == 404
