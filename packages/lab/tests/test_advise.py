"""`plainloop advise`: what is searched, what is proven, what is told, over real replays."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import orjson
import pytest

from packages.lab.tests.replay.test_live import Candidate as Answering
from packages.lab.tests.replay.test_live import answer, call_tools
from plainloop.agent.errors import ConfigError
from plainloop.agent.providers.pricing import OwnPrice, Prices
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest, LLMResponse
from plainloop_lab.advise.preparing import Task, describe_plan, make_rules
from plainloop_lab.advise.proposing import (
    OtherCosts,
    describe_price_changes,
    estimate_cost,
    price_candidate,
    resolve_name,
    sum_other_costs,
)
from plainloop_lab.advise.rendering import (
    list_rows,
    render_headline,
    render_junit,
    render_markdown,
    render_plan,
    render_settings,
)
from plainloop_lab.advise.roles import WORKER
from plainloop_lab.advise.search import Candidate, Question, advise, count_needed
from plainloop_lab.advise.verdict import Traffic, describe_advice
from plainloop_lab.advise.wanted import MAX_SAMPLE, Wanted
from plainloop_lab.commands.files import lock_folder
from plainloop_lab.comparing.judge import decide
from plainloop_lab.decide.outcomes import Outcome, Side
from plainloop_lab.decide.rules import Check, Plan, Rule, Rules, read_rules
from plainloop_lab.decide.tuning import OutOfMoney
from plainloop_lab.report.judge_tally import JudgeTally
from plainloop_lab.store.workers import WorkerUsage
from scripts.benchmarks import advise as world
from tests.cli.conftest import Command, point_at
from tests.cli.conftest import plainloop as plainloop
from tests.wire_fixtures import StartWire


def test_simulated_advice_is_rarely_wrong_and_saves_money() -> None:
    """PLAINLOOP_ADVISE_RUNS=300 for the figures of advise.md."""
    found = world.measure(max(2, world.RUNS // 100), world.CONVERSATIONS)

    assert found["wrong"] <= 0.05
    assert found["cost_of_everything"] <= 0.2
    assert found["saving_found"] >= 0.5  # of three runs; of 300 the page says how much


def test_too_few_conversations_are_reported_before_any_cost() -> None:
    findings, cost_usd = world.ask("few", world.WORLD, 40)

    assert {finding.kind for finding in findings} == {"not_judged"}
    assert findings[0].reason == "40 conversations are too few: the margin needs at least 125"
    assert cost_usd == 0


def test_a_plan_states_that_its_margin_cannot_be_proven() -> None:
    wanted = Wanted(max_cost_usd=1.0, margin="0.02pp")
    rules = make_rules(wanted)
    traffic = Traffic("writer", "gpt-6.1-terra", 1.0, 10, 1.0)
    conversations = [str(n) for n in range(MAX_SAMPLE)]
    question = Question("writer", conversations, [Candidate(CHEAP, 0.5)])
    (line, _) = render_plan(describe_plan([Task(traffic, question, 0.5)], wanted, rules))

    assert line.endswith(
        "the margin cannot be proven: it needs more than the 10,000 that a sample may have"
    )


def test_the_largest_sample_can_be_the_needed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = make_rules(Wanted(max_cost_usd=1.0))[WORKER]
    needed = count_needed(rules, 1)
    told: list[int | None] = []
    for largest in (91, 90):
        monkeypatch.setattr("plainloop_lab.advise.search.MAX_SAMPLE", largest)
        told.append(count_needed(rules, 1))

    assert (needed, told) == (91, [91, None])


def test_advice_at_its_cost_limit_keeps_its_results(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = 6.0
    plain = world.World.answer

    async def answer(self: world.World, worker: str, name: str, part: Any) -> Any:
        if self.cost_usd > limit:
            raise OutOfMoney("spent")
        return await plain(self, worker, name, part)

    monkeypatch.setattr(world.World, "answer", answer)
    findings, cost_usd = world.ask("poor", world.WORLD, 300)

    reasons = {finding.reason for finding in findings if finding.reason.endswith(": spent")}
    assert reasons and limit < cost_usd < 2 * limit


class Alike:
    """Both sides of each conversation come to the same; a judge says these words of it."""

    def __init__(self, values: dict[str, float], judged: list[str]) -> None:
        tally = JudgeTally()
        lanes = {"baseline": {}, "candidate": {}}
        winner = decide(*judged) if judged else "tie"
        tally.add({"lanes": lanes, "judgement": {"winner": winner, "answers": judged}}, "baseline")
        told = {name: (Fraction(value), 1) for name, value in values.items()}
        self._outcome = Outcome("", "", told, cost_usd=1.0, turns=1, tally=tally)

    async def answer(self, worker: str, candidate: str, part: Sequence[str]) -> tuple[Side, Side]:
        side = {each: replace(self._outcome, conversation_id=each, task=each) for each in part}
        return side, {name: replace(each, cost_usd=0.5) for name, each in side.items()}


async def advise_alike(rules: Rules, values: dict[str, float], judged: Sequence[str] = ()) -> Any:
    """The advice on one worker whose candidate answers exactly as today's model does."""
    question = Question("clerk", [str(n) for n in range(200)], [Candidate(CHEAP, 0.5)])
    findings = await advise(Alike(values, [*judged]), {WORKER: rules}, [question])
    traffic = Traffic("clerk", "gpt-6.1-terra", 1.0, 10, 1.0)
    return describe_advice(findings, {WORKER: rules}, {"clerk": traffic}, 0.0)["workers"][0]


