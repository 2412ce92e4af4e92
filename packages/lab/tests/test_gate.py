"""The gate: three verdicts, what they rest on, and that they are right as often as they say."""

from __future__ import annotations

import math
import os
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import orjson
import pytest

from packages.lab.tests.recorded.test_openai_format import SAMPLE, ask_tool, line, tell, user
from packages.lab.tests.replay.test_measures import make_item, make_turn
from packages.lab.tests.replay.test_report import Page, write_live
from plainloop.agent.errors import ConfigError, InputError
from plainloop_lab.decide.checks import judge_answer
from plainloop_lab.decide.gate import UNBOUNDED_TASKS, find_cost, judge_all
from plainloop_lab.decide.outcomes import Outcome, Place, Side, parse_place, read_side
from plainloop_lab.decide.planning import plan, simulate, simulate_rule
from plainloop_lab.decide.rules import Check, Rule, Rules, read_rules
from plainloop_lab.decide.verdicts import describe_size, describe_verdict, render_lines
from plainloop_lab.store.replays import ItemResult
from tests.cli.conftest import Command

DRAWS = int(os.environ.get("PLAINLOOP_SIMULATIONS", "150"))
REWARD = '[[rule]]\nmeasure = "reward"\nmargin = "10pp"\n'
PRICE = '[[rule]]\nmeasure = "price"\nmargin = "10%"\n'


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def write_talks(
    path: Path,
    rewards: list[float],
    answer: str = "Done.",
    *,
    measure: str = "reward",
    requests: int = 1_000_000,
) -> Path:
    """requests: how many first requests there are."""
    talks = [
        orjson.dumps(
            orjson.loads(line(user(f"x {n % requests}"), {"role": "assistant", "content": answer}))
            | {"conversation_id": f"t{n}", measure: reward}
        )
        for n, reward in enumerate(rewards)
    ]
    path.write_bytes(b"\n".join(talks))
    return path


def read(path: Path, rules: Rules, *, is_baseline: bool = True) -> Side:
    return read_side(Place(path), rules, is_baseline=is_baseline)


def judge(
    folder: Path, rules: str, before: list[float], now: list[float], **talks: Any
) -> dict[str, Any]:
    """talks: as `write_talks` takes them."""
    known = read_rules(write(folder / "rules.toml", rules))
    sides = [
        read(write_talks(folder / f"{n}.jsonl", side, **talks), known, is_baseline=n == 0)
        for n, side in enumerate((before, now))
    ]
    return judge_all(known, sides[0], {"now": sides[1]})


def spread(share: float, count: int) -> list[float]:
    """So many ones of a hundred, evenly."""
    return [float(int((n + 1) * share + 1e-9) > int(n * share + 1e-9)) for n in range(count)]


VERDICTS = {
    "the same": (spread(0.8, 100), "passed", 0),
    "much worse": (spread(0.5, 100), "failed", 1),
    "few": (spread(0.8, 20), "undecided", 10),
}


@pytest.mark.parametrize("name", VERDICTS)
async def test_a_gates_verdict_is_printed_written_and_sets_the_exit_code(
    name: str, plainloop: Command, tmp_path: Path
) -> None:
    now, verdict, code = VERDICTS[name]
    write(tmp_path / "rules.toml", REWARD)
    write_talks(tmp_path / "then.jsonl", spread(0.8, len(now)))
    write_talks(tmp_path / "now.jsonl", now)
    files = ("--json", "gate.json", "--junit", "gate.xml", "--markdown", "out/gate.md")
    files += ("--html", "gate.html")
    done = await plainloop("gate", "rules.toml", "-b", "then.jsonl", "-c", "now.jsonl", *files)
    assert (done.code, done.out.splitlines()[-1]) == (code, f"verdict: {verdict}"), done
    assert orjson.loads((tmp_path / "gate.json").read_bytes())["verdict"] == verdict
    suite = ElementTree.parse(tmp_path / "gate.xml").getroot()[0]
    assert (suite.get("failures"), suite.get("errors")) == (
        str(int(verdict == "failed")),
        str(int(verdict == "undecided")),
    )
    assert f"Gate: {verdict}" in (tmp_path / "out" / "gate.md").read_text()
    page = Page()
    page.feed((tmp_path / "gate.html").read_text())
    assert (page.open, page.scripts, page.links) == ([], 0, set())


