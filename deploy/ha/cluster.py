#!/usr/bin/env python3
"""A Patroni cluster on one machine, to try what a service does when its Postgres fails over.

    cluster.py up DIR           etcd, two Postgres (one a synchronous standby), haproxy; their URLs
    cluster.py kill DIR HOW     of the primary: `postgres` dies alone, or `host` with its Patroni;
                                `vanish`: as `host`, but nobody is told that connections ended
    cluster.py start DIR        Patroni again where it is missing; its Postgres joins as standby
    cluster.py roles DIR        who is what
    cluster.py down DIR

Debian: patroni etcd-server haproxy postgresql-15. Under root everything runs as `postgres`, who
must be able to reach DIR. The settings are what docs/operations.md recommends; for a real one take
each node's file, a host for each, and etcd on three.
"""

from __future__ import annotations

import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

NODES = ("n1", "n2")
BINARIES = "/usr/lib/postgresql/15/bin"
WAIT_S = 120

PATRONI = """\
scope: plainloop
name: {name}
restapi: {{listen: "127.0.0.1:{rest}", connect_address: "127.0.0.1:{rest}"}}
etcd3: {{hosts: "127.0.0.1:{etcd}"}}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 3
    retry_timeout: 5
    # A primary that died alone is not waited for: the standby has everything.
    primary_start_timeout: 0
    master_start_timeout: 0
    # What was acknowledged is on two nodes. While there is only one, it goes on alone.
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters:
        max_connections: 100
        wal_log_hints: "on"
        wal_keep_size: 256MB
  initdb: [{{encoding: UTF8}}, data-checksums]
postgresql:
  listen: "127.0.0.1:{port}"
  connect_address: "127.0.0.1:{port}"
  data_dir: {folder}/{name}
  bin_dir: {binaries}
  pgpass: {folder}/{name}.pgpass
  authentication:
    superuser: {{username: postgres}}
    replication: {{username: replicator}}
    rewind: {{username: rewinder}}
  pg_hba:
    - local all all trust
    - host all all 127.0.0.1/32 trust
    - host replication all 127.0.0.1/32 trust
  parameters: {{unix_socket_directories: {folder}}}
"""
HAPROXY = """\
global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen postgres
  bind 127.0.0.1:{proxy}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
"""


def main(arguments: list[str]) -> None:
    command, folder = arguments[0], Path(arguments[1])
    if command == "up":
        up(folder)
    elif command == "kill":
        kill_primary(folder, arguments[2])
    elif command == "start":
        start(folder)
    elif command == "roles":
        print(json.dumps(list_roles(load(folder))))
    elif command == "down":
        down(folder)
    else:
        sys.exit(__doc__)


