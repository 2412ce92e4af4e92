"""Lists the vendors' rules that this server enforces, and where it is laxer, from rules.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import msgspec


class VendorRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A documented rule. page: without its scheme. test: file::name of the test that proves it."""

    vendor: str
    rule: str
    page: str
    test: str


class LaxerRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A vendor's rule that this server does not enforce."""

    vendor: str
    rule: str
    reason: str


class VendorRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The vendors' rules that the server enforces, and those that it does not."""

    rule: tuple[VendorRule, ...]
    laxer: tuple[LaxerRule, ...]


@cache
def load_rules() -> VendorRules:
    """Load the vendors' rules from rules.toml."""
    text = Path(__file__).with_name("rules.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), VendorRules)


def build_rules() -> str:
    """Build the README's table of the vendors' rules that this server enforces."""
    lines = ["| vendor | rule | page | tested in |", "|---|---|---|---|"]
    for it in load_rules().rule:
        pages = ", ".join(f"[{_name_site(page)}](https://{page})" for page in it.page.split(", "))
        file = it.test.partition("::")[0].rpartition("/")[2]
        lines.append(f"| {it.vendor} | {it.rule} | {pages} | `{file}` |")
    return "\n".join(lines) + "\n"


def build_laxer() -> str:
    """Build the README's table of the rules in which this server is laxer than vendors."""
    lines = ["| vendor | difference | why |", "|---|---|---|"]
    lines += [f"| {it.vendor} | {it.rule} | {it.reason} |" for it in load_rules().laxer]
    return "\n".join(lines) + "\n"


def _name_site(page: str) -> str:
    return page.split("/")[0].split(".")[-2]


if __name__ == "__main__":
    print(build_rules(), build_laxer(), sep="\n", end="")
