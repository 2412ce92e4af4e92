"""What a live replay came to: in the terminal, as JSON, as CSV, as a page."""

from __future__ import annotations

import csv
import re
import tracemalloc
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import orjson
import pytest

from packages.lab.tests.replay.test_live import Candidate, answer, be_curious, write_rooms
from packages.lab.tests.replay.test_measures import make_item, make_turn
from plainloop.agent.types import ChatRequest, LLMResponse
from plainloop_lab.comparing.comparison import Comparison, compare_conversation, name_conversation
from plainloop_lab.comparing.judge import decide
from plainloop_lab.comparing.measures import OF_DESIGNS
from plainloop_lab.live.lane import TurnResult
from plainloop_lab.report import live_report
from plainloop_lab.report.live_page import mark_words
from plainloop_lab.report.live_report import SHOWN_CONVERSATIONS, LiveReport
from plainloop_lab.report.rules import ReplayDecision, Rule
from plainloop_lab.store.replays import ItemResult, Verdict
from tests.cli.conftest import Command, point_at
from tests.cli.conftest import plainloop as plainloop
from tests.wire_fixtures import StartWire

HEAD: dict[str, Any] = {
    "mode": "live",
    "replay_id": "r",
    "status": "succeeded",
    "created_at": "2026-01-01",
    "source": "a file",
    "history": "recorded",
    "allow_reads": False,
    "sandbox": False,
    "judge": None,
    "lanes": {
        "baseline": {"settings": {}, "design": None, "prompts": []},
        "candidate": {"settings": {"AGENT_MODEL": "m"}, "design": None, "prompts": []},
    },
    "ledger": {
        "calls": 4,
        "failed": 0,
        "input_tokens": 9,
        "cache_read_tokens": None,
        "cache_write_tokens": None,
        "output_tokens": 3,
        "reasoning_tokens": None,
        "cost_usd": None,
    },
}


def write_live(
    folder: Path, lanes: Iterable[dict[str, ItemResult]], head: dict[str, Any] = HEAD
) -> Path:
    """The report of a live replay. lanes: of each conversation, of a turn like the recorded one."""
    found = (
        compare_conversation(n, f"t{n}", {0: f"Hi {n}"}, [make_turn()], items)
        for n, items in enumerate(lanes)
    )
    report_all(folder, found, head)
    return folder


def report_all(
    folder: Path | None, found: Iterable[Comparison], head: dict[str, Any] = HEAD
) -> dict[str, Any]:
    """The report without its conversations, which are written to the folder."""
    with LiveReport(folder, head) as report:
        for one in found:
            report.add(one)
        return report.finish()


