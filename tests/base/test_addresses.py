"""Which spellings are one address: whatever is folded could carry something out unasked."""

from __future__ import annotations

import pytest

from plainloop.agent.base.text.addresses import find_addresses, find_named, list_keys, to_key
from tests.linear import is_linear

NAMED = "https://Acme.example/jobs/1?b=2&a=1"
# Said by a call after the user has named the address above: is it the same?
SAME = {
    "as it was written": NAMED,
    "its host in lower case": "https://acme.example/jobs/1?b=2&a=1",
    "without its scheme": "acme.example/jobs/1?b=2&a=1",
    "with the other scheme of the web": "http://acme.example/jobs/1?b=2&a=1",
}
OTHER = {
    "with points after it": NAMED + "...",
    "with slashes after it": NAMED + "//",
    "with one slash after it": NAMED + "/",
    "with other punctuation after it": NAMED + ",;!?)]}>*_。，、",
    "with a part of a page": NAMED + "#ada",
    "with an empty part of a page": NAMED + "#",
    "with spaces around it": f" {NAMED}\t",
    "its host in some other case": "https://aCme.example/jobs/1?b=2&a=1",
    "its path in some other case": "https://acme.example/Jobs/1?b=2&a=1",
    "its scheme in some other case": "hTtps://acme.example/jobs/1?b=2&a=1",
    "with its scheme's port": "https://acme.example:443/jobs/1?b=2&a=1",
    "with another port": "https://acme.example:8443/jobs/1?b=2&a=1",
    "with a user": "https://ada@acme.example/jobs/1?b=2&a=1",
    "with a letter in percent": "https://acme.example/%6aobs/1?b=2&a=1",
    "its query in another order": "https://acme.example/jobs/1?a=1&b=2",
    "with more in its query": NAMED + "&c=3",
    "without its query": "https://acme.example/jobs/1",
    "with a point after its host": "https://acme.example./jobs/1?b=2&a=1",
    "with slashes before its host": "https:///acme.example/jobs/1?b=2&a=1",
    "with slashes inside": "https://acme.example//jobs/1?b=2&a=1",
    "with a way back inside": "https://acme.example/x/../jobs/1?b=2&a=1",
    "with another scheme": "ftp://acme.example/jobs/1?b=2&a=1",
    "a host above it": "https://www.acme.example/jobs/1?b=2&a=1",
}
KINDS = [
    *("a A1 - _ . a. a.b/ / // @ a@ a@b <a ](".split()),
    *("]: ", "&#"),
    *("\\ é 中 。 ( ) https:// https: h+ ::/ 1.".split()),
    *("a b. ", "%", " ", "\n"),
]


@pytest.mark.parametrize("name", SAME)
def test_equal_urls_in_other_notations_count_as_one_address(name: str):
    assert to_key(SAME[name]) in {*list_keys(NAMED)}


@pytest.mark.parametrize("name", OTHER)
def test_urls_differing_in_one_character_are_different_addresses(name: str):
    assert to_key(OTHER[name]) not in {*find_named(f"Read {NAMED} and tell me")}


def test_a_bare_host_and_its_url_with_a_slash_are_one_address():
    assert to_key("https://acme.example/") in {*list_keys("acme.example")}
    assert to_key("https://acme.example//") not in {*list_keys("acme.example")}


@pytest.mark.parametrize(
    "said",
    [
        "(see https://acme.example/1)",
        "It is https://acme.example/1.",
        "**https://acme.example/1**",
        "[the page](https://acme.example/1), and",
        "看https://acme.example/1。然后",
        "<https://acme.example/1>",
        "acme.example/1",
    ],
)
def test_an_address_found_in_running_text_has_no_final_punctuation(said: str):
    assert "acme.example/1" in {*find_named(said)}


def test_an_overlong_word_is_an_address_in_calls_but_not_in_texts():
    long = "https://acme.example/" + "a" * 5_000

    assert [*find_named(long)] == []
    assert [*find_addresses(long)] == [long]


def find_all(text: str) -> list[object]:
    return [*find_addresses(text), *find_named(text)]


@pytest.mark.parametrize("kind", KINDS)
def test_finding_addresses_in_a_text_takes_linear_time(kind: str):
    assert is_linear(find_all, kind)
