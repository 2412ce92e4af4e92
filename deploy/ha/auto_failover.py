"""A cluster by pg_auto_failover: a monitor, itself a Postgres, says who is primary."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from processes import Program

BINARIES = "/usr/lib/postgresql/15/bin"
# As the monitor names them, when they are what they shall be.
ROLES = {"primary": "primary", "wait_primary": "primary", "single": "primary", "secondary": "sync"}
# Of the monitor, in milliseconds: a node without a sign of life is found, and a primary that does
# not say that it stopped is replaced, as soon as a busy machine allows; 20 and 30 s by default.
# A primary that is cut off ends by itself after 20 (timeout.network_partition_timeout of its own);
# until then it confirms no write, as its standby is synchronous, but still answers reads.
QUICK = {
    "health_check_period": 1000,
    "health_check_timeout": 2000,
    "health_check_max_retries": 1,
    "health_check_retry_delay": 500,
    "node_considered_unhealthy_timeout": 6000,
    "primary_demote_timeout": 3000,
}


def list_programs(folder: Path, cluster: dict[str, Any]) -> list[Program]:
    """In the order in which they are started, each when the one before it is there: a node that
    finds no monitor gives up after 15 s. What was made once is only run again.
    """
    options = ("--auth", "trust", "--no-ssl", "--pgctl", f"{BINARIES}/pg_ctl", "--run")
    made = ("create", "monitor", *place(folder, "w", cluster["w"]), *options)
    programs = [make_program(folder, cluster, "w", made, "true")]
    for name in ("n1", "n2"):
        own = (*place(folder, name, cluster[name]), "--name", name, "--monitor", make_url(cluster))
        known = (
            "exists (select from pgautofailover.node "
            f"where nodename = '{name}' and reportedstate <> 'init')"
        )
        made = ("create", "postgres", *own, *options)
        programs.append(make_program(folder, cluster, name, made, known))
    return programs


def make_program(
    folder: Path, cluster: dict[str, Any], name: str, made: tuple[str, ...], ready: str
) -> Program:
    """ready: what the monitor says of it, in SQL."""
    again = ("run", "--pgdata", f"{folder}/{name}")
    command = again if (folder / name / "PG_VERSION").exists() else made

    def is_ready() -> bool:
        return ask(cluster, f"select {ready}") == "t\n"

    return Program(name, name, ("pg_autoctl", *command), is_ready)


def place(folder: Path, name: str, node: dict[str, Any]) -> tuple[str, ...]:
    return (
        *("--pgdata", f"{folder}/{name}", "--pgport", str(node["a"])),
        *("--hostname", node["address"]),
    )


def make_url(cluster: dict[str, Any], user: str = "autoctl_node") -> str:
    witness = cluster["w"]
    where = f"{witness['address']}:{witness['a']}"
    return f"postgresql://{user}@{where}/pg_auto_failover?sslmode=disable"


def set_quick(cluster: dict[str, Any]) -> None:
    changes = [f"alter system set pgautofailover.{key} = {value}" for key, value in QUICK.items()]
    told = [part for sql in (*changes, "select pg_reload_conf()") for part in ("-c", sql)]
    url = make_url(cluster, "postgres")
    subprocess.run(["psql", "-qXAt", "-o", "/dev/null", *told, url], check=True)


def list_roles(cluster: dict[str, Any], names: Iterable[str]) -> dict[str, str]:
    sql = "select nodename, reportedstate from pgautofailover.node where health = 1"
    states = dict(line.split() for line in ask(cluster, sql).splitlines())
    return {name: ROLES.get(states.get(name, ""), "away") for name in names}


def ask(cluster: dict[str, Any], sql: str) -> str:
    """The monitor's answer, nothing while it is not there."""
    done = subprocess.run(
        ["psql", "-qXAt", "-F", " ", "-c", sql, make_url(cluster)], capture_output=True, text=True
    )
    return done.stdout
