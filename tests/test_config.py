"""Settings: where they come from, which wins, and what a mistake is told."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plainloop.agent.config.describing import describe_settings
from plainloop.agent.config.example import build_example
from plainloop.agent.config.settings import (
    Limits,
    RoleSettings,
    Secret,
    Settings,
    list_known_settings,
    load_settings,
)
from plainloop.agent.config.values import (
    Count,
    Models,
    Named,
    Nice,
    Pair,
    Port,
    Seconds,
    Share,
    Temperature,
)
from plainloop.agent.errors import ConfigError
from plainloop.agent.providers.settings import GeminiSettings
from plainloop.agent.service.settings import RunLimits
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.server.settings import ServerSettings

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)


def write_file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "plainloop.toml"
    path.write_text(text, encoding="utf-8")
    return path


def read_error(environ: dict[str, str], path: Path | None = None) -> tuple[str, str | None]:
    with pytest.raises(ConfigError) as raised:
        load_settings(environ, path)
    return raised.value.message, raised.value.hint


def test_without_file_and_environment_every_setting_has_its_default():
    settings = load_settings({})

    assert {source for *_, source in describe_settings(settings)} == {"default"}
    assert (settings.provider, settings.api_key, settings.config_path) == (None, None, None)
    assert settings.limits == Limits()
    assert settings.data_dir.is_absolute()


SAMPLES: dict[Any, str] = {  # in TOML, of each kind of setting that is no text
    Count: "7",
    Pair: "7",
    Nice: "7",
    Seconds: "7.5",
    Share: "0.5",
    Temperature: "0.5",
    Port: "9000",
    bool: "true",
    tuple[str, ...]: '["text", "other"]',
    Models: '["gemini:flash", "ollama:llama3.1:8b"]',
    Named: '["text=other"]',
}


def write_sample(row: Any) -> str:
    """The setting's line in its table: the first of its words, or a value of its kind."""
    words = get_args(row.kind) if get_origin(row.kind) is Literal else ()
    value = f'"{words[0]}"' if words else SAMPLES.get(row.kind, '"text"')
    return f"{row.key.rpartition('.')[2]} = {value}"


def test_every_setting_can_come_from_the_file(tmp_path: Path):
    rows = list_known_settings(("evaluator",))
    tables = {row.key.rpartition(".")[0]: list[str]() for row in rows}
    for row in rows:
        tables[row.key.rpartition(".")[0]].append(write_sample(row))
    tables["limits"].remove("lease_s = 7.5")
    tables["limits"].append("lease_s = 99")
    lines = [line for name in sorted(tables) for line in (f"[{name}]", *tables[name])]
    path = write_file(tmp_path, "\n".join(lines).removeprefix("[]"))

    settings = load_settings({}, path)

    assert {(key, source) for key, _, _, source in describe_settings(settings)} == {
        (row.key, "file") for row in list_known_settings(("evaluator",))
    }
    assert settings.data_dir == tmp_path / "text"
    assert settings.agent.packs == ("text", "other")
    assert settings.agents == {
        "evaluator": RoleSettings(
            provider="text",
            model="text",
            api_key=Secret("text"),
            api_base="text",
            protocol="chat",
            thoughts_in_text=True,
            fallback=("gemini:flash", "ollama:llama3.1:8b"),
            temperature=0.5,
            effort="none",
            cascade=True,
            route_table=tmp_path / "text",
        )
    }
    assert settings.get_table(DatabaseSettings).url == Secret("text")
    assert (settings.limits.worker_turns, settings.get_table(RunLimits).lease_s) == (7, 99.0)


def test_every_setting_can_come_from_the_environment():
    texts = {
        Count: "7",
        Pair: "7",
        Nice: "7",
        Seconds: "9.5",
        Share: "0.5",
        Temperature: "0.5",
        Port: "0",
        bool: "yes",
        Models: "openai:a, gemini:b",
        Named: "text=other",
    }
    rows = list_known_settings(("job_search",))
    environ = {
        row.env: get_args(row.kind)[0]
        if get_origin(row.kind) is Literal
        else texts.get(row.kind, "text")
        for row in rows
    }
    environ["AGENT_LIMITS_LEASE_S"] = "30"

    settings = load_settings(environ)

    assert {(row[1], row[3]) for row in describe_settings(settings)} == {
        (name, "environment") for name in environ
    }
    assert settings.agents["job_search"].fallback == ("openai:a", "gemini:b")
    assert settings.get_table(GeminiSettings).search_grounding is True
    assert settings.data_dir == Path.cwd() / "text"


