"""The words that one entity's spec brings into the grammar of the intent rules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Final

from plainloop.agent.core.spec import EntitySpec, EntityWords, FieldSpec
from plainloop.agent.dataclasses import dataclass, replace

from .language import Language, list_forms

Phrase = tuple[str, ...]
Value = str | int | float | bool

MAX_CACHED: Final = 32


@dataclass(frozen=True, slots=True)
class ValuePhrase:
    """A phrase that means one value of one field: `applied to` → status = applied."""

    words: Phrase
    field: str
    value: Value
    # Tells what happened to stored rows ("saved"), against a mere property ("remote").
    is_state: bool
    is_plural: bool = False  # stands for several rows: "offers"
    is_undergone: bool = False  # "rejected": what others did, never "the ones that I rejected"
    has_reached: bool = False  # that value or a later one: "applied to"


@dataclass(frozen=True)
class Lexicon:
    """An entity's words in one language, split."""

    entity: EntitySpec
    entities: tuple[EntitySpec, ...]  # all that the packs have
    language: Language
    singulars: tuple[Phrase, ...]
    plurals: tuple[Phrase, ...]
    values: tuple[ValuePhrase, ...]
    exact_values: tuple[ValuePhrase, ...]  # where the field is named: "with status applied"
    noun_values: tuple[ValuePhrase, ...]  # values that stand for one row of the entity: "letter"
    base_values: tuple[ValuePhrase, ...]  # as after "did I": "apply to"
    fields: tuple[tuple[Phrase, FieldSpec], ...]
    date_field: FieldSpec | None  # what "newest" means; None: not certain
    stored_field: FieldSpec | None  # when a row was stored: "added today"
    main_nouns: frozenset[Phrase]  # the entity's own name; in a translation every noun
    own_nouns: frozenset[Phrase]
    ambiguous_nouns: frozenset[Phrase]
    has_many_dates: bool
    hints: frozenset[str]  # of each phrase that can stand for the entity its longest word
    undergone: frozenset[str]  # first words of what others did, in base form
    starts: frozenset[str]  # with these of its words a sentence about it may begin

    @cached_property
    def known(self) -> frozenset[str]:
        """Return every word that has a meaning, so that it is never part of a name.

        Only a sentence that may fit the entity needs them: they are half of a lexicon's cost.
        """
        known = {*self.language.vocabulary, *self.undergone}
        known.update(word for phrase, _ in self.fields for word in phrase)
        known.update(word for value in self.values for word in value.words)
        for entity in self.entities:
            groups = _split_numbers(entity, self.language)
            known.update(word for group in groups for words in group for word in words)
        return frozenset(known)


class LexiconCache:
    """Builds the lexicons of the packs' entities once; identified by the entities' tuple."""

    def __init__(self) -> None:
        self._built: dict[tuple[int, int], tuple[tuple[EntitySpec, ...], list[Lexicon]]] = {}

    def get_lexicons(self, entities: tuple[EntitySpec, ...], language: Language) -> list[Lexicon]:
        """Return the lexicons of the entities in a language, in order.

        They are built at the first call and then cached.
        """
        key = (id(entities), id(language))
        held = self._built.get(key)
        if held is None:
            if len(self._built) >= MAX_CACHED:
                self._built.clear()
            # The entities are held, so that their id stays theirs.
            held = (entities, [build_lexicon(item, entities, language) for item in entities])
            self._built[key] = held
        return held[1]


LEXICONS: Final = LexiconCache()


def build_lexicon(
    entity: EntitySpec, entities: tuple[EntitySpec, ...], language: Language
) -> Lexicon:
    """Build the lexicon of `entity`: the words that sentences about it may use."""
    nouns = _split_numbers(entity, language)
    exact = tuple(_list_values(entity, language))
    reached = tuple(_list_reached(entity, language))
    known_reached = {value.words for value in reached}
    values = (*reached, *(value for value in exact if value.words not in known_reached))
    translation = _get_translation(entity, language)
    field_words = {
        item.name: translation.fields.get(item.name, ())
        if translation
        else (item.name.replace("_", " "), *item.words)
        for item in entity.fields
    }
    fields = tuple(
        (phrase, item)
        for item in entity.fields
        for phrase in _split_all(field_words[item.name], language)
    )
    dates = [item for item in entity.fields if item.kind == "date"]
    default = entity.get_field(entity.default_order)
    bases = tuple(
        replace(item, words=(form, *item.words[1:]), is_state=True)
        for item in values
        for form in list_forms(item.words[0], language.base_forms) or item.words[:1]
    )
    value_words = {value.words for value in values}
    singulars, plurals = (
        tuple(words for words in group if words not in value_words) for group in nouns
    )
    noun_values = tuple(value for value in values if value.words in nouns[0])
    plural_values = [value.words for value in values if value.is_plural]
    standing = (*singulars, *plurals, *(value.words for value in noun_values), *plural_values)
    marked = translation or entity
    return Lexicon(
        entity=entity,
        entities=entities,
        language=language,
        singulars=singulars,
        plurals=plurals,
        values=values,
        exact_values=exact,
        noun_values=noun_values,
        base_values=tuple(value for value in bases if not value.is_undergone),
        fields=fields,
        date_field=default if default in dates else (dates[0] if len(dates) == 1 else None),
        has_many_dates=len(dates) > 1,
        stored_field=entity.get_field("created_at"),
        main_nouns=frozenset(
            plurals if translation else _split_all([entity.name.replace("_", " ")], language)
        ),
        own_nouns=frozenset(_split_all(marked.own, language)),
        ambiguous_nouns=frozenset(_split_all(marked.ambiguous, language)),
        hints=frozenset(
            max(re.findall(r"\w+", " ".join(words)), key=len, default="") for words in standing
        ),
        undergone=frozenset(value.words[0] for value in bases if value.is_undergone),
        starts=frozenset(
            re.split(r"\W", words[0])[0] for words in (*standing, *value_words, *dict(fields))
        ),
    )


