"""Prices a call by the model that answered, if that is another than the requested one.

Vendors replace retired models under their old names and bill the successor's price
(ai.google.dev/gemini-api/docs/deprecations); gateways answer an alias with whatever is behind it.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from ..types import Usage
from .pricing import LONGEST_NAME, Cost, Prices, is_listed

# A cloud's region and a publisher before a name: "us.anthropic.".
_PREFIX: Final = re.compile(r"\A([a-z-]{1,20}\.){1,2}(?=[a-z])")
# What names a version of the same model: a date, a revision, the newest.
_VERSION: Final = re.compile(
    r"([-@:](\d{8}|\d{4}-\d\d-\d\d|(preview-)?\d\d-(\d\d|20\d\d)|[01]\d[0-3]\d|00\d|v\d+(:\d+)?|"
    r"latest|default))+\Z"
)


def split_version(model: str) -> tuple[str, str]:
    """Split a model's id into its name and its version suffix, without any prefix.

    >>> split_version("us.anthropic.claude-haiku-4-5-20251001-v1:0")
    ('claude-haiku-4-5', '-20251001-v1:0')
    >>> split_version("models/gemini-3.8-flash"), split_version("claude-sonnet-5-5")
    (('gemini-3.8-flash', ''), ('claude-sonnet-5-5', ''))
    """
    if len(model) > LONGEST_NAME:
        return model, ""
    name = _PREFIX.sub("", model.lower().rpartition("/")[2])
    match = _VERSION.search(name)
    return (name, "") if match is None else (name[: match.start()], match[0])


def is_rerouted(requested: str, answered: str | None) -> bool:
    """Whether a different model answered, not just a version of the requested one.

    >>> is_rerouted("claude-haiku-4-5", "claude-haiku-4-5-20251001")
    False
    >>> is_rerouted("gemini-2.5-pro", "gemini-3.8-flash")
    True
    """
    if not answered or answered == requested:
        return False
    (name, version), (other, its_version) = map(split_version, (requested, answered))
    # "claude-sonnet-latest", answered by "claude-sonnet-5-5": an alias leaves the version numbers
    # open.
    if version.endswith("latest"):
        return _list_words(name) != _list_words(other)
    return name != other or bool(version and its_version and version != its_version)


def name_models(requested: str, answered: str | None) -> str:
    """Return a call's model for display, with the model that answered if it was another.

    >>> name_models("gemini-2.5-pro", "gemini-3.8-flash")
    'gemini-2.5-pro (answered: gemini-3.8-flash)'
    >>> name_models("gpt-6-luna", "gpt-6-luna-2026-05-01"), name_models("gpt-6-luna", None)
    ('gpt-6-luna (as gpt-6-luna-2026-05-01)', 'gpt-6-luna')
    """
    if answered in (None, "", requested):
        return requested
    if is_rerouted(requested, answered):
        return f"{requested} (answered: {answered})"
    return f"{requested} (as {answered})"


def price_call(
    prices: Prices,
    provider: str,
    requested: str,
    answered: str | None,
    usage: Usage,
    at: datetime | None = None,
) -> Cost:
    """Return a call's cost at the price of the model that answered, else of the requested one.

    The operator's own price of the requested name holds for its versions, and for an alias that
    the public list does not know.
    """
    if answered in (None, "", requested):
        return prices.price(provider, requested, usage, at)
    # First the name that answered: from 1 December 2026 on Google bills gemini-2.5 as 3.8-flash
    # (ai.google.dev, gemini-api/docs/deprecations); by the requested name the ledger is wrong.
    names = [(answered or requested, answered), (requested, requested)]
    if prices.has_own(provider, requested) and not prices.has_own(provider, answered or requested):
        is_version = not is_rerouted(requested, answered)
        if is_version or not is_listed(provider, requested):
            names[0] = (requested, answered if is_version else requested)
    first, second = (
        prices.price(provider, name, usage, at, listed_as=listed) for name, listed in names
    )
    # A gateway may answer with a name of its own, which is in no list: then use the requested
    # model's price.
    return second if first.amount_usd is None else first


def _list_words(name: str) -> list[str]:
    """List a model name's words without version numbers, which an alias leaves open."""
    return sorted(word for word in re.split(r"[^a-z0-9]+", name) if not word[0:1].isdigit())
