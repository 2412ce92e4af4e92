"""Requests read word by word: what all parts of a sentence say together, in any order.

The second reader beside `grammar`, which knows orders of words. Here every word must be known to a
pack's phrasebook or be a name where a name can stand; a word that is not leaves it to a model.

Tags of a phrasebook's `says`, of what is asked:

count, often    how many rows; how many times     list, show, sort   rows
yes, any, they  whether: "have I", "are there", "did <name>"
when, where, pay, status, open, choice           of one row, by name
person, work, role, know                         of people: how to reach them, where they work
whom            who did it: companies, for a model     stop       for a model, whatever else is said

and of what is meant by it: at, in, from, of, as before a name ("in city": surely a place, "in
firm": a firm as well), mister before a person's, the, a, job, contact, one, ones for rows; mine,
own ("that I"), listed, stored, whole, has ("do you have") for whose they are; me, got, passive,
active, had for who did what to whom, finite for what is no request ("I applied"); now, ongoing,
last, top, undone, already, that, ornot, vague ("any"); bares ("toms number"), verb ("email Jane"),
thousands ("30 mil"), located, skip; asks for words that only a question has; kept noun for what
is called so in the tracker rather than on the market; single ("the best paid one"); outcome for
what many rows are called that came to it ("rejections"); made for what is done with applications;
others for somebody else's. A name that says what someone works as is tagged trade, too.
"""

from __future__ import annotations

from dataclasses import replace

from ....core.spec import EntitySpec
from ....types import FastRequest
from .cutting import Part
from .many_rows import build_query, find_entity, find_intent
from .one_row import read_lookup
from .said import OF_ONE, OF_PEOPLE, Said, is_plain, sort_parts


def _is_shown(said: Said) -> bool:
    """Whether one row is to be shown that is called by its name."""
    is_one = {"show", "the"} <= said.tags and bool(said.tags & {"one", "job"})
    has_more = said.nouns or said.values or said.tags & {"ones", "whole", "own", "stored", "last"}
    if not is_one or has_more or len(said.names) != 1:
        return False
    name = said.names[0][0]
    return name.has_capital and not name.is_place


def read_request(
    parts: list[Part], entities: tuple[EntitySpec, ...], marks: set[str], *, is_question: bool
) -> FastRequest | None:
    """The one thing that the parts ask together; None: nothing, or not beyond doubt.

    marks: tags of words that the sentence was cut without: now, already.
    """
    said = sort_parts(parts, marks, is_question=is_question)
    if said is None or not is_plain(said):
        return None
    by_name = {entity.name: entity for entity in entities}
    asked = said.tags & (OF_ONE | OF_PEOPLE) - {"know"}
    if said.tags >= {"know", "contact"}:
        asked -= {"person"}  # "wen habe ich bei Acme als Kontakt"
    if "status" in said.values and not said.names and said.tags & {"list", "count"}:
        asked -= {"status"}  # "which ones are still pending"
    if asked == frozenset({"pay"}) and (said.bound or said.orders):
        asked = frozenset[str]()
    if "where" in asked and not said.names and said.tags & {"own", "yes", "me", "got"}:
        if "located" in said.tags:
            return None  # "in which city do I have most": of rows together
        asked -= {"where"}
    is_property = (
        set(said.values) == {"remote_type"} and len(said.names) == 1 and "they" in said.tags
    )
    asks = said.is_question or (said.parts and "they" in said.parts[0].tags)
    is_one = said.tags & {"job", "one"} or all("at" in before for _, before, _ in said.names)
    if asks and is_property and is_one and not said.nouns and not asked:
        asked = frozenset({"choice"})  # "is the job at Acme remote"
    if not asked and _is_shown(said):
        asked = frozenset({"open"})  # "bring up the Acme one"
        said = replace(said, tags=said.tags | asked)
    is_how_much = asked == frozenset({"pay"}) and not (said.nouns or said.values)
    if asked and "count" in said.tags and not is_how_much:
        return None
    if asked:
        return read_lookup(said)
    intent = find_intent(said)
    if intent is None:
        return None
    entity = by_name.get(find_entity(said) or "")
    query = entity and build_query(said, entity, entities[0], intent)
    return FastRequest(intent, entity.name, query) if entity and query else None