def test_an_undecided_verdict_states_what_would_decide_it(tmp_path: Path) -> None:
    (rule,) = judge(tmp_path, REWARD, spread(0.8, 20), spread(0.8, 20))["candidates"][0]["rules"]
    assert rule["verdict"] == "undecided"
    assert 5 <= rule["needs"]["conversations"] <= 60
    assert rule["at_worst"] < -0.1 < rule["difference"]


def test_a_gates_report_does_not_depend_on_the_order_of_conversations(tmp_path: Path) -> None:
    rules = read_rules(write(tmp_path / "r.toml", REWARD.replace("10pp", "5%")))
    lines = write_talks(tmp_path / "a.jsonl", spread(0.7, 90)).read_bytes().split(b"\n")
    now = write_talks(tmp_path / "b.jsonl", spread(0.61, 90))
    found: list[bytes] = []
    for seed in range(3):
        random.Random(seed).shuffle(lines)
        (tmp_path / "a.jsonl").write_bytes(b"\n".join(lines))
        sides = [read(p, rules) for p in (tmp_path / "a.jsonl", now)]
        found.append(orjson.dumps(judge_all(rules, sides[1], {"a": sides[0]})))
    assert found[0] == found[1] == found[2]


def test_a_gates_absolute_rule_needs_no_baseline(tmp_path: Path) -> None:
    rules = read_rules(write(tmp_path / "r.toml", '[[rule]]\nmeasure="reward"\nat_least=0.9\n'))
    for share, verdict in ((0.99, "passed"), (0.75, "failed"), (0.92, "undecided")):
        side = read(write_talks(tmp_path / "a.jsonl", spread(share, 100)), rules, is_baseline=False)
        assert judge_all(rules, None, {"a": side})["verdict"] == verdict


def test_a_gates_rule_better_passes_only_with_proof(tmp_path: Path) -> None:
    rule = '[[rule]]\nmeasure="reward"\nmust="better"\nmargin=0.05\n'
    shares = {0.5: "failed", 0.72: "undecided", 0.95: "passed"}
    for share, verdict in shares.items():
        found = judge(tmp_path, rule, spread(0.6, 100), spread(share, 100))
        assert found["verdict"] == verdict, share


def test_optional_rules_do_not_decide_a_gate(tmp_path: Path) -> None:
    advice = REWARD.replace("10pp", "1pp") + "needed = false\n"
    found = judge(tmp_path, REWARD + advice, spread(0.8, 100), spread(0.8, 100))
    kinds = [rule["verdict"] for rule in found["candidates"][0]["rules"]]
    assert (found["verdict"], kinds) == ("passed", ["passed", "undecided"])


def test_a_gate_with_missing_candidate_answers_does_not_pass(tmp_path: Path) -> None:
    found = judge(tmp_path, REWARD, spread(0.8, 120), spread(0.8, 100))
    assert (found["verdict"], found["candidates"][0]["left_out"]) == ("undecided", 20)


def test_a_gate_with_planned_looks_decides_only_at_those_sizes(tmp_path: Path) -> None:
    looks = "[gate]\nlooks = [40, 80, 160]\n" + REWARD
    worse = judge(tmp_path, looks, spread(0.9, 100), spread(0.3, 100))["candidates"][0]
    assert (worse["verdict"], worse["rules"][0]["look"]) == ("failed", 40)
    # After the second look nothing is asked before the third, however it goes on.
    same = judge(tmp_path, looks, spread(0.9, 159), spread(0.85, 159))["candidates"][0]
    assert (same["verdict"], same["rules"][0]["look"]) == ("undecided", None)


def test_looks_at_a_running_replay_count_conversations_in_the_drawn_order(tmp_path: Path) -> None:
    """Those that have ended are the quick ones, which a slow candidate wins."""
    rules = read_rules(write(tmp_path / "r.toml", "[gate]\nlooks = [2, 9]\n" + REWARD))
    waits = ItemResult(3, "running", None, None, None)
    ended = make_item([make_turn()])
    done = [{"baseline": ended, "candidate": ended} for _ in range(9)]
    done[3] = {"baseline": ended, "candidate": waits}
    write_live(tmp_path, done)
    for is_baseline in (True, False):
        assert [*read(tmp_path, rules, is_baseline=is_baseline)] == ["t0", "t1", "t2"]
    plain = read_rules(write(tmp_path / "r.toml", REWARD))
    assert len(read(tmp_path, plain, is_baseline=False)) == 8


