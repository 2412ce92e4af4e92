"""What can be said of the container files without an engine to build them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from plainloop.agent.config.settings import list_known_settings
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS

ROOT = Path(__file__).parents[2]
KNOWN = {
    *(row.env for row in list_known_settings()),
    *(name for item in PROVIDER_DEFAULTS.values() for name in item.key_variables),
}


def read_instructions() -> list[tuple[str, str]]:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(name, rest.strip()) for name, _, rest in (line.partition(" ") for line in lines)]


def test_the_dockerfile_copies_existing_files_and_drops_root():
    instructions = read_instructions()
    copied = [rest.split()[:-1] for name, rest in instructions if name == "COPY"]
    sources = [source for group in copied for source in group if not source.startswith("--")]
    names = [name for name, _ in instructions]
    allowed = (ROOT / ".dockerignore").read_text().splitlines()

    assert {*names} <= set("FROM WORKDIR ARG ENV RUN COPY USER EXPOSE".split()) | {
        "STOPSIGNAL",
        "HEALTHCHECK",
        "ENTRYPOINT",
        "CMD",
    }
    for source in sources:
        if not source.startswith("/"):
            assert (ROOT / source).exists(), source
            assert f"!{source}" in allowed, source
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert dict(instructions)["USER"] == "plainloop"
    settings = re.findall(r"\b(AGENT_\w+)=", dict(instructions)["ENV"])
    assert settings == ["AGENT_DATA_DIR", "AGENT_EXPORT_DIR"]


def test_compose_uses_known_settings_and_requires_a_secret():
    compose: Any = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    service = compose["services"]["plainloop"]
    environment = service["environment"]

    assert {name for name in environment if name not in KNOWN} == set()
    assert environment["AGENT_AUTH_JWT_SECRET"].startswith("${AGENT_AUTH_JWT_SECRET:?")
    assert service["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert service["read_only"] is True
    assert service["ports"] == ["127.0.0.1:8000:8000"]
    mounted = {item.split(":")[0] for item in service["volumes"]}
    mounted |= {item.split(":")[0] for item in compose["services"]["postgres"]["volumes"]}
    assert {name for name in mounted if not name.startswith(".")} == set(compose["volumes"])
    database = service["environment"]["DATABASE_URL"]
    assert ":${POSTGRES_PASSWORD:?" in database
