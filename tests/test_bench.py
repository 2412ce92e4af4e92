"""The benchmarks run, and measure what they say; no time is asserted."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.packs.loading import list_pack_names
from plainloop_wire.answer import split_text
from scripts.benchmarks.__main__ import main
from scripts.benchmarks.flow.texts import WRONG, lengthen
from scripts.benchmarks.flows import list_dearer

ROOT = Path(__file__).resolve().parent.parent
FLOWS = {"count", "lookup", "one tool", "three tools", "letter", "long thread"}
NEW = {"one tool, new sentence", "letter, new sentence"}


def run_bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scripts.benchmarks", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)


def measure(*arguments: str) -> Any:
    """The figures of a benchmark."""
    done = run_bench(*arguments, "--json")
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.mark.skipif(
    "careers" not in list_pack_names(), reason="its start-up part asks about that pack's rows"
)
def test_the_benchmark_measures_ours_and_both_raw_loops():
    result = measure("flows", "--rounds", "1", "--starts", "1")

    names = ["ours", "raw, conventional", "raw, lean"]
    for part in ("tokens", "medians"):
        assert [*result[part]] == names, "a table's columns are named after the first part"
        more = NEW if part == "medians" else set[str]()
        assert all({*flows} == FLOWS | more for flows in result[part].values())
    calls = {flow: count["calls"] for flow, count in result["tokens"]["ours"].items()}
    assert calls == {
        "count": 0,
        "lookup": 0,
        "one tool": 3,
        "three tools": 4,
        "letter": 6,
        "long thread": 3,
    }
    spent = {
        name: sum(count["input_tokens"] for count in flows.values())
        for name, flows in result["tokens"].items()
    }
    assert spent["ours"] < spent["raw, lean"] < spent["raw, conventional"]
    assert spent["ours"] <= 14_800
    dearer = [item.partition(" (")[0] for item in list_dearer(result["tokens"])]
    assert set(dearer) <= {"one tool", "letter"}, "what triage says of records costs 80 tokens"
    cached = {
        name: sum(count["cached_price"] for count in flows.values())
        for name, flows in result["tokens"].items()
    }
    assert cached["ours"] <= min(9_600, 0.75 * cached["raw, conventional"])
    assert all(
        flow["cpu_ms"] > 0 for flows in result["medians"].values() for flow in flows.values()
    )
    starts = ["plainloop --help", "plainloop ask (fast path)", "raw: import anthropic, asyncpg"]
    assert list(result["processes"]) == starts


def test_the_benchmark_can_lengthen_answers():
    longer = {flow.name: flow for flow in lengthen(200)}

    assert {*longer} == {"one tool", "letter"}
    assert all(len([*split_text(flow.answer)]) == 200 for flow in longer.values())
    assert WRONG in longer["letter"].answer


def test_an_unknown_benchmark_lists_the_known_ones():
    done = run_bench("flow-rate")

    assert done.returncode == 1
    assert "no benchmark 'flow-rate'; there are: " in done.stderr
    assert "flows" in done.stderr


def test_every_benchmark_is_listed_with_help(capsys: pytest.CaptureFixture[str]):
    pytest.importorskip("plainloop_lab")
    main(["--help"])
    named = re.findall(r"^`bench (\w+)`: ", capsys.readouterr().out, re.MULTILINE)
    found = {path.stem for path in (ROOT / "scripts/benchmarks").glob("[a-z]*.py")}

    assert {*named} == found
    for name in named:
        with pytest.raises(SystemExit) as ended:
            main([name, "--help"])
        assert not ended.value.code
        assert capsys.readouterr().out.startswith(f"usage: bench {name} ")


def test_the_idle_benchmark_counts_statements_of_replicas():
    pytest.importorskip("plainloop_lab")
    done = run_bench(*"idle --replicas 1 --seconds 0.5 --settle 0.2 --runs 0 4".split())

    assert done.returncode == 0, done.stderr[-2000:]
    shown = done.stdout.splitlines()
    for line, runs in zip(shown, (r"0\.0", r"\d+\.\d"), strict=True):
        assert re.match(rf" *1 replicas +{runs} runs/s +\d+\.\d transactions/s ", line), line


def test_the_console_benchmark_measures_input_delay_and_layout_shift():
    done = run_bench(*"console --tokens 1500 --rate 500 --keys 5".split())
    if "no Chromium here" in done.stdout:
        pytest.skip("no Chromium here (Debian: apt-get install chromium)")

    assert done.returncode == 0, done.stdout[-2000:]
    for row in ("nothing streams", "an answer streams"):
        assert re.search(rf"^{row} +\d+\.\d +\d+\.\d +\d+\.\d$", done.stdout, re.MULTILINE), row
    assert re.search(r"^cumulative layout shift  \d\.\d{4}$", done.stdout, re.MULTILINE)


def test_the_stream_benchmark_reads_every_format():
    figures = measure("chunks", "--rounds", "1", "--pieces", "20")["cpu_us_per_chunk"]
    formats = {"anthropic", "openai chat", "openai responses", "gemini", "ollama"}
    kinds = {"ours", "sdk"}
    assert {name: set(costs) for name, costs in figures.items()} == dict.fromkeys(formats, kinds)


def test_the_encoder_benchmark_covers_every_protocol():
    pytest.importorskip("plainloop_lab")
    figures = measure("encoders", "--rounds", "1", "--tokens", "20")["encoders"]
    edges = {"AI SDK", "chat completions", "Responses", "AG-UI", "A2A", "MCP"}
    assert {*figures} == {"plain SSE", "WebSocket", *edges}
    assert all(item["bytes_per_token"] > 0 for item in figures.values())
    assert {name for name, item in figures.items() if item["lines"]} == edges


def test_the_shadow_benchmark_measures_both_latencies():
    pytest.importorskip("plainloop_lab")
    result = measure("shadow", "--rounds", "1", "--runs", "3", "--per-second", "20")
    assert {side: found["runs"] for side, found in result["sides"].items()} == {
        "without": 3,
        "with a shadow": 3,
    }
    assert {name: len(found) for name, found in result["ratio"].items()} == {
        "p50": 3,
        "p95": 3,
        "p99": 3,
    }


def test_remembered_triage_saves_more_calls_over_time():
    result = measure("triage", "--turns", "1000", "--users", "5", "--sentences", "60")
    shares = [told["last tenth"] for told in result["turns"].values()]
    assert [*result["turns"]] == ["100", "1000"]
    assert shares == sorted(shares)
    assert shares[-1] > 0.5
    assert (result["wrong"], result["dropped_at"]) == (0, 5)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets processes share a port")
@pytest.mark.skipif(
    "careers" not in list_pack_names(), reason="its messages are about that pack's rows"
)
def test_the_http_benchmark_compares_numbers_of_processes():
    result = measure(
        *("http", "--workers", "1", "2", "--rounds", "1", "--runs", "2", "--clients", "2")
    )

    assert {name: [*counts] for name, counts in result.items()} == {
        "count, no model": ["1", "2"],
        "one tool call": ["1", "2"],
    }
    assert all(figures["per_s"] > 0 for counts in result.values() for figures in counts.values())