@pytest.mark.parametrize("margin", ["5pp", "10pp", "20pp"])
async def test_as_many_conversations_as_the_plan_needs_do_prove_a_switch(margin: str) -> None:
    """One fewer is refused before anything is bought, with the plan's own number."""
    rules = make_rules(Wanted(max_cost_usd=1.0, margin=margin))[WORKER]
    needed = count_needed(rules, 1)
    assert needed is not None
    bought: list[int] = []

    class Bench(Alike):
        async def answer(self, worker: str, candidate: str, part: Sequence[str]) -> Any:
            bought.append(len(part))
            return await super().answer(worker, candidate, part)

    kinds: list[str] = []
    for count in (needed, needed + 1, needed - 1):
        bought.clear()
        names = [str(n) for n in range(count)]
        question = Question("clerk", names, [Candidate(CHEAP, 0.5)])
        bench = Bench({"failed": 0, "same_arguments": 1}, [])
        [finding] = await advise(bench, {WORKER: rules}, [question])
        kinds.append(finding.kind)
    assert kinds == ["switch", "switch", "not_judged"]
    assert not bought
    assert finding.reason.endswith(f"are too few: the margin needs at least {needed}")


async def test_a_candidate_as_good_but_as_dear_is_named_in_the_headline() -> None:
    rules = {WORKER: make_rules(Wanted(max_cost_usd=1.0, margin="20pp"))[WORKER]}

    class Bench(Alike):
        async def answer(self, worker: str, candidate: str, part: Sequence[str]) -> Any:
            today, _ = await super().answer(worker, candidate, part)
            return today, today

    question = Question("clerk", [str(n) for n in range(60)], [Candidate(CHEAP, 0.5)])
    findings = await advise(Bench({"failed": 0, "same_arguments": 1}, []), rules, [question])
    traffic = {"clerk": Traffic("clerk", "gpt-6.1-terra", 1.0, 10, 1.0)}
    found = describe_advice(findings, rules, traffic, 0.0)

    told = f"Switch nothing: {CHEAP} is as good for clerk, but not cheaper"
    assert render_headline(found) == told
    both = {**found, "workers": [*found["workers"], {"worker": "b", "kind": "keep"}]}
    assert render_headline(both).endswith("1 of 2 candidates is as good, but not cheaper")
    none = {**found, "workers": [{"worker": "b", "kind": "keep"}]}
    assert render_headline(none).endswith("no cheaper candidate was proven to be as good")


async def test_a_second_choice_without_enough_conversations_keeps_the_firsts_reason() -> None:
    rules = make_rules(Wanted(max_cost_usd=1.0, margin="20pp"))[WORKER]
    needed = count_needed(rules, 1)
    assert needed is not None

    class Bench(Alike):
        """From the eighth conversation on, each is worse."""

        async def answer(self, worker: str, candidate: str, part: Sequence[str]) -> Any:
            today, side = await super().answer(worker, candidate, part)
            worse = {"failed": (Fraction(1), 1), "same_arguments": (Fraction(0), 1)}
            late = {
                n: replace(each, values=worse) if int(n) > 8 else each for n, each in side.items()
            }
            return today, late

    names = [str(n) for n in range(needed)]
    candidates = [Candidate(CHEAP, 0.5), Candidate("gpt-6-luna@low", 0.6)]
    bench = Bench({"failed": 0, "same_arguments": 1}, [])
    [finding] = await advise(bench, {WORKER: rules}, [Question("clerk", names, candidates)])

    assert finding.kind in ("undecided", "worse")
    assert "too few" not in finding.reason


