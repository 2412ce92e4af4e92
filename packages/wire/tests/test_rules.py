"""docs/providers.md shows the rules that the server enforces, and each has a test."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainloop_wire.rules import VendorRule, build_tables, load_rules

ROOT = Path(__file__).parents[3]
DOCUMENT = ROOT / "docs" / "providers.md"


def test_the_document_has_the_tables_of_the_code():
    text = DOCUMENT.read_text(encoding="utf-8")
    assert build_tables() in text, "write them: python -m plainloop_wire.rules"


@pytest.mark.parametrize("rule", load_rules().rule, ids=lambda rule: rule.rule[:60])
def test_each_rule_is_proven_by_a_test_that_exists(rule: VendorRule):
    file, _, name = rule.test.partition("::")
    assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")


def test_no_rule_is_listed_twice():
    rules = load_rules()
    names = [(it.vendor, it.rule) for it in (*rules.rule, *rules.laxer)]
    assert len(names) == len(set(names))
