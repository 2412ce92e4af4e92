"""A process in a terminal of its own: what it shows is read, what is typed goes to it."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import termios
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.cli.forking import Forks

TIMEOUT_S = 120
PRESS_AGAIN_S = 3
CTRL_C = "\x03"


class Terminal:
    """`shown` is everything so far, with the terminal's line ends made plain."""

    def __init__(self, process: Any, master: int) -> None:
        self.process = process
        self._master = master
        self._raw = b""
        self._seen = 0
        self._news = asyncio.Event()
        asyncio.get_running_loop().add_reader(master, self._read)

    @classmethod
    async def open(
        cls, command: list[str], folder: Path, environ: dict[str, str], forks: Forks | None = None
    ) -> Terminal:
        """With forks: the command's words without the program."""
        master, slave = pty.openpty()
        if forks:
            process: Any = await forks.start(command, folder, environ, terminal=slave)
        else:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=slave,
                stdout=slave,
                stderr=slave,
                cwd=folder,
                env=environ,
                start_new_session=True,
                # Its controlling terminal: Ctrl-C becomes a signal, closing it a hang-up.
                preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            )
        os.close(slave)
        os.set_blocking(master, False)
        return cls(process, master)

    @property
    def shown(self) -> str:
        return self._raw.decode(errors="replace").replace("\r\n", "\n")

    async def read_until(self, text: str, timeout_s: float = TIMEOUT_S) -> str:
        """What is shown from the last such place until `text`."""
        async with asyncio.timeout(timeout_s):
            while (end := self.shown.find(text, self._seen)) < 0:
                if self._master < 0:
                    raise AssertionError(f"ended without {text!r}: {self.shown!r}")
                self._news.clear()
                await self._news.wait()
        part = self.shown[self._seen : end]
        self._seen = end + len(text)
        return part

    async def interrupt_until(self, text: str) -> str:
        """Press Ctrl-C, and again where nothing came of it, as people do.

        At a prompt CPython loses sight of a signal that arrives while a typed character is echoed:
        it is handled with the next key or signal.
        """
        for _ in range(TIMEOUT_S // PRESS_AGAIN_S):
            self.type(CTRL_C)
            with suppress(TimeoutError):
                return await self.read_until(text, PRESS_AGAIN_S)
        raise TimeoutError(f"Ctrl-C did not lead to {text!r}: {self.shown!r}")

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def close(self) -> None:
        """As when the window is closed."""
        if self._master >= 0:
            asyncio.get_running_loop().remove_reader(self._master)
            os.close(self._master)
            self._master = -1
            self._news.set()

    async def wait(self) -> int:
        async with asyncio.timeout(TIMEOUT_S):
            code = await self.process.wait()
        if self._master >= 0:
            self._read()
        self.close()
        return code

    def _read(self) -> None:
        try:
            data = os.read(self._master, 65536)
        except BlockingIOError:
            return
        except OSError:  # Linux says EIO when the other side is closed
            data = b""
        if not data:
            self.close()
            return
        self._raw += data
        self._news.set()
