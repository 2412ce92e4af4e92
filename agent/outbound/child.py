"""The process that takes one untrusted file apart, or makes one: `python -I -m <this> OPTIONS`.

The content comes on stdin, one JSON object goes to stdout. It gets no key in its environment,
cannot write a file, and bounds its own memory and processor time, so that it ends even when nobody
is left to kill it.
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import resource
import sys
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from ..errors import AgentError
from .refusal import Refusal

MEMORY_BYTES: Final = 1 << 30
NICENESS: Final = 5  # behind the process that everybody waits for
FIRST_TO_GO: Final = (
    b"1000"  # where the machine has no memory left, it and not the service is ended
)


def main(options: dict[str, Any]) -> dict[str, Any]:
    """The job's result, or `{"error": word}`: a word of its own, or the code of an AgentError, then
    with its `message` and `hint`.
    """
    limit_process(options["timeout_s"])
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
        return {"error": "corrupt", "reason": type(error).__name__}


def limit_process(timeout_s: float) -> None:
    os.nice(NICENESS)
    with suppress(OSError):  # Linux has it
        Path("/proc/self/oom_score_adj").write_bytes(FIRST_TO_GO)
    seconds = int(timeout_s) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":  # elsewhere the bound counts what is only reserved
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