def _get_translation(entity: EntitySpec, language: Language) -> EntityWords | None:
    return entity.translations.get(language.name)


def _split_numbers(
    entity: EntitySpec, language: Language
) -> tuple[tuple[Phrase, ...], tuple[Phrase, ...]]:
    """Return the entity's words as (singulars, plurals), adding plurals that the spec lacks."""
    words = _get_translation(entity, language)
    if words is not None:
        return _split_all(words.singulars, language), _split_all(words.plurals, language)
    given = _split_all((entity.singular, *entity.words), language)
    listed = {entity.name.replace("_", " ").casefold()}
    listed.update(
        " ".join((*words[:-1], form))
        for words in given
        for form in list_forms(words[-1], language.plural_forms)
    )
    singulars = tuple(words for words in given if " ".join(words) not in listed)
    return singulars, _split_all(sorted(listed), language)


def _list_values(entity: EntitySpec, language: Language) -> Iterable[ValuePhrase]:
    words = _get_translation(entity, language)
    if words is not None:
        yield from _list_translated_values(entity, words, language)
        return
    for item in entity.fields:
        meanings: dict[Value, tuple[str, ...]] = {
            value: (value.replace("_", " "), *words) for value, words in item.values.items()
        }
        if item.kind == "bool":
            meanings = {True: (item.name.replace("_", " "), *item.words)}
        for value, words in meanings.items():
            for phrase in _split_all(words, language):
                if " ".join(phrase) in language.vague_values:
                    continue
                is_state = phrase[0].endswith(language.state_endings)
                is_plural = language.is_plural(phrase[-1])
                is_undergone = is_state and value in item.undergone
                yield ValuePhrase(phrase, item.name, value, is_state, is_plural, is_undergone)


def _list_translated_values(
    entity: EntitySpec, words: EntityWords, language: Language
) -> Iterable[ValuePhrase]:
    plurals = _split_all(words.plurals, language)
    for item in entity.fields:
        for name, phrases in words.values.get(item.name, {}).items():
            value: Value = name == "true" if item.kind == "bool" else name
            forms: dict[Phrase, None] = {}
            for phrase in _split_all(phrases, language):
                for last in list_forms(phrase[-1], language.value_forms) or phrase[-1:]:
                    forms[(*phrase[:-1], last)] = None
            for phrase in forms:
                is_state, is_plural = name in words.states, phrase in plurals
                is_undergone = is_state and name in item.undergone and not is_plural
                yield ValuePhrase(phrase, item.name, value, is_state, is_plural, is_undergone)


def _list_reached(entity: EntitySpec, language: Language) -> Iterable[ValuePhrase]:
    translated = _get_translation(entity, language)
    for item in entity.fields:
        given = item.reached if translated is None else translated.reached.get(item.name, {})
        for value, phrases in given.items():
            for phrase in _split_all(phrases, language):
                forms = list_forms(phrase[-1], language.value_forms) or phrase[-1:]
                for last in dict.fromkeys((phrase[-1], *forms)):
                    yield ValuePhrase(
                        (*phrase[:-1], last), item.name, value, True, has_reached=True
                    )


def _split_all(phrases: Iterable[str], language: Language) -> tuple[Phrase, ...]:
    """Return each phrase as folded words, once; "on-site" also as "on site" and "onsite"."""
    forms: dict[Phrase, None] = {}
    for phrase in phrases:
        for form in (phrase, phrase.replace("-", " "), phrase.replace("-", "")):
            words = language.split(form)
            if words:
                forms[words] = None
    return tuple(forms)