async def test_a_judge_that_prefers_a_position_proposes_no_switch() -> None:
    """It calls all answers alike, as a judge does to whom they are."""
    values = {"failed": 0, "same_arguments": 1, "judged": 0.5}
    rules = make_rules(Wanted(max_cost_usd=1.0, judge="openai:gpt-6-luna"))[WORKER]
    assert (await advise_alike(rules, values, ["tie", "tie"]))["kind"] == "undecided"
    assert (await advise_alike(rules, values))["kind"] == "switch", "all answers were equal"
    found = await advise_alike(rules, values, ["A", "A"])
    assert (found["kind"], found["reason"]) == (
        "undecided",
        'the judge says "A" whatever the answers are',
    )
    assert [rule["verdict"] for rule in found["rules"]] == ["passed", "passed", "undecided"]


async def test_a_rule_without_a_range_proposes_no_switch_on_few_conversations() -> None:
    own = Rules(rule=(Rule(measure="failed", margin="5pp"), Rule("duration_ms", margin=500.0)))
    rules = make_rules(Wanted(max_cost_usd=1.0), own)[WORKER]
    found = await advise_alike(rules, {"failed": 0, "duration_ms": 900})
    assert (found["kind"], found["rules"][1]["verdict"]) == ("undecided", "undecided")


async def test_a_rule_without_values_costs_no_advice() -> None:
    own = Rules(rule=(Rule(measure="failed", margin="5pp"), Rule("problems", needed=False)))
    found = await advise_alike(make_rules(Wanted(max_cost_usd=1.0), own)[WORKER], {"failed": 0})
    assert (found["kind"], found["rules"][1]["doubt"]) == (
        "switch",
        "no conversation has a value on both sides",
    )


def test_rules_that_stored_conversations_cannot_answer_are_refused_before_any_cost() -> None:
    wanted = Wanted(max_cost_usd=1.0)
    with pytest.raises(ConfigError, match="no measure same_argumnts"):
        make_rules(wanted, Rules(rule=(Rule(measure="same_argumnts"),)))
    with pytest.raises(ConfigError, match="expected answer"):
        make_rules(wanted, Rules(check={"right": Check(equals=True)}, rule=(Rule("right"),)))
    own = Rules(gate=Plan(task="talk-(.+)", looks=(50, 100)), rule=(Rule("failed"),))
    assert make_rules(wanted, own)[WORKER].gate == Plan(), "each thread is a task of its own"


JOBS = ("Cook", "Nurse", "Baker", "Clerk", "Tailor", "Driver", "Porter", "Sailor", "Smith", "Mason")
TALKS = 40
TALKED = "\n/new\n".join(f"add a job: {JOBS[n % 10]} {n} at Initech" for n in range(TALKS)).encode()
CHEAP = "gpt-6-luna"
# Triage is asked each time, and its model is as dear as the worker's.
DEAR_TRIAGE = {"AGENT_REMEMBER": "false", "AGENT_AGENTS_TRIAGE_MODEL": "gpt-6.1-terra"}
# Without triage, the router is asked each time.
DEAR_ROUTER = {"AGENT_TRIAGE": "false", "AGENT_AGENTS_ROUTER_MODEL": "gpt-6.1-terra"}


def serve(request: ChatRequest) -> LLMResponse:
    """Sort, then add the job that was asked for."""
    if request.json_schema is not None:
        text = orjson.dumps({"worker": "crm_worker", "success_criteria": "x", "records": ""})
        return answer(text.decode())
    if request.messages[-1]["role"] == "tool":
        return answer("Added.")
    said = str(request.messages[-1])
    title = re.findall(r"add a job: (\w+ \d+)", said)[-1]
    return call_tools(request, ("create_job", {"title": title, "company": "Initech"}))


@pytest.fixture
async def recorded(plainloop: Command, wire_server: StartWire) -> dict[str, str]:
    """The environment of a service that has answered TALKS threads with its usual model."""
    server = await wire_server(Answering(serve))
    environ = point_at("openai", server.openai_url)
    done = await plainloop("chat", stdin=TALKED, **environ)
    assert done.code == 0, done
    return environ


