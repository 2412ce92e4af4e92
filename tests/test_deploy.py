"""The files of deploy/, read by the programs that they are for where those are installed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from plainloop.agent.config.settings import Settings, list_known_settings
from plainloop.agent.service.settings import RunLimits
from plainloop.agent.store.embedded.cluster import get_binaries
from plainloop.agent.store.opening import connect_store
from plainloop.server.observe.metrics import Metrics
from plainloop.server.settings import ServerLimits
from tests.fixtures import (
    embedded_server,
    list_pack_migrations,
    make_database_url,
    make_settings,
    server_folder,
)

DEPLOY = Path(__file__).parent.parent / "deploy"
DASHBOARD = DEPLOY / "grafana" / "plainloop.json"
ALERTS = DEPLOY / "prometheus" / "alerts.yml"
MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
COMPOSE = "compose.yaml"
DAEMONS = "/usr/sbin:/usr/local/sbin"


def find(program: str) -> str:
    """Skips with a word where it is not installed."""
    found = shutil.which(program) or shutil.which(program, path=DAEMONS)
    if found is None:
        pytest.skip(f"{program} is not installed")
    return found


def check(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def list_expressions() -> list[str]:
    """Of all panels, as Prometheus gets them."""
    panels: list[Any] = json.loads(DASHBOARD.read_text())["panels"]
    found = [target["expr"] for panel in panels for target in panel["targets"]]
    return [text.replace("$__rate_interval", "5m") for text in found]


def load_manifests() -> list[dict[str, Any]]:
    return [item for path in MANIFESTS for item in yaml.safe_load_all(path.read_text())]


def test_prometheus_accepts_alerts_and_dashboard_expressions(tmp_path: Path) -> None:
    promtool = find("promtool")
    assert "8 rules found" in check(promtool, "check", "rules", ALERTS)
    rules = [{"record": f"panel:{n}", "expr": text} for n, text in enumerate(list_expressions())]
    file = tmp_path / "rules.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
    check(promtool, "check", "rules", file)
    check(promtool, "check", "config", "--syntax-only", DEPLOY / "prometheus" / "prometheus.yml")


def test_metrics_used_in_dashboards_and_alerts_are_exported() -> None:
    exported = {sample.name for family in Metrics().registry.collect() for sample in family.samples}
    families = {family.name for family in Metrics().registry.collect()}
    texts = [*list_expressions(), ALERTS.read_text(), *(p.read_text() for p in MANIFESTS)]
    named = {name for text in texts for name in re.findall(r"plainloop_[a-z_]+", text)}
    ends = re.compile("_(total|bucket)$")
    assert len(named) > 10
    assert {name for name in named if ends.sub("", name) not in families | exported} == set()


def test_nginx_accepts_the_sample_configuration(tmp_path: Path) -> None:
    nginx = find("nginx")
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    subject = ("-subj", "/CN=plainloop.example", "-days", "1", "-nodes")
    check(
        *(find("openssl"), "req", "-x509", "-newkey", "rsa:2048", *subject),
        *("-keyout", key, "-out", certificate),
    )
    sample = (DEPLOY / "nginx" / "plainloop.conf").read_text()
    for before, after in (
        ("/etc/ssl/plainloop", tmp_path),
        ("/var/log/nginx", tmp_path),
        ("listen 443", "listen 127.0.0.1:8443"),
    ):
        sample = sample.replace(before, str(after))
    top = f"pid {tmp_path}/pid;\nerror_log {tmp_path}/error;\nevents {{}}\nhttp {{\n{sample}\n}}\n"
    (tmp_path / "nginx.conf").write_text(top)
    told = check(nginx, "-t", "-p", tmp_path, "-c", tmp_path / "nginx.conf")
    assert "warn" not in told


@pytest.mark.parametrize("folder", ["caddy", "compose"])
def test_caddy_accepts_the_sample_configuration(folder: str) -> None:
    sample = DEPLOY / folder / "Caddyfile"
    check(find("caddy"), "validate", "--adapter", "caddyfile", "--config", sample)


@pytest.mark.parametrize("name", ["plainloop.service", "plainloop@.service"])
def test_systemd_accepts_the_sample_unit(name: str, tmp_path: Path) -> None:
    sample = (DEPLOY / "systemd" / name).read_text()
    unit = tmp_path / name
    changed = re.sub(r"/opt/plainloop/\w+/bin/plainloop", sys.executable, sample)
    assert changed != sample
    unit.write_text(changed)
    told = check(find("systemd-analyze"), "verify", "--man=no", unit)
    assert name not in told


@pytest.mark.parametrize("path", [DEPLOY.parent, DEPLOY / "compose"], ids=["one", "two"])
def test_compose_accepts_the_sample_files(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_AUTH_JWT_SECRET", "of the test")
    monkeypatch.setenv("POSTGRES_PASSWORD", "of-the-test")
    check(find("docker-compose"), "--project-directory", path, "-f", path / COMPOSE, "config", "-q")


@pytest.mark.parametrize("path", [DEPLOY.parent, DEPLOY / "compose"], ids=["one", "two"])
def test_compose_sets_no_default_password(path: Path) -> None:
    text = (path / COMPOSE).read_text()
    assert "POSTGRES_USER" not in text, "it would be the cluster's superuser"
    assert set(re.findall(r"\$\{\w*(?:SECRET|PASSWORD)(..)", text)) == {":?"}


async def test_composes_database_role_is_no_superuser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POSTGRES_PASSWORD", "it's-of-the-test")
    with server_folder() as folder, embedded_server(folder) as url:
        script = DEPLOY / "compose" / "postgres.sql"
        check(get_binaries() / "psql", "-v", "ON_ERROR_STOP=1", "-X", "-f", script, url)
        owned = make_database_url(url, "plainloop").replace("//postgres@", "//plainloop@")
        store = await connect_store(
            make_settings(owned, tmp_path), migration_folders=list_pack_migrations()
        )
        try:
            assert store.database.has_roles, "both locks: its role may create roles"
            async with store.database.connection() as connection:
                asked = "select rolsuper from pg_roles where rolname = current_user"
                assert await connection.fetchval(asked) is False
        finally:
            await store.close()


def test_compose_runs_two_equal_replicas_behind_a_proxy() -> None:
    services = yaml.safe_load((DEPLOY / "compose" / COMPOSE).read_text())["services"]
    assert services["plainloop-a"] == services["plainloop-b"]
    assert "ports" not in services["plainloop-a"]
    proxy = (DEPLOY / "compose" / "Caddyfile").read_text()
    assert "plainloop-a:8000 plainloop-b:8000" in proxy
    roll = (DEPLOY / "compose" / "roll").read_text()
    assert "for replica in plainloop-a plainloop-b;" in roll
    leave_s = int(services["plainloop-a"]["environment"]["AGENT_LIMITS_LEAVE_S"])
    given_s = int(services["plainloop-a"]["stop_grace_period"].rstrip("s"))
    assert given_s >= leave_s + Settings().get_table(ServerLimits).drain_s + 15


@pytest.mark.parametrize(
    ("proxy", "replica"),
    [
        ("caddy/Caddyfile", "systemd/plainloop@.service"),
        ("compose/Caddyfile", "compose/compose.yaml"),
    ],
)
def test_draining_lasts_longer_than_the_proxys_health_interval(proxy: str, replica: str):
    asks_s = re.search(r"health_interval (\d+)s", (DEPLOY / proxy).read_text())
    leaves_s = re.search(r"AGENT_LIMITS_LEAVE_S\W+(\d+)", (DEPLOY / replica).read_text())
    assert asks_s and leaves_s
    assert int(asks_s[1]) < int(leaves_s[1])


def test_the_manifests_use_only_known_kubernetes_fields() -> None:
    reason = "kubernetes-validate is not installed"
    kubernetes: Any = pytest.importorskip("kubernetes_validate", reason=reason)
    for manifest in load_manifests():
        kubernetes.validate(manifest, kubernetes.latest_version(), strict=True)


def test_the_manifests_refer_to_existing_objects_and_settings() -> None:
    manifests = {item["kind"]: item for item in load_manifests()}
    deployment = manifests["Deployment"]["spec"]["template"]
    (container,) = deployment["spec"]["containers"]
    labels = deployment["metadata"]["labels"].items()
    for kind, place in (("Service", "selector"), ("PodDisruptionBudget", "selector")):
        selector = manifests[kind]["spec"][place]
        assert (selector.get("matchLabels") or selector).items() <= labels
    ports = {port["name"] for port in container["ports"]}
    probes = [container[f"{kind}Probe"]["httpGet"] for kind in ("startup", "readiness", "liveness")]
    assert {probe["port"] for probe in probes} <= ports
    assert [probe["path"] for probe in probes] == ["/readyz", "/readyz", "/api/health"]
    variables = {row.env for row in list_known_settings()}
    assert {item["name"] for item in container["env"]} <= variables
    settings = Settings()
    drain_s = settings.get_table(ServerLimits).drain_s
    assert deployment["spec"]["terminationGracePeriodSeconds"] >= drain_s + 15
    target = manifests["HorizontalPodAutoscaler"]["spec"]["metrics"][0]["pods"]["target"]
    assert int(target["averageValue"]) < settings.get_table(RunLimits).runs_at_once


def test_the_jobs_completions_equal_its_shards() -> None:
    spec = next(item for item in load_manifests() if item["kind"] == "Job")["spec"]
    (container,) = spec["template"]["spec"]["containers"]
    assert f"--shard $((JOB_COMPLETION_INDEX + 1))/{spec['completions']} " in container["args"][0]