def test_a_gate_divides_alpha_among_its_candidates(tmp_path: Path) -> None:
    rules = read_rules(write(tmp_path / "r.toml", REWARD))
    before = read(write_talks(tmp_path / "a.jsonl", [1.0] * 30), rules)
    assert judge_all(rules, before, {"a": before})["verdict"] == "passed"
    many = judge_all(rules, before, {str(n): before for n in range(3)})
    assert many["verdict"] == "undecided"  # 0.9^30 is 0.042, and 0.05 / 3 is less


def test_a_gate_counts_the_trials_of_a_task_as_one_observation(tmp_path: Path) -> None:
    """Ten tasks, tried ten times each, say of the margin what ten tasks say."""
    rules = '[gate]\ntask = "(\\\\d)$"\n' + REWARD
    found = judge(tmp_path, rules, [1.0] * 100, [1.0] * 100)["candidates"][0]
    assert (found["verdict"], found["tasks"], found["conversations"]) == ("undecided", 10, 100)
    assert found["rules"][0]["p_pass"] == pytest.approx(0.9**10, rel=0.05)


def test_pass_k_counts_a_task_only_if_all_k_trials_succeed(tmp_path: Path) -> None:
    rule = '[gate]\ntask="(\\\\d)$"\n[[rule]]\nmeasure="reward"\nunit="task"\ntrials=2\n'
    halves = [1.0] * 50 + [0.0] * 50  # every task: five of ten
    found = judge(tmp_path, rule, [1.0] * 100, halves)["candidates"][0]["rules"][0]
    assert found["candidate"] == pytest.approx(10 / 45)  # 5 of 10 twice: C(5,2) / C(10,2)


CHECKS = """
[check.polite]
contains = ["room", "PLEASE"]
lacks = "sorry"
[check.booked]
called = "book_room"
arguments = { room = 7 }
of = "conversation"
[check.json]
json_schema = { type = "object", required = ["room"] }
of = "last"
[check.own]
python = "packages.lab.tests.test_gate:count_words"
[[rule]]
measure = "polite"
at_least = 0.5
unit = "turn"
[[rule]]
measure = "booked"
at_least = 0.5
by = ["tool", "length"]
[[rule]]
measure = "json"
at_least = 0.5
[[rule]]
measure = "own"
at_least = 0.5
"""


def count_words(answer: str, calls: list[Any]) -> float:
    return len(answer.split()) / 10


def test_a_gates_custom_checks_can_test_answers_and_calls(tmp_path: Path) -> None:
    rules = read_rules(write(tmp_path / "r.toml", CHECKS))
    talk = line(
        user("A room for two"),
        {"role": "assistant", "content": "Which room please"},
        user("Seven"),
        ask_tool("b", "book_room", '{"room": 7, "beds": 2}'),
        tell("b", "ok"),
        {"role": "assistant", "content": '{"room": 7}'},
    )
    (tmp_path / "a.jsonl").write_bytes(talk)
    side = read(tmp_path / "a.jsonl", rules, is_baseline=False)
    found = judge_all(rules, None, {"a": side})["candidates"][0]["rules"]
    assert [rule["candidate"] for rule in found] == [0.5, 1.0, 1.0, pytest.approx(0.25)]
    slices = [(item["by"], item["label"], item["candidate"]) for item in found[1]["slices"]]
    assert slices == [("tool", "book_room", 1.0), ("length", "2–3 turns", 1.0)]


def count_all_words(answer: str, calls: list[Any]) -> float:
    return len(answer.split())


def divide_nothing(answer: str, calls: list[Any]) -> float:
    return math.nan


@pytest.mark.parametrize("function", [count_all_words, divide_nothing])
def test_a_checks_function_may_only_return_a_share(function: Any) -> None:
    """The proofs are about shares: another number would make them wrong, unnoticed."""
    check = Check(python=f"packages.lab.tests.test_gate:{function.__name__}")
    with pytest.raises(ConfigError, match="which is not from 0 to 1"):
        judge_answer(check, "All is done.", [])


def test_more_conversations_have_no_known_cost_if_the_candidate_has_none() -> None:
    bare = {f"t{n}": Outcome(f"t{n}", f"t{n}", {}) for n in range(4)}
    paid = {name: replace(one, cost_usd=0.25) for name, one in bare.items()}
    costs = [find_cost(paid, paid), find_cost(paid, bare), find_cost(paid, None)]
    assert (costs, find_cost(bare, paid)) == ([0.5, 0.25, 0.25], None)


