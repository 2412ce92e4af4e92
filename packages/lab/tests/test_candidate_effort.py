"""A candidate may be a model, an effort, or both: `gpt-6-luna@low`."""

from __future__ import annotations

import pytest

from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import ConfigError
from plainloop.agent.service.variants import change_settings
from plainloop_lab.commands.options import Candidate
from plainloop_lab.live.plan import BASELINE, CANDIDATE, LanePlan, LivePlan
from plainloop_lab.service.hosting import make_candidate


@pytest.mark.parametrize(
    ("model", "settings"),
    [
        ("gpt-6-luna@low", {"AGENT_MODEL": "gpt-6-luna", "AGENT_EFFORT": "low"}),
        ("@high", {"AGENT_EFFORT": "high"}),
        ("gpt-6-luna", {"AGENT_MODEL": "gpt-6-luna"}),
        ("claude-sonnet-4-5@20250929", {"AGENT_MODEL": "claude-sonnet-4-5@20250929"}),
        (
            "crm_worker=openai:gpt-6-luna@none",
            {
                "AGENT_AGENTS_CRM_WORKER_PROVIDER": "openai",
                "AGENT_AGENTS_CRM_WORKER_MODEL": "gpt-6-luna",
                "AGENT_AGENTS_CRM_WORKER_EFFORT": "none",
            },
        ),
        ("triage=@minimal", {"AGENT_AGENTS_CLASSIFIER_EFFORT": "minimal"}),
        (
            "verdict=gpt-6-luna@max",
            {"AGENT_AGENTS_EVALUATOR_MODEL": "gpt-6-luna", "AGENT_AGENTS_EVALUATOR_EFFORT": "max"},
        ),
    ],
)
def test_a_model_option_names_a_model_and_an_effort(model: str, settings: dict[str, str]) -> None:
    assert Candidate(model=[model]).read_settings() == settings


def test_the_candidates_effort_is_that_of_its_settings() -> None:
    own = load_settings({"AGENT_EFFORT": "high", "AGENT_AGENTS_POET_EFFORT": "max"})
    changed = change_settings(own, make_candidate(None, "@low", {}, {}, None).settings)
    other = change_settings(own, {"AGENT_AGENTS_POET_PROVIDER": "openai"})

    assert (changed.agent.effort, changed.agents["poet"].effort) == ("low", "max")
    assert other.agents["poet"].effort == "max"


def test_an_unknown_effort_level_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="AGENT_EFFORT") as refused:
        change_settings(load_settings({}), {"AGENT_EFFORT": "loud"})
    assert "xhigh" in (refused.value.hint or "")


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({"AGENT_MODEL": "gpt-6-luna", "AGENT_EFFORT": "low"}, "gpt-6-luna@low against today"),
        ({"AGENT_EFFORT": "low"}, "@low against today"),
    ],
)
def test_a_replays_name_contains_the_effort(settings: dict[str, str], name: str) -> None:
    plan = LivePlan({BASELINE: LanePlan(), CANDIDATE: LanePlan(settings)})
    assert plan.name == name


@pytest.mark.parametrize(
    ("prompt", "quoted"),
    [
        ("Please answer in French.", "without “kindly”"),
        ("Please answer kindly in German.", "“German.”"),
        ("Please answer kindly and briefly in French.", "“and briefly”"),
        ("Please answer briefly in French. Never guess.", "“Never guess.”"),
    ],
)
def test_a_replays_name_quotes_only_what_changed_in_a_prompt(prompt: str, quoted: str) -> None:
    lane = LanePlan(prompts={"general": prompt})
    plan = LivePlan({BASELINE: LanePlan(), CANDIDATE: lane})
    name = plan.describe({"general": "Please answer kindly in French."})
    assert name == f"new prompt for general ({quoted}) against today"