async def test_the_cheapest_model_that_is_not_worse_is_proposed(
    plainloop: Command, recorded: dict[str, str], store: Store, tmp_path: Path
) -> None:
    command = ("advise", "--into", "advice", "--max-cost-usd", "3", "--margin", "25pp")
    chosen = ("--candidate", f"{CHEAP}@none", "--candidate", "gpt-6.1-terra@max")
    chosen = (*chosen, "--for", "crm_worker")
    planned = await plainloop(*command, *chosen, "--plan", **recorded)
    assert planned.code == 0, planned
    assert re.search(r"crm_worker: \d+ conversations, today openai:gpt-6.1-terra", planned.out)
    done = await plainloop(*command, *chosen, "--markdown", "a.md", "--junit", "a.xml", **recorded)
    assert done.code == 0, done
    assert "estimate: at most about $" in done.err
    assert done.out.splitlines()[0].startswith("Switch crm_worker: saves about $")
    assert f'  [agents.crm_worker]\n  model = "{CHEAP}"\n  effort = "none"\n' in done.out
    assert len(read_rules(tmp_path / "advice" / "rules.toml").rule) == 2
    told = orjson.loads((tmp_path / "advice" / "result.json").read_bytes())
    [row] = told["workers"]
    assert (row["kind"], row["candidate"]) == ("switch", f"{CHEAP}@none")
    assert 0 < row["cost_ratio"] < 1 and row["saves_usd"] > 0
    cost, time = row["resources"]["cost_usd"], row["resources"]["duration_ms"]
    assert cost["low"] < cost["mean"] and row["cost_ratio"] < cost["ratio"], "triage is dear too"
    calls = await store.read("local").fetch(
        "select model, avg(cost_usd) as usd from llm_calls "
        "where role = 'worker' and replay_id is not null group by model order by model"
    )
    cheap, today = (float(call["usd"]) for call in calls)
    assert row["cost_ratio"] == pytest.approx(cheap / today, rel=0.01), "of the worker's calls"
    assert row["saves_usd"] == pytest.approx(row["today_usd"] * (1 - row["cost_ratio"]))
    assert cost["ratio_low"] < cost["ratio"] < cost["ratio_high"] < 1 and time["ratio"] > 0
    assert f"crm_worker with {CHEAP}@none, of today's on the same " in done.out
    for latency in (row["latency"], row["today_latency"], row["tried"][0]["latency"]):
        assert 0 < latency["p50"]["low"] <= latency["p50"]["ms"] <= latency["p95"]["ms"]
    assert re.search(r"time of a turn: p50 .+ \(.+ … .+\), today .+; p95 .+, today .+\n", done.out)
    parts = [
        "| worker or role |",
        "**Money and time**",
        "To paste into `plainloop.toml`:",
        "**Doubts**",
    ]
    places = [render_markdown(told).index(part) for part in parts]
    assert places == sorted(places), "verdict, money, doubts"
    assert (tmp_path / "a.md").read_text() == render_markdown(told)
    assert (tmp_path / "a.xml").read_bytes() == render_junit(told)
    [spent] = await store.read("local").fetch(
        "select sum(cost_usd) as usd, count(*) as calls from llm_calls where replay_id is not null"
    )
    assert abs(Decimal(str(told["cost_usd"])) - spent["usd"]) < Decimal("0.0001")

    again = await plainloop(*command, *chosen, **recorded)
    assert (again.code, again.out) == (0, done.out), again
    [more] = await store.read("local").fetch(
        "select count(*) as calls from llm_calls where replay_id is not null"
    )
    assert more["calls"] == spent["calls"], "nothing is bought twice"

    with lock_folder(tmp_path / "advice", "advise"):
        second = await plainloop(*command, *chosen, **recorded)
        assert (second.code, "another process is running `advise`" in second.err) == (4, True)
        assert (await plainloop(*command, *chosen, "--plan", **recorded)).code == 0

    other = await plainloop(*command[:-1], "20pp", *chosen, **recorded)
    assert (other.code, "advice contains advice with other settings" in other.err) == (2, True), (
        other
    )