def test_a_pass_k_rule_does_not_prevent_the_plan_of_other_rules(tmp_path: Path) -> None:
    """packages/lab/docs/deciding.md has both in one file."""
    both = f"[gate]\ntask='(\\d)$'\n{REWARD}{REWARD}unit = 'task'\ntrials = 3\n"
    rules = read_rules(write(tmp_path / "rules.toml", both))
    side = read(write_talks(tmp_path / "a.jsonl", spread(0.8, 100)), rules)
    found = plan(rules, side, 1, 0.02, is_recording=True)["rules"]
    assert [item["tasks"] is None for item in found] == [False, True]
    assert [*simulate(rules, side, 10, [10])] == [rules.rule[0].text]


def test_a_price_below_a_dollar_is_not_shown_as_a_share(tmp_path: Path) -> None:
    prices = [0.25 + n % 2 / 2 for n in range(40)]
    (line,) = render_lines(judge(tmp_path, PRICE, prices, prices, measure="price"))[2:]
    assert line.split()[:7] == ["price", "not", "worse", "by", "10%", "0.50", "0.50"]


@pytest.mark.parametrize(("now", "verdict"), [(-2.1, "passed"), (-2.5, "failed")])
def test_a_margin_in_percent_of_a_negative_mean_allows_a_loss(
    now: float, verdict: str, tmp_path: Path
) -> None:
    rules = REWARD.replace("10pp", "10%") + "range = [-4, 0]\n"
    found = judge(tmp_path, rules, [-2.0] * 400, [now] * 400)
    assert found["verdict"] == verdict


def test_a_value_outside_its_rules_range_is_refused(tmp_path: Path) -> None:
    rules = REWARD + "range = [0, 5]\n"
    with pytest.raises(InputError, match="reward is 7 in a conversation, outside .* 0 to 5"):
        judge(tmp_path, rules, [5.0] * 40, [5.0] * 39 + [7.0])


def test_a_gate_reads_both_sides_of_a_live_report(tmp_path: Path) -> None:
    whole, lost = make_item([make_turn()]), make_item(None)
    sides = ({"baseline": whole, "candidate": whole if n % 4 else lost} for n in range(40))
    write_live(tmp_path / "out", sides)
    text = '[[rule]]\nmeasure="failed"\nmargin="5pp"\n[[rule]]\nmeasure="cost_usd"\nmargin="20%"\n'
    rules = read_rules(write(tmp_path / "r.toml", text))
    place = parse_place(str(tmp_path / "out"))
    before, now = (read_side(place, rules, is_baseline=is_base) for is_base in (True, False))
    found = judge_all(rules, before, {"now": now})["candidates"][0]
    assert found["verdict"] == "failed"
    assert [rule["candidate"] for rule in found["rules"][:1]] == [0.25]
    with pytest.raises(InputError, match="has no variant other"):
        read_side(parse_place(f"{tmp_path / 'out'}:other"), rules, is_baseline=False)


BAD = {
    "no file": ("", "has no \\[\\[rule\\]\\]"),
    "an unknown field": ('[[rule]]\nmeasure="x"\nmargins=3\n', "unknown field `margins`"),
    "a margin without a unit": (
        '[[rule]]\nmeasure="x"\nmargin="3"\n',
        'the margin of x is not valid: "3"',
    ),
    "a bad regex": ('[gate]\ntask="("\n[[rule]]\nmeasure="x"\n', "the regular expression"),
    "looks that fall": (
        "[gate]\nlooks=[5,3]\n[[rule]]\nmeasure='x'\n",
        "the numbers in `looks` must increase",
    ),
    "a range that falls": ("[[rule]]\nmeasure='x'\nrange=[5,0]\n", "the range of x must begin"),
    "trials without tasks": ("[[rule]]\nmeasure='x'\ntrials=2\n", "needs unit"),
}


@pytest.mark.parametrize("name", BAD)
def test_invalid_gate_rules_are_refused_by_name(name: str, tmp_path: Path) -> None:
    text, told = BAD[name]
    with pytest.raises(ConfigError, match=told):
        read_rules(write(tmp_path / "r.toml", text))


