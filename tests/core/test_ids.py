"""Identifiers grow with time, also within a millisecond."""

from __future__ import annotations

import time
import uuid

import pytest

from plainloop.agent.base.ids import make_id


def test_ids_sort_by_creation_time() -> None:
    made = [make_id() for _ in range(20_000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)


def test_ids_ascend_when_the_clock_is_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    before = make_id()
    hour_ago = time.time_ns() - 3_600 * 10**9
    monkeypatch.setattr(time, "time_ns", lambda: hour_ago)
    assert before < make_id() < make_id()


def test_an_id_is_a_uuid_version_7_of_the_current_time() -> None:
    before = time.time_ns() // 1_000_000
    made = uuid.UUID(make_id())
    assert (made.version, made.variant) == (7, uuid.RFC_4122)
    assert before <= made.int >> 80 <= time.time_ns() // 1_000_000 + 20