def test_the_environment_wins_over_the_file_and_an_empty_variable_does_not(tmp_path: Path):
    path = write_file(tmp_path, 'provider = "gemini"\nmodel = "m1"\n')

    settings = load_settings({"AGENT_PROVIDER": "openai", "AGENT_MODEL": " "}, path)

    assert (settings.provider, settings.model) == ("openai", "m1")


def test_a_setting_replaced_by_the_environment_is_not_validated(tmp_path: Path):
    path = write_file(tmp_path, 'api_key = "${NOT_THERE}"')

    assert load_settings({"AGENT_API_KEY": "sk"}, path).api_key == Secret("sk")


def test_the_settings_file_is_found_by_argument_variable_or_folder(tmp_path: Path):
    write_file(tmp_path, 'model = "here"')
    named, given_path = tmp_path / "named.toml", tmp_path / "given.toml"
    named.write_text('model = "named"')
    given_path.write_text('model = "given"')

    assert load_settings({}).model == "here"
    assert load_settings({"AGENT_CONFIG": str(named)}).model == "named"
    assert load_settings({"AGENT_CONFIG": str(named)}, given_path).model == "given"


def test_environment_variables_in_settings_are_substituted(tmp_path: Path):
    path = write_file(
        tmp_path,
        'api_key = "${KEY}"\napi_base = "http://${HOST}:${PORT}/v1"\n'
        'outbound_allow = ["${HOST}"]\n[server]\nport = "${PORT}"\n',
    )

    settings = load_settings({"KEY": "sk-1", "HOST": "box", "PORT": "81"}, path)

    assert settings.api_key == Secret("sk-1")
    assert settings.api_base == "http://box:81/v1"
    assert settings.outbound_allow == ("box",)
    assert settings.get_table(ServerSettings).port == 81


@pytest.mark.parametrize("environ", [{}, {"KEY": ""}])
def test_an_unset_variable_is_named_with_file_and_key(environ: dict[str, str], tmp_path: Path):
    path = write_file(tmp_path, '[agents.router]\napi_key = "${KEY}"')

    assert read_error(environ, path) == (
        "plainloop.toml: agents.router.api_key: the environment variable KEY is not set",
        "Set KEY, or remove this line.",
    )


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("AGENT_MODLE", "AGENT_MODEL"),
        ("AGENT_LIMIT_WORKER_TURNS", "AGENT_LIMITS_WORKER_TURNS"),
        ("AGENT_DATABASE_URL", "DATABASE_URL"),
        ("AGENT_CONFG", "AGENT_CONFIG"),
        ("AGENT_PORT", "AGENT_SERVER_PORT"),
        ("AGENT_LISTEN_PORT", "AGENT_SERVER_PORT"),
        ("AGENT_SERVER_PROT", "AGENT_SERVER_PORT"),
        ("AGENT_JWT_SECRET", "AGENT_AUTH_JWT_SECRET"),
    ],
)
def test_an_unknown_variable_is_refused_with_the_nearest_known_one(name: str, nearest: str):
    assert read_error({name: "x"}) == (
        f"unknown environment variable {name}",
        f"Did you mean {nearest}? .env.example lists every name.",
    )


@pytest.mark.parametrize(
    ("text", "key", "nearest"),
    [
        ('modle = "x"', "modle", "model"),
        ("[limits]\nworker_turn = 1", "limits.worker_turn", "limits.worker_turns"),
        ("[limit]\nworker_turns = 1", "limit", "limits"),
        ('[agents.router]\nmodle = "x"', "agents.router.modle", "agents.router.model"),
        ("[database.urls]\na = 1", "database.urls", "database.url"),
        ("port = 1", "port", "server.port"),
    ],
)
def test_an_unknown_key_of_the_file_is_refused(text: str, key: str, nearest: str, tmp_path: Path):
    assert read_error({}, write_file(tmp_path, text)) == (
        f"plainloop.toml: unknown key {key}",
        f"Did you mean {nearest}? .env.example lists every name.",
    )