def test_an_unknown_gate_measure_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="no conversation has a value of rewards for both baseline and candidate"
    ) as raised:
        judge(tmp_path, REWARD.replace('"reward"', '"rewards"'), [1.0], [1.0])
    assert raised.value.hint == "Available measures: reward."
    (tmp_path / "bare.jsonl").write_bytes(line(user("x"), {"role": "assistant", "content": "y"}))
    rules = read_rules(tmp_path / "rules.toml")
    bare = read(tmp_path / "bare.jsonl", rules)
    with pytest.raises(
        InputError, match="no conversation has a value of rewards for both baseline and candidate"
    ) as raised:
        judge_all(rules, bare, {"now": bare})
    assert raised.value.hint == "The conversations have no measures."


def test_a_gate_is_undecided_if_only_one_side_has_the_measure(tmp_path: Path) -> None:
    """Those that have one may be the lucky ones."""
    rules = read_rules(write(tmp_path / "r.toml", REWARD))
    before = write_talks(tmp_path / "a.jsonl", [1.0] * 100)
    lines = before.read_bytes().replace(b'"reward":1.0', b'"reward":null', 10)
    (tmp_path / "b.jsonl").write_bytes(lines)
    sides = [read(tmp_path / name, rules) for name in ("a.jsonl", "b.jsonl")]
    found = judge_all(rules, sides[0], {"b": sides[1]})
    (rule,) = found["candidates"][0]["rules"]
    told = "in 10 of 100 tasks, only one side has the measure"
    assert (found["verdict"], rule["doubt"]) == ("undecided", told)


def test_a_gate_counts_copies_of_a_conversation_as_one_task(tmp_path: Path) -> None:
    same = spread(0.8, 300)
    (found,) = judge(tmp_path, REWARD, same, same, requests=15)["candidates"]
    assert (found["verdict"], found["tasks"], found["conversations"]) == ("undecided", 15, 300)
    told = "300 conversations of 15 tasks, 285 have the same first request as another one"
    assert describe_size(found).startswith(told)


def test_a_gate_counts_declared_copies_as_separate_tasks(tmp_path: Path) -> None:
    rules = read_rules(write(tmp_path / "r.toml", f'[gate]\ntask = "(.+)"\n{REWARD}'))
    path = write_talks(tmp_path / "a.jsonl", [1.0] * 30, requests=3)
    side = read(path, rules)
    assert {outcome.task for outcome in side.values()} == set(side)


def test_a_gate_of_an_unbounded_measure_prints_the_needed_sample_size(tmp_path: Path) -> None:
    verdicts: list[str] = []
    for count in (UNBOUNDED_TASKS - 1, UNBOUNDED_TASKS):
        same = [2.0] * count
        (candidate,) = judge(tmp_path, PRICE, same, same, measure="price")["candidates"]
        verdicts.append(describe_verdict(candidate["rules"][0]))
    told = (
        "undecided: price has no range: with fewer than 325 tasks, rare large "
        "values cannot be ruled out; if its values are bounded, set `range = [least, most]`"
    )
    assert verdicts == [told, "passed"]


def test_a_gate_fails_a_consistently_dearer_candidate_with_few_tasks(tmp_path: Path) -> None:
    rule = PRICE + 'better = "less"\n'
    found = judge(tmp_path, rule, [2.0] * 30, [6.0] * 30, measure="price")
    assert found["verdict"] == "failed"


def test_a_gate_passes_rare_expensive_failures_in_at_most_5_percent() -> None:
    """1 % of the candidate's conversations cost 100 times as much; drawn with a seed."""
    draw = random.Random(7)
    rules = Rules(rule=(Rule(measure="cost_usd", margin="10%"),))
    draws = DRAWS // 3
    passed = dict.fromkeys((30, UNBOUNDED_TASKS), 0)
    for count in passed:
        for _ in range(draws):
            before: Side = {}
            now: Side = {}
            for n in range(count):
                cost = Fraction(draw.lognormvariate(-4, 0.3))
                dear = 100 if draw.random() < 0.01 else 1
                for side, value in ((before, cost), (now, dear * cost)):
                    side[f"t{n}"] = Outcome(f"t{n}", f"t{n}", {"cost_usd": (value, 1)})
            passed[count] += judge_all(rules, before, {"now": now})["verdict"] == "passed"
    assert passed[30] == 0
    assert passed[UNBOUNDED_TASKS] <= 0.05 * draws


CELLS = ("share", "graded", "skewed cost", "seconds")


