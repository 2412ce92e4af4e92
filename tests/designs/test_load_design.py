"""Designs are found by name; what is missing is told in one line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.designs.base import list_designs, load_design, to_pascal
from plainloop.agent.errors import ConfigError
from tests.fixtures import TESTS_PACK
from tests.packs.interviewing import open_offline

COMPLETE = """
class {0}Agent:
    def __init__(self, model, search_api_key, adzuna_app_id, adzuna_app_key, adzuna_country,
                 jsearch_api_key, conversation_id=None): ...
    def run(self, messages): ...
class {0}OnboardingAgent:
    def __init__(self, model): ...
    def run(self, messages): ...
class {0}ResumeParser:
    def __init__(self, **given): ...
    def parse(self, raw_text): ...
"""
OWN = "your own module must be in the current folder or on PYTHONPATH"
ANSWERS = """
from plainloop.agent.designs.interview import InterviewAgent
from plainloop.agent.designs.parsing import PackParser

class TwoStepsAgent:
    def __init__(self, model, **keys): ...
    async def run(self, messages):
        yield {"event": "done", "data": {"content": "by two steps"}}

TwoStepsOnboardingAgent = InterviewAgent
TwoStepsResumeParser = PackParser
"""
HALF = """
class HalfAgent:
    run = None
    def __init__(self, model, search_api_key, adzuna_app_id, adzuna_app_key, jsearch_api_key): ...
class HalfResumeParser:
    def parse(self, raw_text): ...
"""


@pytest.mark.parametrize(
    ("name", "agent"),
    [("my_design", "MyDesignAgent"), ("react_agent", "ReactAgentAgent"), ("x", "XAgent")],
)
def test_a_design_is_loaded_by_its_name(add_design, name, agent):
    add_design(name, COMPLETE.format(to_pascal(name)))
    design = load_design(name)

    assert (design.name, design.agent.__name__) == (name, agent)
    assert name in list_designs()


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("defualt", f"did you mean 'default'?; {OWN}"),
        ("nothing_like_it", f"known designs: default, one_call, react; {OWN}"),
        ("base", None),  # a module of ours, no design
        ("interview", None),
        ("../secrets", None),
        ("plainloop.agent.designs.react", None),
        ("", None),
    ],
)
def test_an_unknown_design_is_an_error_that_names_the_nearest(name, hint):
    with pytest.raises(ConfigError, match="unknown design") as caught:
        load_design(name)

    assert hint is None or caught.value.hint == hint


def test_an_incomplete_design_lists_everything_missing(add_design):
    add_design("half", HALF)

    with pytest.raises(ConfigError) as caught:
        load_design("half")
    assert caught.value.message == (
        "the design 'half' is incomplete: it lacks HalfAgent.run(), "
        "HalfAgent(adzuna_country=, conversation_id=), HalfOnboardingAgent, "
        "HalfResumeParser(model=)"
    )


def test_a_design_that_cannot_be_imported_gives_a_readable_error(add_design):
    add_design("broken", "import nothing_that_exists")

    with pytest.raises(ConfigError) as caught:
        load_design("broken")
    assert caught.value.message == (
        "the design 'broken' cannot be imported: "
        "ModuleNotFoundError: No module named 'nothing_that_exists'"
    )


@pytest.mark.parametrize("name", ["two_steps", "own_app.designs.two_steps"])
async def test_a_design_may_be_any_importable_module(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
):
    file = tmp_path.joinpath(*name.split(".")).with_suffix(".py")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(ANSWERS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    async with open_offline(settings, AGENT_DESIGN=name, AGENT_PACKS=TESTS_PACK) as service:
        thread = await service.ensure_thread("t1", "u1", None, "Hi")
        done = await service.answer("t1", "u1", thread.thread_id, "Hi")
        run = await service.store.load_run("t1", "u1", done.run.run_id)
        steps = await service.store.load_steps("t1", done.run.run_id)
    assert (done.answer, run.design) == ("by two steps", name)
    assert [step.node for step in steps] == ["two_steps"]
    for module in [item for item in sys.modules if item.split(".")[0] == name.split(".")[0]]:
        monkeypatch.delitem(sys.modules, module)


def test_an_unusable_design_names_the_faulty_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "own_broken.py").write_text("import json\n\nvalue = json.loads('[')\n")
    (tmp_path / "own_unread.py").write_text("def broken(:\n")
    monkeypatch.syspath_prepend(tmp_path)

    for name, line in (("own_broken", 3), ("own_unread", 1)):
        with pytest.raises(ConfigError, match=f"the design '{name}' cannot be imported") as caught:
            load_design(name)
        assert (caught.value.hint or "").endswith(f"/{name}.py:{line}")
