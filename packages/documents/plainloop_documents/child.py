"""The process that takes one untrusted file apart, or makes one: `python -I -m <this> OPTIONS`.

The content comes on stdin; `READY` goes to stdout before it is read, then one JSON object. It gets
no key in its environment, cannot write a file, and bounds its own memory and processor time, so
that it ends even when nobody is left to kill it.
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import resource
import sys
import traceback
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from plainloop.agent.base.text.cleaning import clean_json
from plainloop.agent.errors import AgentError

from .reading.refusal import Refusal

READY: Final = b"ready\n"  # whatever ends before it says nothing of the file
UNAVAILABLE: Final = "unavailable"  # the error of a child that lacks what it reads with
MEMORY_BYTES: Final = 1 << 30
NICENESS: Final = 5  # behind the process that everybody waits for
_IMPORT_SYSTEM: Final = "<frozen importlib._bootstrap>"
FIRST_TO_GO: Final = (
    b"1000"  # where the machine has no memory left, it and not the service is ended
)


def main(options: dict[str, Any]) -> dict[str, Any]:
    """Run a job on stdin's content, inside a child process; return the job's result.

    On failure it is `{"error": code}`: a Refusal's code, or an AgentError's with its `message` and
    `hint`.
    """
    limit_process(options["timeout_s"])
    report_ready()
    logging.disable(logging.CRITICAL)  # the libraries' complaints about a file
    content = sys.stdin.buffer.read()
    try:
        return importlib.import_module(options["job"]).run(content, options)
    except Refusal as error:
        return {"error": str(error)}
    except AgentError as error:
        return {"error": error.code, "message": error.message, "hint": error.hint}
    except (MemoryError, RecursionError, zipfile.LargeZipFile):
        return {"error": "too_large"}
    except Exception as error:  # noqa: BLE001 - the edge: whatever a library says of a broken file
        if is_import_failure(error):
            return {"error": UNAVAILABLE, "reason": f"{type(error).__name__}: {error}"}
        return {"error": "corrupt", "reason": type(error).__name__}


def is_import_failure(error: Exception) -> bool:
    """Return whether an error comes from importing a module, not from the file."""
    files = (frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__))
    return isinstance(error, ImportError) or _IMPORT_SYSTEM in files


def report_ready() -> None:
    """Tell the parent process by stdout that this child is ready, and close stderr.

    Until then the parent reads start-up errors from stderr.
    """
    os.write(1, READY)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)


def limit_process(timeout_s: float) -> None:
    """Limit this process's memory, CPU time and priority, and forbid writing to files."""
    os.nice(NICENESS)
    with suppress(OSError):  # Linux has it
        Path("/proc/self/oom_score_adj").write_bytes(FIRST_TO_GO)
    seconds = int(timeout_s) + 1
    _limit(resource.RLIMIT_CPU, seconds, seconds + 1)
    _limit(resource.RLIMIT_FSIZE, 0, 0)
    _limit(resource.RLIMIT_CORE, 0, 0)
    if sys.platform == "linux":  # elsewhere the bound counts what is only reserved
        _limit(resource.RLIMIT_AS, MEMORY_BYTES, MEMORY_BYTES)


def _limit(kind: int, soft: int, hard: int) -> None:
    """Set a resource limit of this process, in the unit of `kind`.

    A container may have set a lower one, which cannot be raised.
    """
    before = resource.getrlimit(kind)[1]
    hard_limit = hard if before == resource.RLIM_INFINITY else min(hard, before)
    resource.setrlimit(kind, (min(soft, hard_limit), hard_limit))


if __name__ == "__main__":
    # Half an emoji in a file would be a lone surrogate here, which no reader of JSON takes
    # (test_half_an_emoji_in_a_pages_data_is_replaced).
    print(json.dumps(clean_json(main(json.loads(sys.argv[1])))))
