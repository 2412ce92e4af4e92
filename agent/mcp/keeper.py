"""The parent of a tool server's process: `python -I keeper.py LIFELINE COMMAND ARGUMENTS…`.

It starts the command in its own process group and ends the whole group when the command has ended
or when we have, in whatever way: then the pipe LIFELINE comes to its end. Imports nothing of ours.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading


def main(lifeline: int, command: list[str]) -> None:
    # A handler, not SIG_IGN, which the command would inherit: it is asked to end, we wait for it.
    signal.signal(signal.SIGTERM, lambda _number, _frame: None)
    try:
        child = subprocess.Popen(command)
    except OSError as error:
        sys.exit(f"{command[0]} cannot be started: {error.strerror or error}")
    os.close(0)
    os.close(1)  # or nobody would see that the server closed its end
    threading.Thread(target=wait_for_end, args=(lifeline,), daemon=True).start()
    code = child.wait()
    try:
        print(f"{command[0]} ended with exit code {code}", file=sys.stderr, flush=True)
    finally:  # where nobody reads it any more
        os.killpg(0, signal.SIGKILL)


def wait_for_end(lifeline: int) -> None:
    # Ends when our process does, however it dies: the kernel closes the other end. Not
    # PR_SET_PDEATHSIG: Linux only, and it follows the thread that forked
    # (tests/tool_servers/test_rules.py::test_no_server_process_survives_the_service).
    os.read(lifeline, 1)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