async def test_planning_advice_refuses_unusable_options(
    plainloop: Command, recorded: dict[str, str]
) -> None:
    wrong = {
        ("--candidate", f"{CHEAP}@loud"): "there is no effort 'loud': use one of none, minimal",
        ("--candidate", f"{CHEAP}@minimal"): "gpt-6-luna has no effort minimal: its nearest level",
        ("--candidate", "gpt-9"): 'its price is unknown: add [prices."openai:gpt-9"]',
        (
            "--candidate",
            "gpt-6.1-terra@max",
        ): "costs as much as today's model or more, at list prices",
        ("--judge", "nobody:x"): "unknown provider: nobody",
        ("--judge", "openai:gpt-9"): "openai:gpt-9: the price is unknown",
        ("--margin", "5"): 'the margin of failed is not valid: "5"',
        ("--for", "evaluator"): "evaluator cannot be judged by `advise`: a less strict",
        ("--for", "parser"): "parser cannot be judged by `advise`: no measure compares",
    }
    for options, told in wrong.items():
        done = await plainloop("advise", "--into", "advice", "--plan", *options, **recorded)
        assert (done.code, done.err.count(told)) == (2, 1), done
    small = await plainloop(
        "advise", "--into", "advice", "--plan", "--max-cost-usd", "0.001", **recorded
    )
    assert small.out.endswith("the advice stops at $0.0010\n"), small
    none = await plainloop("advise", "--into", "advice", "--plan", "--for", "route", **recorded)
    assert none.code == 3 and "no model for the role 'router' answered" in none.err, none
    free = await plainloop("advise", "--into", "advice", "--plan", **recorded)
    assert free.out.endswith("set --max-cost-usd to begin\n"), free
    judged = await plainloop(
        "advise", "--into", "advice", "--plan", "--judge", "openai:gpt-6.1-sol", **recorded
    )
    assert "at most about $" in judged.out and ", without the judge's calls; " in judged.out, judged
    few = await plainloop("advise", "--into", "advice", "--max-cost-usd", "1", **recorded)
    assert few.code == 10, few
    assert few.out.startswith("Undecided: no candidate is proven to be as good, or to be worse\n")


async def test_the_role_triage_is_advised_on_beside_the_workers(
    plainloop: Command, wire_server: StartWire, store: Store, tmp_path: Path
) -> None:
    """Its model is as dear as the worker's; what routes as well at a tenth of the price is proven
    without buying a worker's answer."""
    server = await wire_server(Answering(serve))
    environ = point_at("openai", server.openai_url) | DEAR_TRIAGE
    done = await plainloop("chat", stdin=TALKED, **environ)
    assert done.code == 0, done
    command = ("advise", "--into", "advice", "--max-cost-usd", "3", "--margin", "25pp")
    planned = await plainloop(*command, "--candidate", f"{CHEAP}@none", "--plan", **environ)
    bounds = dict(re.findall(r"(\w+): .+ at most about \$([\d.]+)", planned.out))
    done = await plainloop(*command, "--candidate", f"{CHEAP}@none", **environ)
    assert done.code == 0, done
    assert done.out.startswith("Switch 2 of 2 workers and roles: saves about $")
    assert f'  [agents.classifier]\n  model = "{CHEAP}"\n  effort = "none"\n' in done.out
    assert re.search(r"cost a month: \$[\d.]+ \(crm_worker \d+%, triage \d+%\); this", done.out)
    assert f"triage with {CHEAP}@none, time of a route: p50 " in done.out
    assert "the chosen worker or query was judged, not the success criteria" in done.out

    told = orjson.loads((tmp_path / "advice" / "result.json").read_bytes())
    rows = {row["worker"]: row for row in told["workers"]}
    assert {name: (row["role"], row["kind"]) for name, row in rows.items()} == {
        "crm_worker": ("worker", "switch"),
        "triage": ("classifier", "switch"),
    }
    assert [rule["measure"] for rule in rows["triage"]["rules"]] == ["failed", "same_route"]
    assert 0 < rows["triage"]["cost_ratio"] < 1 and rows["triage"]["saves_usd"] > 0
    measures = [rule.measure for rule in read_rules(tmp_path / "advice" / "rules.toml").rule]
    assert measures == ["failed", "same_arguments", "same_route"]

    bought = await store.read("local").fetch(
        "select replays.candidate ->> 'role' as role, sum(cost_usd) as usd, "
        "count(*) filter (where model = 'gpt-6.1-terra' and llm_calls.role <> 'worker') as talks "
        "from llm_calls join replays using (tenant_id, replay_id) group by 1"
    )
    assert {row["role"] for row in bought} == {None, "classifier"}
    for row in bought:
        bound = float(bounds["triage" if row["role"] else "crm_worker"]) / TALKS
        assert float(row["usd"]) / row["talks"] <= bound * 1.02, "the plan includes triage"
    calls = await store.read("local").fetch(
        "select replays.candidate ->> 'role' as role, llm_calls.role as asked, count(*) as calls "
        "from llm_calls join replays using (tenant_id, replay_id) "
        "where replays.candidate ->> 'role' is not null group by 1, 2"
    )
    assert [(row["role"], row["asked"]) for row in calls] == [("classifier", "classifier")]

    watched = await plainloop("advise", "--into", "advice", "--watch", **environ)
    assert "triage: not switched: " in watched.out, watched


