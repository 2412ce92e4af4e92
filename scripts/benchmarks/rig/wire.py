"""The wire server as a process of its own, so that its CPU time is nobody's who is measured."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class WireProcess:
    base_url: str

    def reset(self) -> None:
        """Forget requests and cached prompts."""
        self._ask("/__reset", b"{}")

    def list_requests(self) -> list[dict[str, Any]]:
        """What it was asked since the last reset, with the usage that it stated."""
        return self._ask("/__log", None)["requests"]

    def _ask(self, path: str, body: bytes | None) -> Any:
        request = urllib.request.Request(self.base_url + path, data=body)
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)


@contextmanager
def start_wire(steps: Sequence[dict[str, Any]]) -> Iterator[WireProcess]:
    """A wire server that answers by these steps (their form: plainloop_wire/script.py)."""
    with tempfile.TemporaryDirectory(prefix="plainloop-bench-") as folder:
        script = Path(folder) / "script.json"
        script.write_text(json.dumps(list(steps)))
        command = [
            sys.executable,
            "-m",
            "plainloop",
            "wire-server",
            "--port",
            "0",
            "--script",
            script,
        ]
        server = subprocess.Popen(
            [str(item) for item in command], stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            first = server.stdout.readline().split()
            if not first:
                raise RuntimeError("the wire server did not start")
            yield WireProcess(first[-1])
        finally:
            server.terminate()
            server.wait()
