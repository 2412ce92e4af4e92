"""The words that tell what is said beside a request: a phrasebook's `[beside]`."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from ....intents.language import Words


class Beside(Struct, frozen=True, eq=False, dict=True, kw_only=True, forbid_unknown_fields=True):
    """Each field a set of folded words, if it says nothing else.

    turns: make another request of it. told: turn it as well, but not before it ("what a day, …").
    deeds: verbs that turn it where they tell to do something. calls: verbs of what one does oneself
    ("…, I have to call her"). wishes: with which one asks ("…, I want to delete them").
    afterthoughts: turn it behind it; before it they only tell ("I can't drive, …"). frames: begin
    what narrows it ("before the summer, …").

    reasons: before why one asks ("because my rent went up"). own_words: with which one begins to
    tell of oneself ("I'm", "got", "need"). verbs: of clauses that only tell ("…, my rent went up").
    asking_verbs: of those that tell who asks ("my wife wants to see them"). last_verbs: at the end
    of what depends on a clause ("…, wie viele ich habe"). courtesies: of clauses that say nothing
    else ("thanks for earlier"). pleas: ask, whatever else is said ("please"). familiar: names that
    are nobody's rows ("Christmas").

    units: how words for a length of time begin ("5 min").
    openings: phrases, how clauses begin that only tell why one asks ("ma mère me demande"); what
    follows may be anything that is not of rows. connectors: phrases between why and what ("so").
    """

    turns: Words = Words()
    told: Words = Words()
    deeds: Words = Words()
    calls: Words = Words()
    wishes: Words = Words()
    afterthoughts: Words = Words()
    frames: Words = Words()
    reasons: Words = Words()
    own_words: Words = Words()
    verbs: Words = Words()
    asking_verbs: Words = Words()
    last_verbs: Words = Words()
    courtesies: Words = Words()
    pleas: Words = Words()
    familiar: Words = Words()
    units: tuple[str, ...] = ()
    openings: tuple[str, ...] = ()
    connectors: tuple[str, ...] = ()

    @cached_property
    def telling_verbs(self) -> frozenset[str]:
        return self.verbs | self.asking_verbs

    @cached_property
    def weighty(self) -> frozenset[str]:
        """Words that change a request somewhere."""
        return self.turns | self.told | self.deeds | self.calls | self.afterthoughts