async def test_a_cheaper_router_with_the_same_routes_is_proposed(
    plainloop: Command, wire_server: StartWire, store: Store, tmp_path: Path
) -> None:
    server = await wire_server(Answering(serve))
    environ = point_at("openai", server.openai_url) | DEAR_ROUTER
    done = await plainloop("chat", stdin=TALKED, **environ)
    assert done.code == 0, done
    command = ("advise", "--into", "advice", "--max-cost-usd", "3", "--margin", "25pp")
    chosen = ("--candidate", f"{CHEAP}@none", "--for", "router")
    done = await plainloop(*command, *chosen, **environ)
    assert done.code == 0, done
    assert done.out.startswith("Switch router: saves about $")
    assert f'  [agents.router]\n  model = "{CHEAP}"\n  effort = "none"\n' in done.out
    told = orjson.loads((tmp_path / "advice" / "result.json").read_bytes())
    [row] = told["workers"]
    assert (row["worker"], row["role"], row["kind"]) == ("router", "router", "switch")
    assert [rule["measure"] for rule in row["rules"]] == ["failed", "same_route"]
    assert 0 < row["cost_ratio"] < 1 and row["saves_usd"] > 0
    calls = await store.read("local").fetch(
        "select role, model, count(*) as calls from llm_calls where replay_id is not null "
        "group by role, model order by model"
    )
    assert [(call["role"], call["model"], call["calls"]) for call in calls] == [
        ("router", name, row["tried"][0]["conversations"] + row["conversations"])
        for name in (CHEAP, "gpt-6.1-terra")
    ], "no worker's answer is bought"


@pytest.mark.parametrize(
    ("role", "own"), {"classifier": DEAR_TRIAGE, "router": DEAR_ROUTER}.items()
)
async def test_a_model_that_routes_worse_is_not_proposed(
    plainloop: Command, wire_server: StartWire, tmp_path: Path, role: str, own: dict[str, str]
) -> None:
    """Of each request's three answers the third is the candidate's, which names another worker."""
    seen: Counter[str] = Counter()

    def stray(request: ChatRequest) -> LLMResponse:
        words = str(request.messages[-1])
        seen[words] += request.json_schema is not None
        if request.json_schema is None or seen[words] < 3:
            return serve(request)
        found = {"worker": "general", "success_criteria": "x", "records": ""}
        return answer(orjson.dumps(found).decode())

    server = await wire_server(Answering(stray))
    environ = point_at("openai", server.openai_url) | own
    done = await plainloop("chat", stdin=TALKED, **environ)
    assert done.code == 0, done
    command = ("advise", "--into", "advice", "--max-cost-usd", "3", "--margin", "25pp")
    done = await plainloop(*command, "--candidate", f"{CHEAP}@none", "--for", role, **environ)
    assert done.code == 1, done
    told = orjson.loads((tmp_path / "advice" / "result.json").read_bytes())
    [row] = told["workers"]
    assert (row["role"], row["kind"]) == (role, "keep"), row
    assert row["tried"][0]["promise"] < 0.05


