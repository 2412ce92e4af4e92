"""The rooms of live replays stand on one another: imports go down, never sideways or up."""

from __future__ import annotations

from tests.test_layers import is_within, list_imports

ROOMS = (
    "store",
    "live",
    "batches",
    "comparing",
    "report",
    "decide",
    "advise",
    "service",
    "routes",
    "commands",
)
SIDE_BY_SIDE = ("batches", "comparing")


def find_room(module: str) -> str | None:
    rooms = (room for room in ROOMS if is_within(module, f"plainloop_lab.{room}"))
    return next(rooms, None)


def test_packages_of_replay_import_only_lower_layers() -> None:
    pairs = [(str(item), find_room(item.module), find_room(item.target)) for item in list_imports()]
    wrong = [
        text
        for text, here, there in pairs
        if here
        and there
        and here != there
        and (ROOMS.index(there) > ROOMS.index(here) or {here, there} == set(SIDE_BY_SIDE))
    ]

    assert wrong == []
