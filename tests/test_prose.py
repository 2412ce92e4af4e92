"""`scripts/prose`: what it counts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.test_repository import ROOT

SOURCE = '''"""What is asked."""

# A comment of its own, most of it told.
def read_told(asked: str) -> str:  # beside code
    """Raises KeyError."""
    return asked

def at_most(not_found: str) -> str:
    """The text that is stored; at most one, else it is not found."""
    return not_found

def load(path: str) -> str:
    """Load a text."""
    return path
'''


def test_scripts_prose_counts_names_texts_docstrings_and_comments(tmp_path: Path) -> None:
    (tmp_path / "clean.py").write_text("x = 1\n")
    (tmp_path / "worded.py").write_text(SOURCE)
    run = subprocess.run(
        [sys.executable, ROOT / "scripts/prose", "--list", "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.splitlines() == [
        " names  texts  no verb  raises  comments  file",
        "     4      3        1       1      7.1%  worded.py",
        "     4      3        1       1      6.7%  all",
        "asked 3, told 2, most 2",
        "worded.py:4 read_told: Raises KeyError.",
        "worded.py:8 at_most: The text that is stored; at most one, else it is not found.",
    ]