def draw_value(draw: random.Random, cell: str, loss: float) -> float:
    """One task's value; loss: how much worse its mean is, as a share of 0.8 or of the mean."""
    if cell == "share":
        return float(draw.random() < 0.8 * (1 - loss))
    if cell == "graded":
        return draw.betavariate(4 * (1 - loss), 1 + 4 * loss)
    deviation = 1.0 if cell == "skewed cost" else 0.4
    return (1 + loss) * draw.lognormvariate(-2.0, deviation)


@pytest.mark.parametrize("losses", [0, 1, 2])
@pytest.mark.parametrize("cell", CELLS)
def test_gates_have_at_most_5_percent_wrong_verdicts_for_each_measure(
    cell: str, losses: int
) -> None:
    """Equal, worse by the margin, by twice as much. PLAINLOOP_GATE_DRAWS=300 for as many."""
    draws = int(os.environ.get("PLAINLOOP_GATE_DRAWS") or 10)
    is_value = cell in ("share", "graded")
    known: Any = {"margin": 0.08} if is_value else {"margin": "10%", "better": "less"}
    if cell == "graded":
        known["range"] = (0.0, 1.0)
    rules = Rules(rule=(Rule(measure="own", **known),))
    draw, wrong = random.Random(f"{cell} {losses}"), 0
    for _ in range(draws):
        sides: list[Side] = []
        for loss in (0.0, 0.1 * losses):
            values = (Fraction(draw_value(draw, cell, loss)) for _ in range(UNBOUNDED_TASKS + 75))
            names = ((f"t{n}", value) for n, value in enumerate(values))
            sides.append({key: Outcome(key, key, {"own": (value, 1)}) for key, value in names})
        verdict = judge_all(rules, sides[0], {"now": sides[1]})["verdict"]
        wrong += verdict == ("passed" if losses else "failed")
    print(f"{cell}, {losses} margins: {wrong} of {draws} wrong")
    assert wrong <= (0.05 * draws if draws >= 300 else count_by_chance(draws))


def count_by_chance(draws: int, rate: float = 0.05) -> int:
    """Count how many of a few draws a test of this rate gets wrong at most, in 99 of 100 trials.

    >>> count_by_chance(300), count_by_chance(10)
    (24, 3)
    """
    total = 0.0
    for wrong in range(draws + 1):
        total += math.comb(draws, wrong) * rate**wrong * (1 - rate) ** (draws - wrong)
        if total >= 0.99:
            return wrong
    return draws


def test_a_gate_does_not_bound_costs_below_one_dollar_as_shares(tmp_path: Path) -> None:
    same = [0.02] * 60
    (candidate,) = judge(tmp_path, PRICE, same, same, measure="price")["candidates"]
    assert describe_verdict(candidate["rules"][0]).startswith("undecided: price has no range")
    bounded = PRICE.replace("10%", "50%") + "range = [0, 0.05]\n"
    assert judge(tmp_path, bounded, same, same, measure="price")["verdict"] == "passed"


async def test_a_gate_reports_that_it_was_repeated_without_planned_looks(
    plainloop: Command, tmp_path: Path
) -> None:
    write(tmp_path / "rules.toml", REWARD)
    told: list[bool] = []
    for count in (20, 20, 30, 40):
        for name in ("then", "now"):
            write_talks(tmp_path / f"{name}.jsonl", [1.0] * count)
        done = await plainloop("gate", "rules.toml", "-b", "then.jsonl", "-c", "now.jsonl")
        told.append("earlier looks at" in done.out)
    assert told == [False, False, True, True]
    assert "40 tasks, earlier looks at 20 and 30 tasks: " in done.out
    write(tmp_path / "rules.toml", f"[gate]\nlooks = [20, 30]\n{REWARD}")
    again = ("gate", "rules.toml", "-b", "then.jsonl", "-c", "now.jsonl")
    assert "earlier looks at" not in ((await plainloop(*again)).out + (await plainloop(*again)).out)