class Page(HTMLParser):
    """Links that leave the page, ids, and what is not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.scripts = 0
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids |= {given["id"] or ""} if "id" in given else set()
        self.links |= {value or "" for name, value in attrs if name in ("href", "src")}
        self.scripts += tag == "script"
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def be_plain(request: ChatRequest) -> LLMResponse:
    """A candidate that calls nothing."""
    return answer("All <b>booked</b> & done.")


def be_two(request: ChatRequest) -> LLMResponse:
    """The baseline is curious; the candidate, known by its prompt, calls nothing."""
    return be_plain(request) if "castles" in request.system else be_curious(request)


async def replay_rooms(plainloop: Command, wire_server: StartWire, folder: Path) -> Any:
    server = await wire_server(Candidate(be_two))
    (folder / "mine").mkdir()
    (folder / "mine" / "react.md").write_text("You book castles.\n")
    environ = point_at("anthropic", server.base_url)
    arguments = ("--prompts", "mine", "--report", "out")
    done = await plainloop(*write_rooms(folder), *arguments, **environ)
    assert done.code == 0, done
    return done


async def test_a_live_replay_ends_with_what_changed_and_writes_its_files(
    plainloop: Command, wire_server: StartWire, tmp_path: Path
) -> None:
    """Shown later it is the same, and the page stands alone; another tenant sees nothing."""
    done = await replay_rooms(plainloop, wire_server, tmp_path)
    # It makes no new call that may write: that weighs more than its other path.
    assert "0 of 1 conversations got worse than the baseline (0 of 2 turns), 1 only" in done.out
    report = orjson.loads((tmp_path / "out" / "report.json").read_bytes())
    (talk,) = report["conversations"]
    assert [turn["user"] for turn in talk["turns"]] == ["A room for two", "Book it"]
    first = talk["turns"][0]
    assert first["lanes"]["recording"]["tools"] == [
        {"name": "find_room", "arguments": {"beds": 2}, "served": "then"}
    ]
    assert first["lanes"]["candidate"]["path"] == ["react"]
    assert first["measures"]["baseline"]["unmatched_calls"] == 2
    assert report["lanes"]["candidate"]["prompts"] == ["react"]
    assert {item["tool"] for item in report["summary"]["not_executed"]} == {
        "find_room",
        "book_room",
    }
    calls = next(item for item in report["summary"]["measures"] if item["name"] == "calls")
    assert [calls["lanes"][lane]["total"] for lane in ("baseline", "candidate")] == [4, 2]
    assert report["ledger"]["calls"] == 6
    replay_id = orjson.loads((tmp_path / "out" / "report.json").read_bytes())["replay_id"]
    again = await plainloop("replay", "show", replay_id[:13], "--report", "later")
    assert again.out.replace("later", "out") == done.out
    for name in ("report.json", "turns.csv", "report.html"):
        assert (tmp_path / "later" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()
    other = await plainloop("replay", "show", replay_id, "--tenant", "other")
    assert (other.code, other.out, "no replay has an id" in other.err) == (3, "", True)
    text = (tmp_path / "out" / "report.html").read_text()
    page = Page()
    page.feed(text)
    assert (page.open, page.scripts) == ([], 0)
    assert {link for link in page.links if not link.startswith("#")} == set()
    assert {link[1:] for link in page.links} <= page.ids
    assert "<b>booked</b>" not in text, "no markup of a model"
    assert re.search(r"&lt;(</?\w+>)*b(</?\w+>)*&gt;", text)
    assert "prefers-color-scheme: dark" in text
    with (tmp_path / "out" / "turns.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["turn"], row["lane"]) for row in rows] == [
        (turn, lane) for turn in "01" for lane in ("recording", "baseline", "candidate")
    ]
    assert rows[0]["cost_usd"] == "", "what was not recorded is empty"
    assert rows[2]["models"].startswith("anthropic:")


async def test_reports_name_the_effort_of_each_side(
    plainloop: Command, wire_server: StartWire, tmp_path: Path
) -> None:
    server = await wire_server(Candidate(lambda _: answer("Yes, with pleasure.")))
    environ = {**point_at("anthropic", server.base_url), "AGENT_MODEL": "claude-sonnet-5-5"}
    arguments = (*write_rooms(tmp_path), "--model", "@low", "--report", "out")
    done = await plainloop(*arguments, AGENT_EFFORT="high", **environ)
    report = orjson.loads((tmp_path / "out" / "report.json").read_bytes())
    page = (tmp_path / "out" / "report.html").read_text()
    with (tmp_path / "out" / "turns.csv").open(newline="") as file:
        rows = [row["models"] for row in csv.DictReader(file) if row["lane"] != "recording"]

    names = [f"anthropic:claude-sonnet-5-5@{level}" for level in ("high", "low")]
    assert [report["summary"]["models"][lane] for lane in ("baseline", "candidate")] == [
        [name] for name in names
    ]
    assert rows == names * 2
    for shown in (done.out, page):
        assert [name in shown for name in names] == [True, True], done


async def test_a_strict_replay_with_unjudged_answers_has_its_own_exit_code(
    plainloop: Command, wire_server: StartWire, tmp_path: Path
) -> None:
    def say_otherwise(request: ChatRequest) -> LLMResponse:
        return answer("No." if "castles" in request.system else "Yes, with pleasure.")

    server = await wire_server(Candidate(say_otherwise))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "react.md").write_text("You book castles.\n")
    environ = point_at("anthropic", server.base_url)
    arguments = (*write_rooms(tmp_path), "--prompts", "mine", "--strict")
    done = await plainloop(*arguments, **environ)
    assert done.code == 10, done
    told = (
        "Tools, errors, route: not worse than the baseline's. The text of the "
        "answers was not judged"
    )
    assert f"{told}: 2 of 2 differ." in done.out
    (replay_id,) = re.findall(r"^replay ([0-9a-f-]{36}) ", done.out, re.MULTILINE)
    shown = [await plainloop("replay", "show", replay_id, *more) for more in ((), ("--strict",))]
    assert [each.code for each in shown] == [0, 10]


async def test_a_stored_thread_provides_the_reference_path_and_cost(
    plainloop: Command, tmp_path: Path
) -> None:
    await plainloop("ask", "add a job: Backend Engineer at Initech, remote")
    await plainloop("ask", "how many jobs are saved?")
    done = await plainloop("replay", "live", "--report", "out")
    assert done.code == 0, done
    report = orjson.loads((tmp_path / "out" / "report.json").read_bytes())
    turns = [turn for talk in report["conversations"] for turn in talk["turns"]]
    for turn in turns:
        sides = turn["lanes"]
        assert sides["recording"]["path"] == sides["baseline"]["path"] == sides["candidate"]["path"]
        assert sides["recording"]["text"] == sides["candidate"]["text"]
        assert sides["recording"]["duration_ms"] is not None
    assert turns[0]["lanes"]["recording"]["calls"] == turns[0]["lanes"]["candidate"]["calls"] > 0
    assert report["summary"]["worse"] == {"conversations": 0, "turns": 0}


def make_comparison(n: int, text: str = "") -> Any:
    said = text or f"Room {n} is free."
    items = {
        "baseline": make_item([make_turn()]),
        "candidate": make_item([make_turn(text=said, error="X" if n % 7 == 3 else None)]),
    }
    return compare_conversation(n, f"c{n}", {0: "A room?"}, [make_turn()], items)


def test_a_report_lists_the_worst_conversations_first(tmp_path: Path) -> None:
    result = report_all(tmp_path, map(make_comparison, range(300)))
    listed = [item["conversation_id"] for item in result["regressions"]]
    assert listed[:3] == ["c3", "c10", "c17"]
    assert len(orjson.loads((tmp_path / "report.json").read_bytes())["conversations"]) == 300
    text = (tmp_path / "report.html").read_text()
    assert text.count("<details open>") == SHOWN_CONVERSATIONS
    assert "the worst 100 of 300" in text
    failed = next(item for item in result["summary"]["measures"] if item["name"] == "failed")
    assert failed["difference"]["conversations_worse"] == 43
    assert failed["difference"]["p_adjusted"] < 0.001


def test_conversations_without_a_candidate_result_come_first(tmp_path: Path) -> None:
    items = {"baseline": make_item([make_turn()]), "candidate": make_item(None, code="GONE")}
    lost = compare_conversation(4, "lost", {0: "A room?"}, [make_turn()], items)
    erased = compare_conversation(5, "erased", {}, [], items)
    result = report_all(tmp_path, [make_comparison(3), lost, erased])
    assert result["summary"]["unfinished"] == {"candidate": 2}
    text = (tmp_path / "report.html").read_text()
    order = [text.index(f'<div id="{name}">') for name in ("c4", "c5", "c3")]
    assert order == sorted(order)
    assert "Candidate: failed GONE" in text


def test_a_conversation_without_an_answer_counts_nowhere(tmp_path: Path) -> None:
    items = {lane: make_item([]) for lane in ("baseline", "candidate")}
    empty = compare_conversation(4, "empty", {}, [], items)
    result = report_all(tmp_path, [empty, make_comparison(3)])
    summary = result["summary"]
    assert (summary["conversations"], summary["empty"], len(result["worst"])) == (1, 1, 1)
    told = "nothing to compare in 1 conversation: no answer was recorded"
    assert told in summary["verdict"]["reasons"]
    written = orjson.loads((tmp_path / "report.json").read_bytes())["conversations"]
    assert [item["conversation_id"] for item in written] == ["c3"]
    assert ",empty," not in (tmp_path / "turns.csv").read_text()


@pytest.mark.parametrize("count", [1, 2])
def test_a_report_of_few_conversations_states_no_verdict(count: int, tmp_path: Path) -> None:
    result = report_all(tmp_path, [make_comparison(3 + 7 * n) for n in range(count)])
    failed = next(item for item in result["summary"]["measures"] if item["name"] == "failed")
    assert failed["difference"]["p_adjusted"] == 1.0
    assert (tmp_path / "report.html").exists()


def test_memory_use_of_a_report_is_independent_of_the_replays_size(tmp_path: Path) -> None:
    sizes: list[int] = []
    with LiveReport(tmp_path, HEAD) as report:
        tracemalloc.start()
        for n in range(1_401):
            report.add(make_comparison(n))
            if n in (700, 1_400):  # all that is bounded is full by then
                sizes.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
    assert sizes[1] < sizes[0] * 1.1 + 100_000


def test_no_page_is_made_of_a_report_without_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reading of a replay makes a report, and its page is most of the work."""
    made: list[object] = []
    monkeypatch.setattr(live_report, "render_page", lambda *told: made.append(told) or "")
    with LiveReport(None, HEAD) as report:
        report.add(make_comparison(0))
        assert report.finish()["summary"]["conversations"] == 1
    assert not made


