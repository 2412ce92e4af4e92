"""A thread's history as states: one after each message, named by how many there were.

A checkpoint's id is made of the thread and that number, so that it names the same place for good,
and no other thread's. A message in the place of an earlier one begins a branch, which has ids of
its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import NotFoundError, RunCancelled
from plainloop.agent.store.records import RunInfo, ThreadInfo

from .messages import Placed


def make_checkpoint_id(thread_id: str, count: int) -> str:
    """Make the id of a thread's state, in the form of a UUID.

    The ids of a thread's states sort in the order of the states.

    >>> make_checkpoint_id("a", 1) < make_checkpoint_id("a", 11)
    True
    """
    tail = hashlib.sha256(thread_id.encode()).hexdigest()
    return f"{count:08x}-{tail[:4]}-6{tail[4:7]}-8{tail[7:10]}-{tail[10:22]}"


def read_checkpoint_id(thread_id: str, checkpoint_id: str) -> int:
    """Return the number of messages in the state that a checkpoint's id names.

    Raises: NotFoundError.
    """
    head = checkpoint_id.partition("-")[0]
    try:
        count = int(head, 16)
    except ValueError:
        count = -1
    if count < 0 or make_checkpoint_id(thread_id, count) != checkpoint_id:
        raise NotFoundError(
            f"no such checkpoint: {checkpoint_id[:40]}",
            hint="GET /threads/{thread_id}/history lists the thread's checkpoints.",
        )
    return count


@dataclass(frozen=True, slots=True)
class History:
    """A thread's messages, metadata, last run and interrupt, from which its states are built."""

    thread: ThreadInfo
    name: str
    placed: Sequence[Placed]
    metadata: Mapping[str, Any]
    run: RunInfo | None  # the last one
    interrupt: Mapping[str, Any] | None  # that waits

    @property
    def counts(self) -> list[int]:
        """Return how many messages each state of the thread has, oldest first.

        The first state has 0; another state follows after each stored message.
        """
        return [0, *dict.fromkeys(item.position + 1 for item in self.placed)]

    @property
    def open_calls(self) -> set[str]:
        """Return the ids of the tool calls that have no result.

        They are pending or abandoned.
        """
        shown = [item.message for item in self.placed]
        asked = {call["id"] for message in shown for call in message.get("tool_calls", ())}
        return asked - {message.get("tool_call_id") for message in shown}

    @property
    def values(self) -> dict[str, Any] | None:
        """Return the thread's newest state.

        None without any message.
        """
        return self._get_values(self.counts[-1]) if self.placed else None

    def get_values_of(self, run_id: str) -> dict[str, Any] | None:
        """Return the thread's state after the run's last message.

        If the run has none, it is the thread's newest state.
        """
        own = [item.position for item in self.placed if item.source.run_id == run_id]
        return self._get_values(own[-1] + 1) if own else self.values

    @property
    def error(self) -> str | None:
        """Return the last run's error as JSON, or None."""
        if self.run is None or self.run.error_code in (None, RunCancelled.code):
            return None
        told = {"error": self.run.error_code, "message": self.run.error_message or ""}
        return orjson.dumps(told).decode()

    def find_index(self, checkpoint_id: str) -> int:
        """Return the index of the state with this id.

        Raises: NotFoundError.
        """
        count = read_checkpoint_id(self.thread.thread_id, checkpoint_id)
        if count not in self.counts:
            raise NotFoundError(
                f"no such checkpoint: {checkpoint_id[:40]}",
                hint="GET /threads/{thread_id}/history lists the thread's checkpoints.",
            )
        return self.counts.index(count)

    def make_state(self, index: int) -> dict[str, Any]:
        counts = self.counts
        count, is_head = counts[index], index == len(counts) - 1
        tasks = self._list_tasks() if is_head else []
        here = self._make_checkpoint(count)
        before = self._make_checkpoint(counts[index - 1]) if index else None
        source = "input" if index == 0 else "loop"
        times = (item.source.created_at for item in self.placed if item.position == count - 1)
        return {
            "values": self._get_values(count),
            "next": [task["name"] for task in tasks if task["interrupts"]],
            "tasks": tasks,
            "interrupts": [item for task in tasks for item in task["interrupts"]],
            "metadata": {**self.metadata, "source": source, "step": index - 1, "parents": {}},
            "created_at": next(times, self.thread.created_at).isoformat(),
            "checkpoint": here,
            "parent_checkpoint": before,
            "checkpoint_id": here["checkpoint_id"],
            "parent_checkpoint_id": before and before["checkpoint_id"],
        }

    def _get_values(self, count: int) -> dict[str, Any]:
        return {"messages": [item.message for item in self.placed if item.position < count]}

    def _make_checkpoint(self, count: int) -> dict[str, str]:
        checkpoint_id = make_checkpoint_id(self.thread.thread_id, count)
        return {"checkpoint_id": checkpoint_id, "thread_id": self.name, "checkpoint_ns": ""}

    def _list_tasks(self) -> list[dict[str, Any]]:
        """List the state's tasks: a pending interrupt, or the last run's error."""
        if self.run is None or not (self.interrupt or self.error):
            return []
        none: dict[str, Any] = dict.fromkeys(("checkpoint", "state", "result"))
        named = {"id": self.run.run_id, "name": self.run.design, "path": [self.run.design]}
        asked = [self.interrupt] if self.interrupt else []
        return [{**named, "error": self.error, "interrupts": asked, **none}]
