"""Counting by tiktoken's ranks: from a file that is there, never from the network."""

from __future__ import annotations

import base64
import hashlib
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from plainloop.agent.base.tokens.estimate import (
    estimate_message_tokens,
    estimate_tokens,
    use_counter,
)
from plainloop.agent.base.tokens.ranks import (
    CACHED_NAME,
    ENCODING,
    PATTERN,
    SHA256,
    choose_token_counter,
    load_counter,
)
from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.errors import ConfigError
from tests.core.conversations import user

MERGES = (b"th", b"the", b" c", b"at", b" cat")


@pytest.fixture(autouse=True)
def counted_as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    yield
    use_counter(None)


@pytest.fixture
def rank_file(tmp_path: Path) -> Path:
    """All bytes and five merges, in tiktoken's format."""
    tokens = [*(bytes([n]) for n in range(256)), *MERGES]
    lines = [base64.b64encode(token).decode() + f" {n}" for n, token in enumerate(tokens)]
    path = tmp_path / "small.tiktoken"
    path.write_text("\n".join(lines) + "\n")
    return path


def settings_of(tmp_path: Path, **environ: str) -> Settings:
    return load_settings({"AGENT_DATA_DIR": str(tmp_path), **environ})


async def test_a_configured_rank_file_is_used_for_all_counts(rank_file: Path, tmp_path: Path):
    settings = settings_of(tmp_path, AGENT_TOKEN_RANKS=str(rank_file))
    assert await choose_token_counter(settings) == rank_file
    assert estimate_tokens("the cat") == 2  # "the" + " cat"
    assert estimate_tokens("the dog") == 5  # "the" + " ", "d", "o", "g"
    assert estimate_tokens("") == 0
    assert estimate_message_tokens(user("the cat")) == 2 + 4


async def test_without_a_rank_file_tokens_are_estimated(tmp_path: Path):
    settings = settings_of(tmp_path, TIKTOKEN_CACHE_DIR=str(tmp_path))
    assert await choose_token_counter(settings) is None
    assert estimate_tokens("Hello world") == 2


async def test_a_damaged_file_in_tiktokens_folder_is_left_alone(rank_file: Path, tmp_path: Path):
    """tiktoken itself would delete it and fetch another."""
    damaged = rank_file.rename(tmp_path / CACHED_NAME)
    settings = settings_of(tmp_path, TIKTOKEN_CACHE_DIR=str(tmp_path))
    assert await choose_token_counter(settings) is None
    assert damaged.exists()


@pytest.mark.parametrize("content", [None, b"", b"no ranks here", b"dGhl one"])
async def test_an_invalid_rank_file_is_an_error(content: bytes | None, tmp_path: Path):
    path = tmp_path / "broken"
    if content is not None:
        path.write_bytes(content)
    settings = settings_of(tmp_path, AGENT_TOKEN_RANKS=str(path))
    with pytest.raises(ConfigError, match="is not a tiktoken rank file"):
        await choose_token_counter(settings)


@pytest.mark.parametrize("text", ["a" * 200_000, " " * 200_000, "東" * 60_000, "?!" * 100_000])
def test_repetitive_texts_are_counted_in_reasonable_time(text: str, rank_file: Path):
    assert load_counter(rank_file)(text) > 0


def test_our_rank_files_pattern_checksum_and_name_equal_tiktokens(monkeypatch: pytest.MonkeyPatch):
    from tiktoken_ext import openai_public

    asked: list[tuple[str, str]] = []

    def load(address: str, expected_hash: str) -> dict[bytes, int]:
        asked.append((address, expected_hash))
        return {}

    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", load)
    theirs = openai_public.o200k_base()
    ((address, checksum),) = asked
    assert (theirs["name"], theirs["pat_str"], checksum) == (ENCODING, PATTERN, SHA256)
    assert hashlib.sha1(address.encode()).hexdigest() == CACHED_NAME


async def test_a_configured_rank_file_without_tiktoken_names_the_extra(
    rank_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(ConfigError) as caught:
        await choose_token_counter(settings_of(tmp_path, AGENT_TOKEN_RANKS=str(rank_file)))
    assert caught.value.hint == "pip install 'plainloop[tiktoken]'"
