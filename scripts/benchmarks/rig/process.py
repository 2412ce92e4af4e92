"""What a whole process takes: wall time and peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from statistics import median
from typing import TypedDict

# A child of its own, small: the peak of a process counts what it was before its exec, so one that
# this large process forked would never look smaller than it.
_RUN = """
import resource, subprocess, sys, time
began = time.perf_counter()
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
wall_s = time.perf_counter() - began
print(code, wall_s, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
"""


class ProcessCost(TypedDict):
    wall_s: float  # median
    peak_mb: float  # largest resident set


def measure_process(command: Sequence[str], env: Mapping[str, str], times: int) -> ProcessCost:
    """Run the command `times` times; if more than once, after one run that fills the disk cache.

    Raises: RuntimeError when it fails.
    """
    walls: list[float] = []
    peaks: list[float] = []
    warm_up = 1 if times > 1 else 0
    for _ in range(warm_up + times):
        shown = subprocess.run(
            [sys.executable, "-S", "-c", _RUN, *command],
            env={**os.environ, **env},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout.split()
        if shown[0] != "0":
            raise RuntimeError(f"{' '.join(command)} ended with {shown[0]}")
        walls.append(float(shown[1]))
        peaks.append(float(shown[2]))
    return {"wall_s": round(median(walls[warm_up:]), 3), "peak_mb": round(max(peaks[warm_up:]), 1)}
