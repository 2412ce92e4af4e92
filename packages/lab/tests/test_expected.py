"""Checks against expected answers: exact ones, and those that a model scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from packages.lab.tests.replay.test_live import Candidate, answer
from plainloop.agent.errors import ConfigError, InputError
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest, LLMResponse
from plainloop_lab.decide.checks import judge_answer
from plainloop_lab.decide.expected.references import Score, read_references
from plainloop_lab.decide.expected.scorers import parse_path
from plainloop_lab.decide.expected.scoring import doubt_judge
from plainloop_lab.decide.guarding import read_guards
from plainloop_lab.decide.rules import Check
from tests.cli.conftest import Command, point_at
from tests.cli.conftest import plainloop as plainloop
from tests.wire_fixtures import StartWire

ORDER = {"order": {"total": 42, "items": [{"sku": "a"}, {"sku": "b"}]}}
CITIES = ("Paris", "Rome", "Oslo", "Bern", "Riga", "Lima")


@pytest.mark.parametrize(
    ("check", "said", "expected", "score"),
    [
        (Check(equals=True), "Paris", "Paris", 1.0),
        (Check(equals=True), "paris", "Paris", 0.0),
        (Check(equals=True), " Paris\n", ["Rome", "Paris"], 1.0),
        (Check(equals=True), '{"a": 1, "b": 2}', {"b": 2, "a": 1}, 1.0),
        (Check(equals=True), "Paris", None, None),
        (Check(equals=True), "true", 1, 0.0),
        (Check(equals=True), '{"a": [false]}', {"a": [0.0]}, 0.0),
        (Check(equals=True), '{"a": [1, null]}', {"a": [1.0, None]}, 1.0),
        (Check(json_path={"$.a": 1}), '{"a": true}', None, 0.0),
        (Check(json_path=("$.a",)), '{"a": true}', {"a": 1}, 0.0),
        (Check(equals=True, expected="Rome"), "Rome", "Paris", 1.0),
        (Check(numbers=True), "It is $1,250.50 in all.", "1250.5", 1.0),
        (Check(numbers=True), "Es sind 1.250,50 Euro.", 1250.5, 1.0),
        (Check(numbers=True), "It is 1,251.", "1250.5", 0.0),
        (Check(numbers=0.01), "It is 1,251.", "1250.5", 1.0),
        (Check(numbers=True), "7 of 9", "9 and 7", 1.0),
        (Check(numbers=True), "On 12 13 May 300 came.", "300 on 12", 1.0),
        (Check(numbers=True), "In 2024 300 people paid 1 250,50.", "300 for 1250.5", 1.0),
        (Check(numbers=True), "It takes 3-5 days, until 2026-11-30.", "5 days, 30", 1.0),
        (Check(numbers=True), "none", "no number", 0.0),
        (Check(numbers=True), "−5 °C", -5, 1.0),
        (Check(json_path={"$.order.total": 42}), orjson.dumps(ORDER).decode(), None, 1.0),
        (Check(json_path=("$.order.items[*].sku",)), orjson.dumps(ORDER).decode(), ORDER, 1.0),
        (Check(json_path=("$.order.total",)), "no JSON", ORDER, 0.0),
        (Check(json_path={"$.order.items[2].sku": "c"}), orjson.dumps(ORDER).decode(), None, 0.0),
    ],
)
def test_score_checks_answers_against_their_expected_answers(
    check: Check, said: str, expected: Any, score: float | None
) -> None:
    assert judge_answer(check, said, [], expected) == score


@pytest.mark.parametrize(("said", "score"), [(1.0, 1.0), (True, 0.0), ([1], 0.0)])
def test_a_check_of_call_arguments_distinguishes_true_from_1(said: Any, score: float) -> None:
    calls = [{"name": "book", "arguments": {"room": said, "beds": 2}}]
    assert judge_answer(Check(called="book", arguments={"room": 1}), "Done.", calls) == score


@pytest.mark.parametrize("path", ["order", "$.a..b", "$[?@.x]", "$.a[-1]", "$."])
def test_an_unsupported_json_path_is_refused(path: str) -> None:
    with pytest.raises(ConfigError, match="is not a supported path"):
        parse_path(path)


async def test_a_gates_rule_can_compare_with_expected_answers(
    plainloop: Command, tmp_path: Path
) -> None:
    rules = '[check.right]\nequals = true\n[[rule]]\nmeasure = "right"\nat_least = 0.5\n'
    (tmp_path / "rules.toml").write_text(rules)
    write_talks(tmp_path / "now.jsonl", {n: CITIES[n % 6] for n in range(60)})
    expected = [{"conversation_id": f"t{n}", "expected": CITIES[n % 6]} for n in range(60)]
    (tmp_path / "right.jsonl").write_bytes(b"\n".join(map(orjson.dumps, expected)))
    command = ("gate", "rules.toml", "-c", "now.jsonl")
    done = await plainloop(*command, "--expected", "right.jsonl")
    assert (done.code, "100%" in done.out) == (0, True), done
    expected[0]["expected"] = "Kiel"
    (tmp_path / "wrong.jsonl").write_bytes(b"\n".join(map(orjson.dumps, expected)))
    done = await plainloop(*command, "--expected", "wrong.jsonl")
    assert "98%" in done.out, done
    none = await plainloop(*command)
    assert (none.code, "no conversation has a value of right" in none.err) == (2, True), none


def write_talks(path: Path, answers: dict[int, str], **more: Any) -> None:
    lines = [
        {
            "conversation_id": f"t{n}",
            "messages": [
                {"role": "user", "content": f"which capital is number {n}?"},
                {"role": "assistant", "content": said},
            ],
            **({"expected": more["expected"][n]} if "expected" in more else {}),
        }
        for n, said in answers.items()
    ]
    path.write_bytes(b"\n".join(map(orjson.dumps, lines)))


def judge_facts(request: ChatRequest) -> LLMResponse:
    said = request.messages[0]["parts"][0]["text"]  # type: ignore[typeddict-item]
    wanted = said.partition("<expected>\n")[2].partition("\n</expected>")[0]
    given = said.partition("<answer>\n")[2].partition("\n</answer>")[0]
    verdict = "same" if wanted in given else "contradicts"
    return answer(orjson.dumps({"reason": "so", "verdict": verdict}).decode())


def always_agree(request: ChatRequest) -> LLMResponse:
    return answer(orjson.dumps({"reason": "so", "verdict": "same"}).decode())


FACTS = '[check.true]\nfacts = true\n[[rule]]\nmeasure = "true"\nat_least = 0.5\n'
SCORE = ("score", "rules.toml", "-c", "now.jsonl", "--judge", "anthropic:claude-opus-4-5")
GATE = ("gate", "rules.toml", "-c", "now.jsonl", "--scores", "scores.jsonl")


def write_facts(folder: Path) -> None:
    (folder / "rules.toml").write_text(FACTS)
    wanted = {n: CITIES[n % 6] for n in range(60)}
    answers = {n: f"It is {city}." for n, city in wanted.items()}
    write_talks(folder / "now.jsonl", answers, expected=wanted)


async def test_repeated_scoring_buys_no_judgement_of_facts_twice(
    plainloop: Command, wire_server: StartWire, store: Store, tmp_path: Path
) -> None:
    write_facts(tmp_path)
    server = await wire_server(Candidate(judge_facts))
    environ = point_at("anthropic", server.base_url)
    done = await plainloop(*SCORE, **environ)
    assert (done.code, "nothing speaks against the judge of facts" in done.out) == (0, True), done
    asked = len([entry for entry in server.requests if entry["path"].endswith("/messages")])
    assert asked == 6 + 6 + 6, "equal pairs, and two controls of each expected answer"
    [row] = await store.read("local").fetch("select count(*) as calls from llm_calls")
    assert row["calls"] == asked
    again = await plainloop(*SCORE, **environ)
    assert again.out.startswith("0 scores bought, "), again
    gated = await plainloop(*GATE)
    assert (gated.code, "verdict: passed" in gated.out) == (0, True), gated


async def test_score_buys_nothing_that_it_cannot_write(
    plainloop: Command, wire_server: StartWire, tmp_path: Path
) -> None:
    write_facts(tmp_path)
    server = await wire_server(Candidate(judge_facts))
    environ = point_at("anthropic", server.base_url)
    done = await plainloop(*SCORE, "-o", "rules.toml/scores.jsonl", **environ)
    assert (done.code, "cannot write rules.toml/scores.jsonl" in done.err) == (2, True), done
    assert not server.requests
    limited = ("--max-cost-usd", "0.06")
    done = await plainloop(*SCORE, *limited, "-o", "new/scores.jsonl", **environ)
    assert (done.code, (tmp_path / "new" / "scores.jsonl").stat().st_size > 0) == (6, True), done


async def test_a_gate_ignores_a_judge_of_facts_that_always_agrees(
    plainloop: Command, wire_server: StartWire, tmp_path: Path
) -> None:
    write_facts(tmp_path)
    server = await wire_server(Candidate(always_agree))
    done = await plainloop(*SCORE, **point_at("anthropic", server.base_url))
    assert (done.code, "wrong in 6 of 12 known verdicts" in done.out) == (1, True), done
    gated = await plainloop(*GATE)
    assert (gated.code, "undecided: the judge of facts was wrong" in gated.out) == (10, True), gated


async def test_scoring_answers_stops_before_its_cost_limit(
    plainloop: Command, wire_server: StartWire, tmp_path: Path
) -> None:
    write_facts(tmp_path)
    server = await wire_server(Candidate(judge_facts))
    environ = point_at("anthropic", server.base_url)
    done = await plainloop(*SCORE, "--max-cost-usd", "0.06", **environ)
    assert (done.code, "continues with a higher --max-cost-usd" in done.err) == (6, True), done
    bought = len((tmp_path / "scores.jsonl").read_bytes().splitlines())
    assert 0 < bought < 18
    missing = await plainloop(*GATE)
    assert (missing.code, "Run `plainloop score RULES.toml" in missing.err) == (2, True), missing


async def test_score_rates_similarity_of_answers_by_embeddings(
    plainloop: Command, wire_server: StartWire, tmp_path: Path
) -> None:
    rules = '[check.near]\nsimilar = 0.5\n[[rule]]\nmeasure = "near"\nat_least = 0.1\n'
    (tmp_path / "rules.toml").write_text(rules)
    said = {0: "the capital is Paris", 1: "no idea at all"}
    wanted = dict.fromkeys(said, "the capital of France is Paris")
    write_talks(tmp_path / "now.jsonl", said, expected=wanted)
    server = await wire_server()
    embedding = "AGENT_AGENTS_EMBEDDING"
    environ = {f"{embedding}_PROVIDER": "ollama", f"{embedding}_API_BASE": server.base_url}
    done = await plainloop("score", "rules.toml", "-c", "now.jsonl", **environ)
    assert done.code == 0, done
    lines = (tmp_path / "scores.jsonl").read_bytes().splitlines()
    near, far = (orjson.loads(line)["value"] for line in lines)
    assert near > 0.5 > far
    gated = await plainloop(*GATE)
    assert "50%" in gated.out, gated


@pytest.mark.parametrize(("wrong", "count", "doubt"), [(0, 20, ""), (1, 20, ""), (2, 20, "wrong")])
def test_a_judge_of_facts_with_five_percent_errors_is_accepted(
    wrong: int, count: int, doubt: str
) -> None:
    controls = [Score("facts", str(n), "m", float(n >= wrong), control=True) for n in range(count)]
    assert doubt in doubt_judge(controls)
    assert bool(doubt_judge(controls)) == bool(doubt)


def test_a_file_without_expected_answers_is_refused(tmp_path: Path) -> None:
    (tmp_path / "e.jsonl").write_text('{"conversation_id": "t1"}\n')
    with pytest.raises(InputError, match="contains no expected answer"):
        read_references(tmp_path / "e.jsonl")
    (tmp_path / "e.jsonl").write_text('{"conversation_id": 1}\n')
    with pytest.raises(InputError, match="line 1: Expected `str`"):
        read_references(tmp_path / "e.jsonl")


def test_a_canary_refuses_checks_against_expected_answers(tmp_path: Path) -> None:
    rules = '[check.right]\nequals = true\n[[rule]]\nmeasure = "right"\nmargin = "2pp"\n'
    (tmp_path / "rules.toml").write_text(rules)
    with pytest.raises(ConfigError, match="which live traffic does not have"):
        read_guards(tmp_path / "rules.toml")