def test_an_unknown_variable_without_a_near_name_gets_no_guess():
    assert read_error({"AGENT_XYLOPHONE": "x"}) == (
        "unknown environment variable AGENT_XYLOPHONE",
        ".env.example lists every name.",
    )


def test_variables_used_only_by_tests_are_accepted():
    assert load_settings({"AGENT_CRASH_SEEDS": "9", "AGENT_FUZZ_EXAMPLES": "9"}) is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model = 1", "model must be text, not 1"),
        (
            "[limits]\nlease_s = true",
            "limits.lease_s must be a number of seconds above 0, not True",
        ),
        ("[limits]\nlist_rows = 0", "limits.list_rows must be a whole number above 0, not 0"),
        ('[limits]\nlist_rows = "5"', "limits.list_rows must be a whole number above 0, not '5'"),
        ("[limits]\nlease_s = inf", "limits.lease_s must be a number of seconds above 0, not inf"),
        ("[server]\nport = 65536", "server.port must be a port, 0 to 65535, not 65536"),
        ('protocol = "soap"', 'protocol must be "chat" or "responses", not \'soap\''),
        ('region = "us"', 'region must be "cn" or "intl", not \'us\''),
        ('outbound_allow = "a"', "outbound_allow must be a list of strings, not 'a'"),
        ("[agent]\npacks = [1]", "agent.packs must be a list of strings, not [1]"),
        (
            '[agents.a]\nfallback = ["gpt"]',
            "agents.a.fallback must be a list of \"provider:model\", not ['gpt']",
        ),
        ("[gemini]\nsearch_grounding = 1", "gemini.search_grounding must be true or false, not 1"),
        ("api_key = 12345", "api_key must be text"),
        ('data_dir = "~nobody-at-all/x"', "data_dir must be a path, not '~nobody-at-all/x'"),
        ("limits = 3", "limits must be a table"),
        ('database = "postgresql://u:p@h"', "database must be a table"),
        ("agents = 3", "agents must be a table"),
        ("[agents]\nrouter = 3", "agents.router must be a table"),
    ],
)
def test_a_wrong_type_in_the_file_names_key_and_expected_type(
    text: str, message: str, tmp_path: Path
):
    assert read_error({}, write_file(tmp_path, text))[0] == f"plainloop.toml: {message}"


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("AGENT_LIMITS_WORKER_TURNS", "-1", "must be a whole number above 0, not '-1'"),
        ("AGENT_LIMITS_LEASE_S", "soon", "must be a number of seconds above 0, not 'soon'"),
        ("AGENT_LIMITS_LEASE_S", "nan", "must be a number of seconds above 0, not 'nan'"),
        ("AGENT_GEMINI_SEARCH_GROUNDING", "maybe", "must be true or false, not 'maybe'"),
        ("AGENT_SERVER_PORT", "http", "must be a port, 0 to 65535, not 'http'"),
        ("AGENT_AGENTS_ROUTER_FALLBACK", "x", "must be a list of \"provider:model\", not 'x'"),
    ],
)
def test_a_wrong_value_in_the_environment_names_the_variable(name: str, value: str, message: str):
    assert read_error({name: value}) == (f"{name} {message}", None)


def test_an_unusable_settings_file_gives_a_one_line_error(tmp_path: Path):
    broken = write_file(tmp_path, "model = ")
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b'model = "\xe9"')

    assert read_error({}, broken)[0].startswith(f"{broken}: not valid TOML: ")
    assert read_error({}, latin)[0].startswith(f"{latin}: not valid TOML: ")
    assert read_error({}, tmp_path)[0] == f"{tmp_path}: cannot be read: Is a directory"
    assert (
        read_error({"AGENT_CONFIG": "gone.toml"})[0]
        == "gone.toml: cannot be read: No such file or directory"
    )


def test_an_unusable_dotenv_or_path_gives_a_config_error(tmp_path: Path):
    assert read_error({"AGENT_CONFIG": "~nobody_here/a.toml"}) == (
        "AGENT_CONFIG: ~nobody_here/a.toml is in the home of an unknown user",
        "Write the whole path.",
    )
    (tmp_path / ".env").write_bytes(b"AGENT_MODEL=\xff\xfe\n")
    with pytest.raises(ConfigError) as unreadable:
        load_settings()
    assert unreadable.value.message.startswith(".env: cannot be read: ")