def test_differences_of_texts_are_marked_and_escaped() -> None:
    assert mark_words("a < b", "a < c") == "a &lt; <del>b</del><ins>c</ins>"
    assert mark_words("same", "same") == "same"
    assert mark_words("", "new") == "<ins>new</ins>"


FRIENDLIER = "With pleasure: room 7 is free for you, shall I book it?"


def report_turns(
    changes: dict[str, Any],
    winner: str | None = None,
    *,
    answers: list[str] | None = None,
    people: Verdict | None = None,
    head: dict[str, Any] = HEAD,
) -> Any:
    """Sixty conversations of a turn each, whose candidate answers otherwise. No files."""
    sides = {"baseline": make_turn(), "candidate": make_turn(**changes)}
    judged = {"turn": 0, "winner": winner, "reasons": [], "answers": answers or []}
    is_judged = winner is not None or answers is not None
    return report_sides(sides, judged if is_judged else None, people=people, head=head)


def report_sides(
    sides: dict[str, TurnResult],
    judged: dict[str, Any] | None = None,
    *,
    people: Verdict | None = None,
    head: dict[str, Any] = HEAD,
) -> Any:
    items = {lane: make_item([turn]) for lane, turn in sides.items()}
    if judged is not None:
        items["judge"] = ItemResult(0, "succeeded", {"turns": [judged]}, None, None)
    ignored = OF_DESIGNS if head["lanes"]["candidate"]["design"] else ()
    talks = [
        compare_conversation(n, f"c{n}", {0: "A room?"}, [make_turn()], items, ignored)
        for n in range(60)
    ]
    if people is not None:
        for found in talks:
            found["people"] = people
    return report_all(None, talks, head)["summary"]