def up(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if os.geteuid() == 0:
        owner = pwd.getpwnam("postgres")
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    ports = find_ports(3 + 2 * len(NODES))
    cluster: dict[str, Any] = {
        "etcd": ports[0],
        "peer": ports[1],
        "proxy": ports[2],
        "nodes": {
            name: {"port": ports[3 + 2 * n], "rest": ports[4 + 2 * n]}
            for n, name in enumerate(NODES)
        },
    }
    (folder / "cluster.json").write_text(json.dumps(cluster))
    for name, node in cluster["nodes"].items():
        text = PATRONI.format(
            name=name, folder=folder, binaries=BINARIES, etcd=cluster["etcd"], **node
        )
        (folder / f"{name}.yml").write_text(text)
    servers = "".join(
        f"  server {name} 127.0.0.1:{node['port']} check port {node['rest']}\n"
        for name, node in cluster["nodes"].items()
    )
    (folder / "haproxy.cfg").write_text(HAPROXY.format(proxy=cluster["proxy"], servers=servers))
    start(folder)
    wait_for("a primary and its standby", lambda: is_whole(cluster))
    run_sql(cluster, "create database plainloop")
    print(json.dumps(list_urls(cluster)))


def list_urls(cluster: dict[str, Any]) -> dict[str, str]:
    hosts = ",".join(f"127.0.0.1:{node['port']}" for node in cluster["nodes"].values())
    return {
        "hosts": f"postgresql://postgres@{hosts}/plainloop?target_session_attrs=read-write",
        "proxy": f"postgresql://postgres@127.0.0.1:{cluster['proxy']}/plainloop",
    }


def start(folder: Path) -> None:
    cluster = load(folder)
    client, peer = (f"http://127.0.0.1:{cluster[name]}" for name in ("etcd", "peer"))
    spawn(
        folder,
        "etcd",
        *("etcd", "--name", "e1", "--data-dir", f"{folder}/etcd"),
        *("--listen-client-urls", client, "--advertise-client-urls", client),
        *("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer),
        *("--initial-cluster", f"e1={peer}"),
    )
    for name in cluster["nodes"]:
        spawn(folder, name, "patroni", f"{folder}/{name}.yml")
    spawn(folder, "haproxy", "haproxy", "-f", f"{folder}/haproxy.cfg", "-db")


def spawn(folder: Path, name: str, *command: str) -> None:
    """Unless it runs already. Its output is in DIR/NAME.log."""
    pid_file = folder / f"{name}.pid"
    if pid_file.exists() and is_alive(int(pid_file.read_text())):
        return
    path = os.environ["PATH"] + ":/usr/sbin"
    program = shutil.which(command[0], path=path)
    if program is None:
        sys.exit(f"{command[0]} is not installed")
    as_postgres: tuple[str, ...] = ()
    if os.geteuid() == 0:
        as_postgres = ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")
    with (folder / f"{name}.log").open("ab") as log:
        process = subprocess.Popen(
            [*as_postgres, program, *command[1:]],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=folder,
            env={"PATH": path, "HOME": str(folder), "LANG": "C.UTF-8"},
            start_new_session=True,
        )
    pid_file.write_text(str(process.pid))


def kill_primary(folder: Path, how: str) -> None:
    """By SIGKILL, with all its backends; `host`: Patroni first, so that nobody says goodbye.
    `vanish`: by SIGSTOP, Patroni too: connections stay open, and nobody ever answers.
    """
    cluster = load(folder)
    name = wait_for("a primary", lambda: find_primary(cluster))
    postmaster = int((folder / name / "postmaster.pid").read_text().split()[0])
    victims = [postmaster, *list_children(postmaster)]
    if how in ("host", "vanish"):
        patroni = int((folder / f"{name}.pid").read_text())
        victims = [patroni, *list_children(patroni), *victims]
    for pid in dict.fromkeys(victims):
        try:
            os.kill(pid, signal.SIGSTOP if how == "vanish" else signal.SIGKILL)
        except ProcessLookupError:
            continue
    print(name)


def down(folder: Path) -> None:
    """Everything of DIR; the folder is the caller's to remove."""
    names = ("haproxy", *load(folder)["nodes"], "etcd")
    for name in names:
        pid_file = folder / f"{name}.pid"
        postmaster = folder / name / "postmaster.pid"
        roots = [int(pid_file.read_text())] if pid_file.exists() else []
        if postmaster.exists():
            roots.append(int(postmaster.read_text().split()[0]))
        for pid in [item for root in roots for item in (root, *list_children(root))]:
            if is_of(pid, folder):
                os.kill(pid, signal.SIGKILL)


def is_of(pid: int, folder: Path) -> bool:
    """Whether it runs in there: the numbers of dead processes are given to others."""
    try:
        return Path(f"/proc/{pid}/cwd").readlink().is_relative_to(folder.resolve())
    except OSError:
        return False


def list_children(parent: int) -> list[int]:
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            child = int(path.parent.name)
            found += [child, *list_children(child)]
    return found


def list_roles(cluster: dict[str, Any]) -> dict[str, str]:
    return {name: read_role(node["rest"]) for name, node in cluster["nodes"].items()}


def read_role(rest: int) -> str:
    """`primary`, `sync`, `replica`, or `away`."""
    for role in ("primary", "sync", "replica"):
        request = urllib.request.Request(f"http://127.0.0.1:{rest}/{role}", method="OPTIONS")
        try:
            with urllib.request.urlopen(request, timeout=2):
                return role
        except urllib.error.HTTPError:
            continue
        except OSError:
            return "away"
    return "away"


def find_primary(cluster: dict[str, Any]) -> str | None:
    roles = list_roles(cluster)
    return next((name for name, role in roles.items() if role == "primary"), None)


def is_whole(cluster: dict[str, Any]) -> bool:
    return sorted(list_roles(cluster).values()) == ["primary", "sync"]


def run_sql(cluster: dict[str, Any], sql: str) -> None:
    url = list_urls(cluster)["hosts"].replace("/plainloop?", "/postgres?")
    subprocess.run(["psql", "-qX", "-v", "ON_ERROR_STOP=1", "-c", sql, url], check=True)


def wait_for(what: str, look: Any) -> Any:
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        if found := look():
            return found
        time.sleep(0.2)
    sys.exit(f"{what} did not come within {WAIT_S} s")


def find_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for item in sockets:
        item.bind(("127.0.0.1", 0))
    ports = [item.getsockname()[1] for item in sockets]
    for item in sockets:
        item.close()
    return ports


def is_alive(pid: int) -> bool:
    """A zombie, whose parent did not ask for it, is dead."""
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def load(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "cluster.json").read_text())


if __name__ == "__main__":
    main(sys.argv[1:])
