"""Designs are found by name; what is missing is told in one line."""

from __future__ import annotations

import pytest

from plainloop.agent.designs.base import list_designs, load_design, to_pascal
from plainloop.agent.errors import ConfigError

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
HALF = """
class HalfAgent:
    run = None
    def __init__(self, model, search_api_key, adzuna_app_id, adzuna_app_key, jsearch_api_key): ...
class HalfResumeParser:
    def parse(self, raw_text): ...
"""


@pytest.mark.parametrize(
    ("name", "pascal"), [("my_design", "MyDesign"), ("react_agent", "ReactAgent"), ("x", "X")]
)
def test_a_name_gives_its_classes_prefix(name, pascal):
    assert to_pascal(name) == pascal


@pytest.mark.parametrize(
    ("name", "agent"), [("my_design", "MyDesignAgent"), ("react_agent", "ReactAgentAgent")]
)
def test_a_design_is_loaded_by_its_name(add_design, name, agent):
    add_design(name, COMPLETE.format(to_pascal(name)))
    design = load_design(name)

    assert (design.name, design.agent.__name__) == (name, agent)
    assert name in list_designs()


@pytest.mark.parametrize("name", ["default", "react"])
def test_the_shipped_designs_are_complete(name):
    assert load_design(name).name == name


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("defualt", "did you mean 'default'?"),
        ("nothing_like_it", "known: default, react"),
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


def test_an_incomplete_design_is_told_everything_that_it_lacks(add_design):
    add_design("half", HALF)

    with pytest.raises(ConfigError) as caught:
        load_design("half")
    assert caught.value.message == (
        "design 'half' is incomplete; it lacks: HalfAgent.run(), "
        "HalfAgent(adzuna_country=, conversation_id=), HalfOnboardingAgent, "
        "HalfResumeParser(model=)"
    )


def test_a_design_that_cannot_be_imported_is_one_clear_error(add_design):
    add_design("broken", "import nothing_that_exists")

    with pytest.raises(ConfigError) as caught:
        load_design("broken")
    assert caught.value.message == (
        "design 'broken' cannot be imported: "
        "ModuleNotFoundError: No module named 'nothing_that_exists'"
    )
