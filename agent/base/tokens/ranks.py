"""Counts tokens by tiktoken if its rank file is on this machine; it is never downloaded.

Source of pattern and checksum: tiktoken's own o200k_base.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from ...config.tables import Settings
from ...errors import ConfigError
from ..extras import is_installed, load_extra
from .estimate import use_counter

ENCODING: Final = "o200k_base"
# tiktoken looks for the file under the sha1 of the address that it would fetch it from.
CACHED_NAME: Final = "fb374d419588a4632f3f557e76b4b70aebbca790"
SHA256: Final = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
_CACHE_VARIABLES: Final = ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR")
PATTERN: Final = "|".join(
    (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    )
)
_SLICE_CHARS: Final = 20_000  # merging takes more than linear time in one unbroken run of letters


async def choose_token_counter(settings: Settings) -> Path | None:
    """Set whether this process counts tokens exactly, by a rank file, or estimates them.

    Returns the file. Raises: ConfigError when `token_ranks` names none.
    """
    path = choose_rank_file(settings)
    use_counter(None if path is None else await asyncio.to_thread(load_counter, path))
    return path


def choose_rank_file(settings: Settings) -> Path | None:
    """Return the tiktoken rank file to count tokens with; None if there is no trustworthy one."""
    path = find_rank_file(settings)
    # The folder is in /tmp by default: any account of the machine can put a file there
    # (tests/core/test_token_ranks.py::test_a_damaged_file_in_tiktokens_folder_is_left_alone).
    is_trusted = path is None or settings.token_ranks is not None or is_whole(path)
    return path if is_trusted else None


def find_rank_file(settings: Settings) -> Path | None:
    """Find tiktoken's rank file, by the setting `token_ranks` or in tiktoken's own folder."""
    if settings.token_ranks is not None:
        return settings.token_ranks
    folders = (settings.get_env(name) for name in _CACHE_VARIABLES)
    named = next((Path(folder.reveal()) for folder in folders if folder is not None), None)
    path = (named or Path(tempfile.gettempdir()) / "data-gym-cache") / CACHED_NAME
    return path if path.is_file() and is_installed("tiktoken") else None


def is_whole(path: Path) -> bool:
    """Whether the file is tiktoken's complete rank file, judged by its digest."""
    return hashlib.sha256(path.read_bytes()).hexdigest() == SHA256


def load_counter(path: Path) -> Callable[[str], int]:
    """Load a rank file; return a function that counts tokens exactly as tiktoken does.

    Raises: ConfigError when the file cannot be read or holds no ranks, or without tiktoken.
    """
    tiktoken = load_extra("tiktoken", "tiktoken")
    try:
        lines = [line.split() for line in path.read_bytes().splitlines() if line]
        ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
        encoding = tiktoken.Encoding(
            ENCODING, pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={}
        )
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"{path} is not a tiktoken rank file: {error}",
            hint=f"Put a complete {ENCODING}.tiktoken there, or unset AGENT_TOKEN_RANKS.",
        ) from error

    def count(text: str) -> int:
        # A cut between slices costs a token at most.
        slices = (text[i : i + _SLICE_CHARS] for i in range(0, len(text), _SLICE_CHARS))
        return sum(len(encoding.encode_ordinary(piece)) for piece in slices)

    return count