async def test_a_gates_plan_from_a_recording_states_that_noise_is_unknown(
    plainloop: Command, tmp_path: Path
) -> None:
    write(tmp_path / "rules.toml", '[[rule]]\nmeasure = "same_tools"\nmargin = "5pp"\n')
    write_talks(tmp_path / "then.jsonl", [1.0] * 30)
    done = await plainloop("gate", "rules.toml", "--plan", "-b", "then.jsonl")
    assert (
        "so it is\nunknown for same_tools not worse by 5pp; for it, use a live replay" in done.out
    ), done
    whole = make_item([make_turn()])
    write_live(tmp_path / "report", [{"baseline": whole, "candidate": whole}] * 30)
    done = await plainloop("gate", "rules.toml", "--plan", "-b", "report")
    assert (done.code, "noise" in done.out) == (0, False), done


ODD = {
    "no baseline": (["-c", "a.jsonl"], "a.jsonl contains no baseline"),
    "an id twice": (["-c", "a.jsonl", "-b", "twice.jsonl"], "the conversation 't0' twice"),
    "a number beyond all": (["-c", "a.jsonl", "-b", "big.jsonl"], "line 1: reward is 1e+300"),
    "nothing": (["-c", "a.jsonl", "-b", "none.jsonl"], "there is no report none.jsonl"),
}


@pytest.mark.parametrize("name", ODD)
async def test_unsuitable_gate_inputs_get_a_readable_error(
    name: str, plainloop: Command, tmp_path: Path
) -> None:
    arguments, told = ODD[name]
    write(tmp_path / "rules.toml", REWARD)
    lines = write_talks(tmp_path / "a.jsonl", [1.0, 0.0]).read_bytes()
    (tmp_path / "twice.jsonl").write_bytes(lines + b"\n" + lines)
    write_talks(tmp_path / "big.jsonl", [1e300])
    done = await plainloop("gate", "rules.toml", *arguments)
    assert (done.code, told in done.err) == (2, True), done


def test_a_gates_plan_states_conversations_and_cost(tmp_path: Path) -> None:
    rules = read_rules(write(tmp_path / "r.toml", REWARD))
    path = write_talks(tmp_path / "a.jsonl", spread(0.8, 50))
    (rule,) = plan(rules, read(path, rules), 1, 0.02)["rules"]
    assert 150 < rule["conversations"] < 300
    assert rule["usd"] == pytest.approx(rule["conversations"] * 0.02)


async def test_a_gates_plan_from_a_file_is_priced_per_model(
    plainloop: Command, tmp_path: Path
) -> None:
    write(tmp_path / "rules.toml", REWARD)
    write_talks(tmp_path / "then.jsonl", spread(0.8, 50), "Done. " * 200)
    plan = ("gate", "rules.toml", "--plan", "-b", "then.jsonl")
    assert (await plainloop(*plan)).out.splitlines()[1].endswith("unknown")
    (tmp_path / "plainloop.toml").write_text(
        '[prices."acme:large"]\ninput = 0\noutput = 100\n[prices."acme:free"]\nshare = 0\n'
        '[prices."acme:small"]\ninput = 0\noutput = 50\n'
    )
    costs: list[float] = []
    for models in (["acme:large"], ["acme:large", "acme:small"]):
        named = [part for model in models for part in ("--model", model)]
        done = await plainloop(*plan, *named)
        costs.append(float(done.out.splitlines()[1].rpartition("$")[2]))
    assert costs[0] > 5  # 400 tokens and more, twice, for some 190 conversations
    assert costs[1] == pytest.approx(0.75 * costs[0], rel=0.02)


AIRLINE = '[gate]\ntask = "airline-(\\\\d+)-"\n[[rule]]\nmeasure = "reward"\nmargin = "5pp"\n'


@pytest.mark.skipif(not SAMPLE.exists(), reason="../shared/data is not there")
@pytest.mark.parametrize("tasks", [25, 100])
def test_gates_on_real_conversations_err_less_often_than_alpha(tasks: int, tmp_path: Path) -> None:
    """PLAINLOOP_SIMULATIONS=10000 for the whole of it."""
    rules = read_rules(write(tmp_path / "r.toml", AIRLINE))
    side = read(SAMPLE, rules)
    (rule,) = rules.rule
    same, margin, twice = (
        simulate_rule(rule, side, tasks, loss, DRAWS, rules) for loss in (0.0, 0.05, 0.1)
    )
    borne = 0.05 + 2.33 * (0.05 * 0.95 / DRAWS) ** 0.5
    assert same.failed <= borne  # false alarms
    assert margin.passed <= borne  # false passes
    assert twice.passed <= margin.passed
    assert twice.failed > 3 * borne
    assert margin.naive > 0.3  # the competing rule: a coin
