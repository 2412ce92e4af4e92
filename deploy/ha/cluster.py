#!/usr/bin/env python3
"""A Postgres cluster on one machine, to try what a service does when its Postgres fails over.

    cluster.py up DIR [OPTIONS]    two Postgres, one a synchronous standby; prints their URLs
        --by auto_failover         by pg_auto_failover and its monitor; else by Patroni and etcd,
                                   with haproxy before them
        --quick                    its monitor waits for less (auto_failover.py); Patroni's ttl is
                                   the least that there is
        --delay MS                 on hosts with addresses of their own, so far apart (network.py)
        --host NAME                one more of them, for a service; n1, n2 and w are there
    cluster.py kill DIR HOW        of the primary: `postgres` dies alone, or `host` with what keeps
                                   it; `vanish`: as `host`, but connections just stop; prints its
                                   name, and when (the monotonic clock)
    cluster.py cut DIR HOST OTHER  nothing passes between them; OTHER: a host, `outside`, or `all`
    cluster.py heal DIR            everything passes again
    cluster.py start DIR           again what is missing; an old primary joins as standby
    cluster.py roles DIR           who is what
    cluster.py down DIR

Debian: postgresql-15, patroni etcd-server haproxy or pg-auto-failover-cli
postgresql-15-auto-failover. Under root everything runs as `postgres`, who must be able to reach
DIR. The settings are what docs/scale.md recommends; for a real one take each node's file, a
host for each, and etcd on three.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import auto_failover
import patroni
from network import OUTSIDE, name_namespace, run_ip
from processes import Program, end_all, find_ports, freeze, make_folder, send, spawn, wait_for

NODES = ("n1", "n2")
WITNESS = "w"  # where etcd and haproxy are, or the monitor
ENGINES: dict[str, Any] = {"patroni": patroni, "auto_failover": auto_failover}


def main(arguments: argparse.Namespace) -> None:
    folder: Path = arguments.folder
    if arguments.command == "up":
        up(folder, arguments)
    elif arguments.command == "kill":
        kill_primary(folder, arguments.how)
    elif arguments.command == "cut":
        write_cuts(folder, [(arguments.host, arguments.other)])
    elif arguments.command == "heal":
        write_cuts(folder, [])
    elif arguments.command == "start":
        start(folder, load(folder))
    elif arguments.command == "roles":
        print(json.dumps(list_roles(load(folder))))
    else:
        down(folder)


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(usage=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("up", "kill", "cut", "heal", "start", "roles", "down"):
        command = commands.add_parser(name, usage=__doc__)
        command.add_argument("folder", type=Path)
        if name == "up":
            command.add_argument("--by", choices=ENGINES, default="patroni")
            command.add_argument("--delay", type=float)
            command.add_argument("--quick", action="store_true")
            command.add_argument("--host", action="append", default=[])
        elif name == "kill":
            command.add_argument("how", choices=("postgres", "host", "vanish"))
        elif name == "cut":
            command.add_argument("host")
            command.add_argument("other")
    return parser.parse_args(arguments)


def up(folder: Path, wanted: argparse.Namespace) -> None:
    make_folder(folder)
    cluster: dict[str, Any] = {"by": wanted.by, "hosts": [], "addresses": {}}
    if wanted.delay is not None:
        cluster["hosts"] = [*NODES, WITNESS, *wanted.host]
        cluster["addresses"] = start_network(folder, wanted.delay, cluster["hosts"])
    ports = iter(find_ports(9))
    for name in (*NODES, WITNESS):
        address = cluster["addresses"].get(name, "127.0.0.1")
        cluster[name] = {"address": address, "a": next(ports), "b": next(ports), "c": next(ports)}
    (folder / "cluster.json").write_text(json.dumps(cluster))
    start(folder, cluster)
    names = [program.name for program in list_programs(folder, cluster)]
    wait_for("a primary and its standby", lambda: is_whole(cluster), folder, names)
    run_sql(cluster, "create database plainloop")
    if wanted.quick and wanted.by == "auto_failover":
        auto_failover.set_quick(cluster)
    print(json.dumps(describe(folder, cluster)))


def start_network(folder: Path, delay_ms: float, hosts: list[str]) -> dict[str, str]:
    """The address of each host."""
    with (folder / "network.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("network.py"), folder, str(delay_ms), *hosts],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=folder,
            start_new_session=True,
        )
    (folder / "network.pid").write_text(str(process.pid))
    written = folder / "addresses.json"
    wait_for("the network", lambda: written.exists() or process.poll() is not None)
    if not written.exists():
        sys.exit(f"no network: see {folder}/network.log")
    return json.loads(written.read_text())


def start(folder: Path, cluster: dict[str, Any]) -> None:
    for program in list_programs(folder, cluster):
        spawn(folder, program.name, program.command, enter(folder, cluster, program.host))
        if program.is_ready is not None:
            wait_for(program.name, program.is_ready, folder, [program.name])


def list_programs(folder: Path, cluster: dict[str, Any]) -> list[Program]:
    return ENGINES[cluster["by"]].list_programs(folder, cluster)


def enter(folder: Path, cluster: dict[str, Any], host: str) -> list[str]:
    """What comes before a command, so that it runs on the host."""
    if host not in cluster["hosts"]:
        return []
    return ["ip", "netns", "exec", name_namespace(folder, host)]


def describe(folder: Path, cluster: dict[str, Any]) -> dict[str, Any]:
    """The addresses for a service, and how commands come onto the hosts."""
    hosts = ",".join(f"{cluster[name]['address']}:{cluster[name]['a']}" for name in NODES)
    urls = {"hosts": f"postgresql://postgres@{hosts}/plainloop?target_session_attrs=read-write"}
    if cluster["by"] == "patroni":
        proxy = f"{cluster[WITNESS]['address']}:{cluster[WITNESS]['c']}"
        urls["proxy"] = f"postgresql://postgres@{proxy}/plainloop"
    return {
        "urls": urls,
        "addresses": cluster["addresses"],
        "enter": {host: enter(folder, cluster, host) for host in cluster["hosts"]},
    }


def kill_primary(folder: Path, how: str) -> None:
    """By SIGKILL, with all its backends; `host`: what keeps it first, so that nobody says goodbye.
    `vanish`: by SIGSTOP, that too: connections stay open, and nobody ever answers.
    """
    cluster = load(folder)
    name = wait_for("a primary", lambda: find_primary(cluster))
    postmaster = int((folder / name / "postmaster.pid").read_text().split()[0])
    roots = [postmaster]
    if how in ("host", "vanish"):
        roots.insert(0, int((folder / f"{name}.pid").read_text()))
    victims = freeze(roots)
    if how != "vanish":
        send(signal.SIGKILL, victims)
    print(name, time.monotonic())


def write_cuts(folder: Path, pairs: list[tuple[str, str]]) -> None:
    known = {OUTSIDE, "all", *load(folder)["hosts"]}
    if unknown := {name for pair in pairs for name in pair} - known:
        sys.exit(f"no such host: {', '.join(sorted(unknown))}")
    (folder / "cuts.json").write_text(json.dumps(pairs))
    os.kill(int((folder / "network.pid").read_text()), signal.SIGHUP)


def down(folder: Path) -> None:
    """Everything of DIR; the folder is the caller's to remove."""
    if not (folder / "cluster.json").exists():
        end_all(folder, ["network"])
        return
    cluster = load(folder)
    end_all(folder, [*(program.name for program in list_programs(folder, cluster)), "network"])
    for host in cluster["hosts"]:
        run_ip("netns", "del", name_namespace(folder, host))


def list_roles(cluster: dict[str, Any]) -> dict[str, str]:
    """Of each node: `primary`, `sync`, `replica`, or `away`."""
    return ENGINES[cluster["by"]].list_roles(cluster, NODES)


def find_primary(cluster: dict[str, Any]) -> str | None:
    roles = list_roles(cluster)
    return next((name for name, role in roles.items() if role == "primary"), None)


def is_whole(cluster: dict[str, Any]) -> bool:
    return sorted(list_roles(cluster).values()) == ["primary", "sync"]


def run_sql(cluster: dict[str, Any], sql: str) -> None:
    node = cluster[wait_for("a primary", lambda: find_primary(cluster))]
    url = f"postgresql://postgres@{node['address']}:{node['a']}/postgres"
    subprocess.run(["psql", "-qX", "-v", "ON_ERROR_STOP=1", "-c", sql, url], check=True)


def load(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "cluster.json").read_text())


if __name__ == "__main__":
    main(parse(sys.argv[1:]))
