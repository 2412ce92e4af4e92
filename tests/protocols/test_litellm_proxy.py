"""LiteLLM's proxy in front, unmodified: ten users behind its one key, all at once."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import httpx
import openai
import pytest

from tests.project.test_dev import find_free_port
from tests.protocols.behind import BEHIND, serve_behind
from tests.protocols.conftest import ServeNotes
from tests.protocols.test_equal_conversations import REACT, ROOM, echo, talk
from tests.protocols.test_python_clients import FOLDER
from tests.wire_fixtures import StartWire

USERS = 10


@pytest.mark.skipif(
    not (FOLDER / "litellm").is_dir(),
    reason="litellm is not installed: AGENT_TEST_CLIENTS=all ./scripts/packages",
)
@pytest.mark.parametrize("behind", BEHIND)
async def test_ten_users_behind_litellm_each_get_their_own_answers(
    behind: str, serve: ServeNotes, wire_server: StartWire, tmp_path: Path
) -> None:
    served = await serve_behind(behind, echo, serve, wire_server, **ROOM)
    key = {"api_base": f"{served.url}/v1", "api_key": served.token()}
    models = [{"model_name": REACT, "litellm_params": {"model": f"openai/{REACT}", **key}}]
    (tmp_path / "config.yaml").write_text(json.dumps({"model_list": models}))
    port = find_free_port()
    proxy = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "import litellm; litellm.run_server()"),
        *("--config", "config.yaml", "--host", "127.0.0.1", "--port", str(port)),
        env={**os.environ, "PYTHONPATH": str(FOLDER / "litellm"), "LITELLM_MASTER_KEY": "sk-any"},
        cwd=tmp_path,
        stdout=(log := (tmp_path / "proxy.log").open("wb")),
        stderr=log,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        async with asyncio.timeout(180), httpx.AsyncClient(trust_env=False) as http:
            while True:
                assert proxy.returncode is None, (tmp_path / "proxy.log").read_text()[-3000:]
                try:
                    if (await http.get(f"{url}/health/liveliness")).is_success:
                        break
                except httpx.TransportError:
                    await asyncio.sleep(0.2)
        async with openai.AsyncOpenAI(base_url=url, api_key="sk-any", max_retries=0) as client:
            found = await asyncio.gather(*(talk(client, n) for n in range(USERS)))
    finally:
        proxy.terminate()
        await proxy.wait()

    assert [item for wrong in found for item in wrong] == []