def test_a_reports_verdict_names_the_measures_compared_and_not_judged() -> None:
    told = "The text of the answers was not judged: 60 of 60 differ."
    summary = report_turns({"text": FRIENDLIER})
    assert (summary["verdict"]["kind"], summary["worse"]["conversations"]) == ("unjudged", 0)
    headline = summary["verdict"]["headline"]
    assert headline == f"Tools, errors, route: not worse than the baseline's. {told}"
    assert report_turns({})["verdict"]["headline"] == "Nothing got worse."


def get_cost(summary: Any) -> dict[str, Any]:
    return next(item for item in summary["measures"] if item["name"] == "cost_usd")


def report_pairs(*pairs: tuple[TurnResult | None, TurnResult | None]) -> Any:
    """A conversation of a turn for each pair of baseline and candidate; None: it is open."""
    talks = [
        compare_conversation(
            n,
            f"c{n}",
            {0: "A room?"},
            [make_turn()],
            {
                lane: make_item(None if turn is None else [turn])
                for lane, turn in zip(("baseline", "candidate"), pair, strict=True)
            },
        )
        for n, pair in enumerate(pairs)
    ]
    return report_all(None, talks)["summary"]


def test_costs_are_compared_over_the_same_answers() -> None:
    """A candidate that fails before it is charged, or has not answered yet, is not cheaper."""
    dear, cheap = make_turn(cost_usd="0.5"), make_turn(cost_usd="0.1")
    failed = make_turn(cost_usd="0", calls=0, error="MODEL_REQUEST")
    cost = get_cost(report_pairs((cheap, cheap), (dear, failed), (dear, None)))
    means = {lane: found["mean"] for lane, found in cost["lanes"].items() if lane != "recording"}
    assert means == {"baseline": 0.1, "candidate": 0.1}
    assert cost["difference"]["mean"] == 0.0
    unknown = get_cost(report_pairs((dear, failed), (dear, None)))
    assert (set(unknown["lanes"]) - {"recording"}, unknown["difference"]) == (set(), None)