def test_a_plans_cost_bound_includes_triage_once_and_a_review_per_answer() -> None:
    def use(role: str, worker: str | None, usd: str | None, threads: int = 10) -> WorkerUsage:
        cost = None if usd is None else Decimal(usd)
        of_model = ("openai", "m", None, 20, threads, 9_000, 900)
        return WorkerUsage(role, worker, *of_model, cost, int(usd is None))

    clerk = use("worker", "clerk", "10")
    usages = [
        clerk,
        use("classifier", None, "2", 20),
        use("classifier", "titles", "99"),
        use("router", None, "1"),
        use("evaluator", "clerk", "5"),
        use("evaluator", "writer", "99"),
    ]
    candidates = [Candidate("a", 0.5), Candidate("b", 0.25), Candidate("c", 0.125)]
    bounds: dict[str, float | None] = {}
    for name in ("clerk", "triage", "router", "writer"):
        others = sum_other_costs(name, usages)
        bounds[name] = estimate_cost(clerk, 100, candidates, others, batched=False)

    answers = 1 + 0.2 * 0.875 + 0.8 * 0.75
    assert bounds["triage"] == pytest.approx(100 * (answers + 0.1 * (1 + 0.2 * 3 + 0.8 * 2)))
    assert bounds["router"] == pytest.approx(100 * (answers + 0.1))
    reviewed = 0.1 + 0.1 + 0.5 * (1 + 0.2 * 3 + 0.8 * 2)
    assert bounds["clerk"] == pytest.approx(100 * (answers + reviewed))
    one = estimate_cost(clerk, 100, candidates[:1], OtherCosts(), batched=True)
    assert one == pytest.approx(50 * (1 + 0.5)), "a single candidate is tested once"
    unpriced = [*usages, use("evaluator", "clerk", None)]
    assert sum_other_costs("clerk", unpriced) is None
    assert estimate_cost(clerk, 100, candidates, None, batched=False) is None
    partly = replace(clerk, unpriced=3)
    assert estimate_cost(partly, 100, candidates, OtherCosts(), batched=False) is None


def test_a_plan_names_the_workers_whose_cost_is_not_in_its_estimate() -> None:
    wanted = Wanted(max_cost_usd=1.0)
    tasks = [
        Task(Traffic(name, "m", 1.0, 10, usd), Question(name, ["1"], [Candidate(CHEAP, 0.5)]), usd)
        for name, usd in (("clerk", 0.25), ("writer", None))
    ]
    *_, line = render_plan(describe_plan(tasks, wanted, make_rules(wanted)))
    told = "at most about $0.2500, without writer, whose cost is unknown"
    assert line == f"estimate: {told}; the advice stops at $1.00"


def test_a_candidate_is_priced_by_the_average_call_not_by_the_months_sum() -> None:
    """A month's tokens as one call would have the price that a list asks for long calls alone."""
    calls = [
        WorkerUsage(
            "worker", "clerk", "openai", "gpt-5.6-luna", None, n, n, n * 900, n * 99, None, 0
        )
        for n in (1, 10_000)
    ]
    one, month = (price_candidate("anthropic:claude-haiku-4-5", usage, Prices()) for usage in calls)
    assert one == month is not None


def test_a_model_name_with_a_colon_keeps_the_current_provider() -> None:
    """As the settings have it: qwen3 is no provider."""
    usage = WorkerUsage("worker", "clerk", "ollama", "big:70b", None, 9, 9, 1000, 100, None, 0)
    assert resolve_name("qwen3:4b@none", usage) == ("ollama", "qwen3:4b", "none")
    assert resolve_name("openai:gpt-6-luna", usage) == ("openai", "gpt-6-luna", None)
    row = {"kind": "switch", "worker": "clerk"}
    settings = [
        render_settings({"workers": [{**row, "candidate": name}]})[1:]
        for name in ("qwen3:4b@none", "openai:gpt-6-luna", "gpt-6-luna", "@low", "openai")
    ]
    assert settings == [
        ['model = "qwen3:4b"', 'effort = "none"'],
        ['provider = "openai"', 'model = "gpt-6-luna"'],
        ['model = "gpt-6-luna"'],
        ['effort = "low"'],
        ['provider = "openai"'],
    ]


def test_advice_states_the_worst_case_of_custom_rules_in_their_units() -> None:
    rules = [
        {"measure": "duration_ms", "baseline": 900.0, "candidate": 950.0, "at_worst": 120.0},
        {"measure": "asks_first", "baseline": None, "candidate": 0.9, "at_worst": 0.8},
        {"measure": "failed", "baseline": 0.0, "candidate": 0.0, "at_worst": 0.026},
    ]
    rules = [{**it, "needed": True, "is_bounded": it["measure"] != "duration_ms"} for it in rules]
    told = {"worker": "clerk", "today": "m", "candidate": CHEAP, "kind": "switch", "reason": ""}
    row = {**told, "saves_usd": None, "conversations": 400, "rules": rules}
    cells = list_rows({"workers": [row]})[1]
    assert cells[4] == "duration_ms +120 ms, asks_first 80%, failed +2.6 pp"


