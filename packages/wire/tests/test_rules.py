"""The documents show which vendors' rules the server enforces, and each of these has a test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from plainloop_wire.rules import VendorRule, build_laxer, build_rules, load_rules

ROOT = Path(__file__).parents[3]
README = ROOT / "packages" / "wire" / "README.md"


@pytest.mark.parametrize("build", [build_rules, build_laxer])
def test_the_documented_wire_rules_match_the_code(build: Callable[[], str]):
    text = README.read_text(encoding="utf-8")
    assert build() in text, "write it: python -m plainloop_wire.rules"


@pytest.mark.parametrize("rule", load_rules().rule, ids=lambda rule: rule.rule[:60])
def test_each_wire_rule_names_an_existing_test(rule: VendorRule):
    file, _, name = rule.test.partition("::")
    assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")


def test_no_wire_rule_is_listed_twice():
    rules = load_rules()
    names = [(it.vendor, it.rule) for it in (*rules.rule, *rules.laxer)]
    assert len(names) == len(set(names))
