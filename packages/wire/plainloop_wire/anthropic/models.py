"""Knows what a Claude model accepts and does, by family and version.

A later model follows the rules of the newest known one.
"""

from __future__ import annotations

import re
from typing import Final

from plainloop.agent.dataclasses import dataclass

# `anthropic/claude-opus-5-5@eu`, `claude-sonnet-4-5-20250929`: gateways put something around the
# name, and a date behind it is no version.
_NAME: Final = re.compile(r"claude-([a-z]+)-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)")
_OLDEST: Final = "claude-3"  # claude-3-7-sonnet: the version came first once

Version = tuple[int, int]

# Source: platform.claude.com, models/sonnet-5-5/migration-guide, "Thinking runs by default".
_THINKS_SINCE: Final[Version] = (5, 0)
# Before, thinking came as it was. Source: platform.claude.com, build-with-claude/thinking,
# "Controlling thinking display".
_OMITS_SINCE: Final[Version] = (4, 7)
# Temperature, top_p and top_k, except their defaults; budgets of thinking. Source:
# platform.claude.com, models/sonnet-5-5/migration-guide and about-claude/models/migration-guide.
_WITHOUT_SAMPLING_SINCE: Final[Version] = (4, 7)
# Source: platform.claude.com, build-with-claude/effort. Opus 4.5 was the first to have it.
_EFFORTS: Final[tuple[tuple[Version, tuple[str, ...]], ...]] = (
    ((4, 7), ("low", "medium", "high", "xhigh", "max")),
    ((4, 6), ("low", "medium", "high", "max")),
    ((4, 5), ("low", "medium", "high")),
)
# Tokens of the window and of an answer. Source: platform.claude.com, about-claude/models/overview
# and the models' own pages.
_SIZES: Final[tuple[tuple[Version, tuple[int, int]], ...]] = (
    ((4, 6), (1_000_000, 128_000)),
    ((3, 0), (200_000, 64_000)),
)
# Text between tool calls comes as thinking. Source: platform.claude.com,
# models/opus-5-5/whats-new-opus-5-5 and models/sonnet-5-5/whats-new-sonnet-5-5.
_THINKS_BETWEEN_SINCE: Final[Version] = (5, 5)
# Source: platform.claude.com, build-with-claude/preserved-thinking and …/prefix-checks (models with
# preserved thinking); each later model has it.
PRESERVED_SINCE: Final[Version] = (5, 1)
# Source: platform.claude.com, build-with-claude/preserved-thinking, "Accounts and cloud platforms":
# the blocks of these families are tied to the account as well.
_ACCOUNT_FAMILIES: Final = ("sonnet", "haiku")
# Whose blocks a model reads beside its own. Source: platform.claude.com,
# build-with-claude/preserved-thinking, "Switching models mid-conversation".
_READS: Final = {("fable", (5, 1)): (("opus", (5, 0)), ("opus", (5, 5)))}
# Read by every model. Source: docs.aws.amazon.com, bedrock, "Preserved thinking".
_READ_BY_ALL: Final = (("haiku", (5, 5)),)


@dataclass(frozen=True, slots=True)
class Claude:
    """A Claude model, with what its version accepts and does."""

    name: str
    family: str
    version: Version

    @property
    def thinks_between_tools(self) -> bool:
        """Return whether text between two tool calls is sent as thinking."""
        return self.version >= _THINKS_BETWEEN_SINCE

    @property
    def has_preserved_thinking(self) -> bool:
        """Return whether returned thinking blocks are bound to the content that preceded them."""
        return self.version >= PRESERVED_SINCE

    @property
    def thinks_by_default(self) -> bool:
        """Return whether the model thinks when a request does not mention thinking."""
        return self.version >= _THINKS_SINCE

    @property
    def thinking_types(self) -> tuple[str, ...]:
        """Return the values of `thinking.type` that the model accepts.

        Source: platform.claude.com, build-with-claude/thinking, "Configuring thinking";
        models/opus-5-5/whats-new-opus-5-5 and models/sonnet-5-5/migration-guide.
        """
        if self.version < (4, 6):
            return ("enabled", "disabled")
        if self.version < _WITHOUT_SAMPLING_SINCE:
            return ("adaptive", "enabled", "disabled")
        if self.version < PRESERVED_SINCE or self.family == "haiku":
            return ("adaptive", "disabled")
        if self.family == "sonnet":
            return ("adaptive", "between_tools")
        return ("adaptive",)

    @property
    def has_sampling(self) -> bool:
        """Return whether the model accepts temperature, top_p and top_k."""
        return self.version < _WITHOUT_SAMPLING_SINCE

    @property
    def efforts(self) -> tuple[str, ...]:
        """Return the levels of `output_config.effort`.

        () if the model has none.
        """
        if self.version == (4, 5) and self.family != "opus":
            return ()
        return next((levels for since, levels in _EFFORTS if self.version >= since), ())

    @property
    def sizes(self) -> tuple[int, int]:
        """Return the context window and the maximum output, in tokens."""
        return next(sizes for since, sizes in _SIZES if self.version >= since)

    @property
    def omits_thinking(self) -> bool:
        """Return whether the model sends thinking without text.

        It has text if the request asks for a summary.
        """
        return self.version >= _OMITS_SINCE

    @property
    def binds_account(self) -> bool:
        """Return whether the model refuses thinking blocks of other accounts."""
        return self.has_preserved_thinking and self.family in _ACCOUNT_FAMILIES

    def reads(self, maker: Claude) -> bool:
        """Return whether this model may read thinking blocks that the model `maker` made."""
        made = (maker.family, maker.version)
        others = _READS.get((self.family, self.version), ())
        return made == (self.family, self.version) or made in others or made in _READ_BY_ALL


def read_model(name: str) -> Claude:
    """Parse the name of a Claude model into its family and version.

    A name without a readable version counts as an old model.

    >>> read_model("anthropic/claude-opus-5-20260901").version
    (5, 0)
    >>> read_model("claude-sonnet-5-5").has_preserved_thinking
    True
    >>> read_model("claude-3-7-sonnet-20250219").version
    (3, 0)
    """
    found = _NAME.search(name)
    if found is None:
        return Claude(name, name, (3, 0) if _OLDEST in name else (4, 0))
    return Claude(name, found[1], (int(found[2]), int(found[3] or 0)))