def test_an_announced_price_change_is_reported_with_its_date() -> None:
    usage = WorkerUsage("worker", "clerk", "openai", "gpt-5.6-luna", None, 9, 9, 1000, 100, None, 0)
    names = [usage.label, "gpt-5.6-luna@low", "gpt-5.6-sol", "gpt-9"]
    before = datetime(2026, 7, 15, 12, tzinfo=UTC)
    [luna, sol] = describe_price_changes(names, usage, Prices(), before)
    assert luna == (
        "openai:gpt-5.6-luna costs 80 % less from 30 July 2026 (in 15 days): "
        "$1.00 / $6.00 → $0.20 / $1.20 per million input / output tokens"
    )
    assert (
        sol.startswith("openai:gpt-5.6-sol costs ") and " from 21 August 2026 (in 37 days): " in sol
    )
    recently = datetime(2026, 9, 1, 12, tzinfo=UTC)
    [sol] = describe_price_changes(names, usage, Prices(), recently)
    assert sol.startswith("openai:gpt-5.6-sol costs ") and " since 21 August 2026: " in sol
    later = datetime(2026, 10, 1, 12, tzinfo=UTC)
    assert describe_price_changes(names, usage, Prices(), later) == []
    own = Prices({"openai:gpt-5.6-luna": OwnPrice(input=Decimal(1), output=Decimal(4))})
    assert describe_price_changes(names[:2], usage, own, before) == [], "your own price has no date"


ENDINGS = """
[[endings]]
provider = "openai"
models = ["gpt-6.1-terra"]
ends = 2027-01-14
successor = "gpt-6-luna"
"""


async def test_advice_for_an_ending_model_tries_the_vendors_successor(
    plainloop: Command, recorded: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "endings.toml").write_text(ENDINGS)
    environ = recorded | {"AGENT_ENDINGS_FILE": "endings.toml"}
    command = ("advise", "--into", "advice", "--max-cost-usd", "3", "--margin", "25pp")
    done = await plainloop(*command, "--successor", **environ)
    assert done.code == 0, done
    told = orjson.loads((tmp_path / "advice" / "result.json").read_bytes())
    assert [(row["candidate"], row["kind"]) for row in told["workers"]] == [
        ("openai:gpt-6-luna", "switch")
    ]
    assert '  [agents.crm_worker]\n  provider = "openai"\n  model = "gpt-6-luna"\n' in done.out

    shut = (
        ENDINGS.replace("6.1-terra", "6-luna")
        .replace("2027", "2026")
        .replace('r = "gpt-6', 'r = "x')
    )
    (tmp_path / "endings.toml").write_text(shut)
    over = await plainloop(*command, "--candidate", f"{CHEAP}@none", "--plan", **environ)
    assert "openai:gpt-6-luna ended on 14 January 2026" in over.err, over
    (tmp_path / "endings.toml").write_text(shut.replace("2026", "2099"))
    rest = ("--max-cost-usd", "3", "--candidate", f"{CHEAP}@none", "--for", "crm_worker")
    soon = await plainloop("advise", "--into", "soon", *rest, **environ)
    assert "- openai:gpt-6-luna ends on 14 January 2099" in soon.out, soon

    (tmp_path / "endings.toml").write_text(ENDINGS.replace("terra", "sol"))
    nothing = await plainloop(*command, "--successor", **environ)
    assert "days had no worker whose model has a successor" in nothing.err


def test_the_documented_advice_table_is_the_commands_output(
    capsys: pytest.CaptureFixture[str],
) -> None:
    world.main(["--runs", "1", "--conversations", "150"])
    printed = capsys.readouterr().out.splitlines()

    page = (Path(__file__).parents[1] / "docs" / "advise.md").read_text(encoding="utf-8")
    _, _, shown = page.partition("$ ./scripts/bench advise --runs 300\n")
    told = shown.partition("\n```")[0].splitlines()
    assert [line for line in told if "@" in line and ":" not in line] == [
        line for line in printed if "@" in line and ":" not in line
    ]
    figures = [re.sub(r"[\d.]+%", "n%", line) for line in told[-4:]]
    assert figures == [re.sub(r"[\d.]+%", "n%", line) for line in printed[-4:]]
