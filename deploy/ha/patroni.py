"""A cluster by Patroni: etcd says who is primary, haproxy leads there."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from processes import Program

BINARIES = "/usr/lib/postgresql/15/bin"
CONFIGURATION = """\
scope: plainloop
name: {name}
restapi: {{listen: "{address}:{b}", connect_address: "{address}:{b}"}}
etcd3: {{hosts: "{etcd}"}}
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
        # So long commits wait for a standby that is cut off without a word.
        wal_sender_timeout: 5s
        wal_receiver_timeout: 5s
  initdb: [{{encoding: UTF8}}, data-checksums]
postgresql:
  listen: "{address}:{a}"
  connect_address: "{address}:{a}"
  data_dir: {folder}/{name}
  bin_dir: {binaries}
  pgpass: {folder}/{name}.pgpass
  authentication:
    superuser: {{username: postgres}}
    replication: {{username: replicator}}
    rewind: {{username: rewinder}}
  pg_hba:
    - local all all trust
    - host all all {range} trust
    - host replication all {range} trust
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
  bind {address}:{c}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
"""


def list_programs(folder: Path, cluster: dict[str, Any]) -> list[Program]:
    """In the order in which they are started; their files are written."""
    witness = cluster["w"]
    address, etcd = witness["address"], f"{witness['address']}:{witness['a']}"
    client, peer = f"http://{etcd}", f"http://{address}:{witness['b']}"
    where = ("127.0.0.1/32", f"{address.rpartition('.')[0]}.0/24")[bool(cluster["hosts"])]
    nodes = {name: cluster[name] for name in ("n1", "n2")}
    for name, node in nodes.items():
        own = {**node, "name": name, "folder": folder, "range": where}
        text = CONFIGURATION.format(**own, binaries=BINARIES, etcd=etcd)
        (folder / f"{name}.yml").write_text(text)
    servers = "\n".join(
        f"  server {name} {node['address']}:{node['a']} check port {node['b']}"
        for name, node in nodes.items()
    )
    (folder / "haproxy.cfg").write_text(HAPROXY.format(**witness, servers=servers))
    etcd_command = (
        *("etcd", "--name", "e1", "--data-dir", f"{folder}/etcd"),
        *("--listen-client-urls", client, "--advertise-client-urls", client),
        *("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer),
        *("--initial-cluster", f"e1={peer}"),
    )
    return [
        Program("etcd", "w", etcd_command),
        *(Program(name, name, ("patroni", f"{folder}/{name}.yml")) for name in nodes),
        Program("haproxy", "w", ("haproxy", "-f", f"{folder}/haproxy.cfg", "-db")),
    ]


def list_roles(cluster: dict[str, Any], names: Iterable[str]) -> dict[str, str]:
    return {name: read_role(cluster[name]) for name in names}


def read_role(node: dict[str, Any]) -> str:
    for role in ("primary", "sync", "replica"):
        url = f"http://{node['address']}:{node['b']}/{role}"
        try:
            with urllib.request.urlopen(urllib.request.Request(url, method="OPTIONS"), timeout=2):
                return role
        except urllib.error.HTTPError:
            continue
        except OSError:
            return "away"
    return "away"
