"""`deploy/compose` with containers: the image, and `roll` under a client that asks all the while.

It takes minutes: off unless PLAINLOOP_CONTAINERS has options of `docker build`, of an index or just
`--pull=false`. Needed: Docker, its compose plugin, and the images that both files there name.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import jwt
import pytest

from tests.server.events import parse_sse

OPTIONS = shlex.split(os.environ.get("PLAINLOOP_CONTAINERS", ""))
ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy" / "compose"
NAME = "plainloop-of-the-test"
PORT = "18765"
SECRET = "a secret of the test, of 32 bytes and more"
ENVIRON = {
    "COMPOSE_PROJECT_NAME": NAME,
    "PLAINLOOP_PORT": PORT,
    "PLAINLOOP_IMAGE": f"{NAME}:old",
    "AGENT_AUTH_JWT_SECRET": SECRET,
    "POSTGRES_PASSWORD": "of-the-test",
}
# What differs from the image before: in what a model is asked, and in nothing that is repeated.
PROMPT = """USER root
RUN echo 'Name the day.' >> "$(find /app -path '*_careers/prompts/crm_worker.md')"
USER plainloop"""
RELEASES = {"prompt": PROMPT, "setting": "ENV AGENT_LIMITS_APPROVAL_S=90000"}
WRITABLE_ANYWHERE = {"/tmp", "/var/tmp", "/run/lock"}  # not for one that is read_only

pytestmark = pytest.mark.skipif(not OPTIONS, reason="PLAINLOOP_CONTAINERS is not set")


def run(*command: str | Path, given: str = "", code: int = 0) -> str:
    """What it prints. code: how it is to end."""
    environ = os.environ | ENVIRON
    done = subprocess.run(
        command, input=given, env=environ, cwd=DEPLOY, capture_output=True, text=True
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def images() -> Iterator[None]:
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "info"], capture_output=True).returncode:
        pytest.skip("no container engine answers `docker info`")
    run("docker", "build", *OPTIONS, "-t", f"{NAME}:old", ROOT)
    for name, lines in RELEASES.items():
        text = f"FROM {NAME}:old\n{lines}\n"
        run("docker", "build", "--pull=false", "-t", f"{NAME}:{name}", "-", given=text)
    yield
    run("docker", "image", "rm", *(f"{NAME}:{name}" for name in ("old", *RELEASES)))


@pytest.fixture
def replicas(images: None) -> Iterator[None]:
    try:
        run("docker", "compose", "up", "-d", "--wait")
        yield
    finally:
        run("docker", "compose", "down", "-v")


async def talk(client: httpx2.AsyncClient, seen: Counter[Any], stop: asyncio.Event) -> None:
    """One conversation after the other, each of a user with one message. seen: the answers."""
    while not stop.is_set():
        claims = {"sub": f"user{seen[201]}", "tenant": "acme", "exp": time.time() + 3600}
        client.headers["authorization"] = f"Bearer {jwt.encode(claims, SECRET)}"
        begun = await client.post("/api/chat/conversations", json={})
        seen[begun.status_code] += 1
        if not begun.is_success:
            continue
        path = f"/api/chat/conversations/{begun.json()['id']}/messages"
        answer = await client.post(path, json={"content": "add a job: Cook at Acme"})
        seen[parse_sse(answer.text)[-1].event if answer.is_success else answer.text] += 1


@pytest.mark.usefixtures("images")
def test_the_image_runs_without_root_and_writes_only_its_data() -> None:
    look = "id -u; find / -xdev -type d -writable 2>/dev/null || true"
    container = ("docker", "run", "--rm", "--entrypoint", "sh", f"{NAME}:old", "-c", look)
    user, *writable = run(*container).splitlines()
    assert user == "10001"
    assert {*writable} - WRITABLE_ANYWHERE == {"/app/data", "/app/onboarding_data"}


@pytest.mark.parametrize(
    ("release", "code", "told"),
    [
        ("prompt", 1, '"differences":["careers/default request crm_worker"]'),
        ("setting", 0, f"plainloop-b: ready with {NAME}:setting"),
    ],
)
@pytest.mark.usefixtures("replicas")
async def test_a_client_is_served_during_a_rolling_update(
    release: str, code: int, told: str
) -> None:
    seen, stop = Counter[Any](), asyncio.Event()
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{PORT}", timeout=60) as client:
        client.headers["accept"] = "text/event-stream"
        asking = asyncio.create_task(talk(client, seen, stop))
        said = await asyncio.to_thread(run, DEPLOY / "roll", f"{NAME}:{release}", code=code)
        stop.set()
        await asking
    assert told in said
    assert {*seen} == {201, "done"}