def test_the_cost_of_a_model_without_a_price_is_unknown() -> None:
    """Its answers that called no model cost nothing, and tell nothing of the others."""
    free, unpriced = make_turn(cost_usd="0", calls=0), make_turn(cost_usd=None)
    cost = get_cost(report_pairs((make_turn(), free), (make_turn(), unpriced)))
    assert "candidate" not in cost["lanes"]
    assert (cost["lanes"]["baseline"]["turns"], cost["difference"]) == (2, None)


def test_fewer_errors_alone_do_not_make_the_verdict_better() -> None:
    failed = {"baseline": make_turn(error="X"), "candidate": make_turn(text=FRIENDLIER)}
    verdict = report_sides(failed)["verdict"]
    assert verdict["kind"] == "unjudged"
    assert verdict["headline"].startswith("Tools, errors, route: better than the baseline's.")


def test_an_answer_that_a_user_compared_counts_as_judged() -> None:
    assert report_turns({"text": FRIENDLIER}, people="same")["verdict"]["kind"] == "same"


@pytest.mark.parametrize(
    ("answers", "doubt"),
    [
        (["", ""], "the judge gave no readable verdict in 60 of 60 turns"),
        (["tie", "tie"], 'the judge says "tie" whatever the answers are'),
        (["A", "A"], 'the judge says "A" whatever the answers are'),
    ],
)
def test_verdicts_of_an_unreliable_judge_do_not_count(answers: list[str], doubt: str) -> None:
    verdict = report_turns({"text": FRIENDLIER}, decide(*answers), answers=answers)["verdict"]
    assert verdict["kind"] == "unjudged"
    assert verdict["headline"].endswith(f"It is unknown which answers are better: {doubt}.")


def test_another_designs_different_path_is_not_worse() -> None:
    design = {"settings": {}, "design": "react", "prompts": []}
    head = {**HEAD, "lanes": {**HEAD["lanes"], "candidate": design}}
    assert report_turns({"path": ["react"]}, head=head)["verdict"]["kind"] == "same"


@pytest.mark.parametrize("status", ["queued", "cancelled"])
def test_a_replay_without_results_states_no_verdict(status: Any, tmp_path: Path) -> None:
    items = {lane: ItemResult(0, status, None, None, None) for lane in ("baseline", "candidate")}
    talks = [compare_conversation(n, f"c{n}", {0: "Hi"}, [make_turn()], items) for n in range(2)]
    assert report_all(tmp_path, talks)["summary"]["verdict"] == {
        "kind": "none",
        "headline": "Nothing was compared: no turn has an answer on both sides.",
        "reasons": ["conversations without a result: baseline 2, candidate 2"],
    }
    page = (tmp_path / "report.html").read_text()
    assert '<div class="verdict none">' in page
    assert page.count('<a class="none" href="#c') == 2


def test_the_verdict_of_an_incomplete_replay_is_undecided() -> None:
    waiting = ItemResult(9, "queued", None, None, None)
    items = {"baseline": make_item([make_turn()]), "candidate": make_item([make_turn()])}
    talks = [
        compare_conversation(n, f"c{n}", {0: "Hi"}, [make_turn()], sides)
        for n, sides in enumerate([items] * 9 + [{**items, "candidate": waiting}])
    ]
    verdict = report_all(None, talks)["summary"]["verdict"]
    told = "Not decided: only 9 of 10 conversations have a result on both sides."
    assert (verdict["kind"], verdict["headline"]) == ("undecided", told)


