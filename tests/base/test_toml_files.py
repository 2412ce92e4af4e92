"""TOML files of packages, and their cache beside the modules' own."""

from __future__ import annotations

import os
import sys
import tomllib
from pathlib import Path

import pytest

from plainloop.agent.base.toml_files import load_toml

TEXT = 'name = "é"\n[[rows]]\nyears = [1, 2.5, true]\n'
CHANGED = 'name = "e"\n'


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file = tmp_path / "words.toml"
    file.write_text(TEXT, encoding="utf-8")
    return file


def list_cached(file: Path) -> list[str]:
    return [path.name for path in file.parent.glob("__pycache__/*")]


def test_an_unchanged_table_is_read_from_its_cache(file: Path, monkeypatch: pytest.MonkeyPatch):
    first = load_toml(file)
    monkeypatch.delattr(tomllib, "loads")

    assert load_toml(file) == first == {"name": "é", "rows": [{"years": [1, 2.5, True]}]}
    assert list_cached(file) == ["words.toml.msgpack"]


def test_a_changed_table_is_parsed_again(file: Path):
    load_toml(file)
    file.write_text(CHANGED, encoding="utf-8")

    assert load_toml(file) == {"name": "e"}
    assert load_toml(file) == {"name": "e"}


def test_a_file_of_the_same_size_and_another_time_is_parsed_again(file: Path):
    load_toml(file)
    file.write_text(TEXT.replace("2.5", "3.5"), encoding="utf-8")
    os.utime(file, ns=(1, 1))

    assert load_toml(file)["rows"] == [{"years": [1, 3.5, True]}]


@pytest.mark.parametrize("content", [b"", b"\xc1", b"\x92\x00", b"\x00"])
def test_a_damaged_cache_is_written_again(content: bytes, file: Path):
    first = load_toml(file)
    cache = file.parent / "__pycache__" / "words.toml.msgpack"
    whole = cache.read_bytes()
    cache.write_bytes(content)

    assert load_toml(file) == first
    assert cache.read_bytes() == whole


def test_no_cache_is_written_where_python_may_write_none(
    file: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    load_toml(file)

    assert list_cached(file) == []


def test_a_table_is_read_where_no_cache_can_be_written(file: Path):
    (file.parent / "__pycache__").write_text("no folder")

    assert load_toml(file)["name"] == "é"


def test_a_file_that_is_not_toml_is_refused(file: Path):
    file.write_text("name =", encoding="utf-8")

    with pytest.raises(tomllib.TOMLDecodeError):
        load_toml(file)
