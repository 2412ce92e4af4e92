"""A browser, and the driver that Playwright talks to it by, once for all tests of a process.

Each test has contexts and a connection of its own, which share nothing. A driver takes as long to
start as most of what a test does with it.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--mute-audio"),
    *("--hide-scrollbars", "--force-color-profile=srgb", "--no-first-run", "--disable-extensions"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    # A tab that nobody looks at works like the one that somebody does.
    *("--disable-background-timer-throttling", "--disable-renderer-backgrounding"),
    "--disable-backgrounding-occluded-windows",
    # Nor does it ask its user whether a page from elsewhere may reach this machine.
    "--disable-features=PaintHolding,LocalNetworkAccessChecks",
    # Or who connects as the first window is made may wait for that for ever.
    "--no-startup-window",
    "--remote-debugging-port=0",
)
PATIENCE_S = 60


@pytest.fixture(scope="session")
def chromium(shared_driver: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where to reach it: one for all tests."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here (Debian: apt-get install chromium)")
    folder = tmp_path_factory.mktemp("chromium")
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={folder}"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield _find_address(process, folder / "DevToolsActivePort")
    finally:
        process.terminate()
        process.wait()


def _find_address(process: subprocess.Popen[bytes], file: Path) -> str:
    deadline = time.monotonic() + PATIENCE_S
    while not file.is_file() or len(lines := file.read_text().splitlines()) < 2:
        assert process.poll() is None, "Chromium ended as it began"
        assert time.monotonic() < deadline, "Chromium does not answer"
        time.sleep(0.01)
    return f"ws://127.0.0.1:{lines[0]}{lines[1]}"


@pytest.fixture(scope="session")
def shared_driver() -> Iterator[None]:
    """`async_playwright()` connects to one driver, where it starts one for each use."""
    from playwright._impl import _driver, out_of_process
    from playwright._impl.transport import PipeTransport

    folder = tempfile.TemporaryDirectory(prefix="driver-")  # a socket's path is a short one
    path = Path(folder.name) / "socket"

    class SocketTransport(PipeTransport):
        async def connect(self) -> None:
            self._stopped_future = asyncio.Future()
            reader, writer = await asyncio.open_unix_connection(path)
            self._output = writer
            self._proc = SimpleNamespace(  # type: ignore[assignment]
                stdout=reader, stdin=writer, communicate=writer.wait_closed
            )

    node, client = _driver.compute_driver_executable()
    script = Path(__file__).with_name("driver.cjs")
    with (
        folder,
        subprocess.Popen(
            [node, script, Path(client).parent, path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=_driver.get_driver_env(),
        ) as process,
        pytest.MonkeyPatch.context() as patch,
    ):
        assert process.stdin is not None and process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        patch.setattr(out_of_process, "PipeTransport", SocketTransport)
        yield
        process.stdin.close()