def test_a_judges_significant_preference_decides_the_verdict() -> None:
    summary = report_turns({"text": FRIENDLIER, "path": ["clerk"]}, "candidate")
    assert summary["verdict"]["kind"] == "better"
    assert (summary["worse"]["conversations"], summary["better"]["conversations"]) == (0, 60)
    against = report_turns({"text": FRIENDLIER}, "reference")
    assert (against["verdict"]["kind"], against["worse"]["conversations"]) == ("worse", 60)


def test_an_unrecorded_write_is_worse_despite_the_judge() -> None:
    call = {"name": "delete_job", "arguments": {"id": 7}, "served": "closed", "effect": "write"}
    summary = report_turns({"tools": [call], "text": FRIENDLIER}, "candidate")
    assert summary["verdict"]["kind"] == "worse"
    assert "new calls that may write" in summary["verdict"]["reasons"][0]


def test_fewer_cache_reads_do_not_change_the_verdict() -> None:
    tokens = {"input_tokens": 20, "cache_read_tokens": 0, "cache_write_tokens": 10}
    changed = {**make_turn()["tokens"], **tokens}
    measures = {item["name"]: item for item in report_turns({"tokens": changed})["measures"]}
    assert measures["input_tokens"]["lanes"]["candidate"]["mean"] == 40
    assert measures["input_tokens"]["difference"]["mean"] == 0
    cached = measures["cache_read_tokens"]
    assert (cached["better"], cached["difference"]["mean"]) == (None, -10)
    assert "p" not in cached["difference"]


def test_an_interrupted_report_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text("of an earlier one")
    with pytest.raises(RuntimeError), LiveReport(tmp_path, HEAD) as report:
        report.add(make_comparison(1))
        assert not (tmp_path / "turns.csv").exists()
        raise RuntimeError("killed")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("status", "high", "text"),
    [
        ("undecided", 0.1004, "At worst, 10.1 of 100 conversations get worse; you allow 10."),
        ("passed", 0.0996, "At worst, 10 of 100 conversations get worse; you allow 10."),
        ("passed", 0.07, "At worst, 7 of 100 conversations get worse; you allow 10."),
    ],
)
def test_a_pages_numbers_agree_with_its_decision(
    status: Any, high: float, text: str, tmp_path: Path
) -> None:
    decision = ReplayDecision(status, [Rule("worse", "met", 0.1, high, high)])
    with LiveReport(tmp_path, HEAD) as report:
        report.finish(lambda summary: decision)
    assert text in (tmp_path / "report.html").read_text()


def test_the_page_to_print_folds_neither_the_answers_nor_the_changed_prompt(tmp_path: Path):
    prompts = {"react": {"today": "You book rooms.", "candidate": "You book castles."}}
    items = {lane: make_item([make_turn()]) for lane in ("baseline", "candidate")}
    write_live(tmp_path, [items], {**HEAD, "prompts": prompts})

    folds = re.findall("<details[^>]*>", (tmp_path / "report.html").read_text())

    assert len(folds) == 2
    assert all(fold.endswith(" open>") for fold in folds)


@pytest.mark.parametrize(
    ("said", "title", "kind", "name"),
    [
        ("Hi", "Rooms", "chat", "Hi"),
        ("", "Rooms", "chat", "Rooms"),
        ("", "", "onboarding", "Interview of ann, 3 May 2026"),
        ("", "", "parse", "Reading of a file of ann, 3 May 2026"),
    ],
)
def test_a_conversation_is_named_by_what_people_know_of_it(
    said: str, title: str, kind: str, name: str
):
    found = compare_conversation(0, "01a22ad9", {0: said}, [make_turn()], {})
    at = "2026-05-03T10:00:00.123+00:00"
    found["chat"] = {"title": title, "kind": kind, "user_id": "ann", "created_at": at}

    assert name_conversation(found) == name
