"""A cluster by pg_auto_failover: a monitor, itself a Postgres, says who is primary."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

BINARIES = "/usr/lib/postgresql/15/bin"
# As the monitor names them, when they are what they shall be.
ROLES = {"primary": "primary", "wait_primary": "primary", "single": "primary", "secondary": "sync"}
Program = tuple[str, str, tuple[str, ...]]  # its name, on which host, the command


def list_programs(folder: Path, cluster: dict[str, Any]) -> list[Program]:
    """In the order in which they are started. What was made once is only run again."""
    nodes = {name: cluster[name] for name in ("n1", "n2")}
    options = ("--auth", "trust", "--no-ssl", "--pgctl", f"{BINARIES}/pg_ctl", "--run")
    programs = [("w", "w", ("create", "monitor", *place(folder, "w", cluster["w"]), *options))]
    monitor = ("--monitor", make_url(cluster))
    for name, node in nodes.items():
        own = (*place(folder, name, node), "--name", name, *monitor, *options)
        programs.append((name, name, ("create", "postgres", *own)))
    return [
        (name, host, ("pg_autoctl", "run", "--pgdata", f"{folder}/{name}"))
        if (folder / name / "PG_VERSION").exists()
        else (name, host, ("pg_autoctl", *command))
        for name, host, command in programs
    ]


def place(folder: Path, name: str, node: dict[str, Any]) -> tuple[str, ...]:
    return (
        *("--pgdata", f"{folder}/{name}", "--pgport", str(node["a"])),
        *("--hostname", node["address"]),
    )


def make_url(cluster: dict[str, Any]) -> str:
    witness = cluster["w"]
    where = f"{witness['address']}:{witness['a']}"
    return f"postgresql://autoctl_node@{where}/pg_auto_failover?sslmode=disable"


def list_roles(cluster: dict[str, Any], names: Iterable[str]) -> dict[str, str]:
    sql = "select nodename, reportedstate from pgautofailover.node where health = 1"
    done = subprocess.run(
        ["psql", "-qXAt", "-F", " ", "-c", sql, make_url(cluster)],
        capture_output=True,
        text=True,
    )
    states = dict(line.split() for line in done.stdout.splitlines())
    return {name: ROLES.get(states.get(name, ""), "away") for name in names}