def test_a_role_name_unusable_in_a_variable_is_refused(tmp_path: Path):
    message, _ = read_error({}, write_file(tmp_path, '[agents."a.b"]\nmodel = "x"'))

    assert message.startswith('[agents."a.b"]: ')


def test_a_heartbeat_must_be_shorter_than_the_lease():
    assert read_error({"AGENT_LIMITS_LEASE_S": "5"})[0] == (
        "limits.heartbeat_s (8) must be less than limits.lease_s (5)"
    )


def test_no_secret_is_shown_by_settings_or_their_description():
    rows = list_known_settings(("router",))
    environ = {row.env: "tell-no-one" for row in rows if row.kind is Secret}
    environ["ANTHROPIC_API_KEY"] = "tell-no-one"

    settings = load_settings(environ)

    assert "tell-no-one" not in repr(settings) + str(settings) + repr(describe_settings(settings))
    assert ("api_key", "AGENT_API_KEY", "********", "environment") in describe_settings(settings)


def test_a_secrets_text_is_returned_only_by_its_method():
    secret = Secret("sk-1")

    assert (repr(secret), f"{secret}", secret.reveal()) == (
        "Secret('********')",
        "********",
        "sk-1",
    )
    assert (secret == Secret("sk-1"), secret == "sk-1") == (True, False)
    for leak in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot be serialised"):
            leak(secret)


def test_provider_keys_come_from_the_environment_at_the_start():
    environ = {"OPENAI_API_KEY": "sk-1", "GEMINI_API_KEY": ""}
    settings = load_settings(environ)
    environ["OPENAI_API_KEY"] = "changed"

    assert settings.get_env("OPENAI_API_KEY") == Secret("sk-1")
    assert (settings.get_env("GEMINI_API_KEY"), settings.get_env("NEVER")) == (None, None)


def test_settings_cannot_be_changed():
    settings: Any = load_settings({"AGENT_AGENTS_ROUTER_MODEL": "m"})

    with pytest.raises(AttributeError):
        settings.model = "x"
    with pytest.raises(TypeError):
        settings.agents["router"] = RoleSettings()


def test_the_example_lists_exactly_the_known_settings_with_their_defaults():
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^# ((?:AGENT_|DATABASE_URL)\w*)=(.*)$", text, re.MULTILINE))
    rows = list_known_settings(("worker",))

    # The file also lists what packs bring that somebody has taken out.
    assert set(listed) >= {row.env for row in rows} | {"AGENT_CONFIG"}
    assert all(section in text for section in build_example().split("\n\n"))
    listed = {name: value for name, value in listed.items() if name in {r.env for r in rows}}
    assert describe_without_source(load_settings(listed)) == describe_without_source(
        load_settings({})
    )


def describe_without_source(settings: Settings) -> list[tuple[str, str, str]]:
    return [row[:3] for row in describe_settings(settings)]


def test_loading_settings_imports_no_heavy_module():
    code = (
        "import sys; from plainloop.agent.config.settings import load_settings; load_settings({});"
        "heavy = {'asyncio', 'asyncpg', 'anthropic', 'openai', 'google', 'typer'};"
        "print(sorted(heavy & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"


@example({"AGENT_PACKS": "docx"})  # a package with a module `settings` that is no pack's
@given(
    st.dictionaries(
        st.sampled_from([row.env for row in list_known_settings(("a",))]), st.text(max_size=12)
    )
)
def test_any_environment_gives_settings_or_a_config_error(environ: dict[str, str]):
    try:
        settings = load_settings(environ)
    except ConfigError as error:
        assert error.message
    else:
        assert settings.get_table(RunLimits).lease_s > settings.get_table(RunLimits).heartbeat_s > 0
        assert settings.data_dir.is_absolute()


def test_model_names_can_be_a_table_or_a_list(tmp_path: Path):
    file = write_file(tmp_path, '[server]\nmodel_names = { a = "pack/default", b = "react" }')
    listed = load_settings({"AGENT_SERVER_MODEL_NAMES": "a=pack/default, b=react"})

    assert load_settings({}, file).get_table(ServerSettings).model_names == (
        "a=pack/default",
        "b=react",
    )
    assert listed.get_table(ServerSettings).model_names == ("a=pack/default", "b=react")
