"""The intent rules in German, Spanish and French, over the careers pack's own words.

`AGENT_TEST_CASES=all` puts an unknown word at every place of each sentence, not at a drawn one.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.careers.tests.sentences import list_texts, load_sentences
from packages.rules.tests import utterances
from packages.rules.tests.test_intent_rules import describe, insert_everywhere
from plainloop.agent.config.settings import Settings
from plainloop.agent.core.spec import EntityWords
from plainloop.agent.store.store import Store
from plainloop_careers import store as careers
from plainloop_careers.entities import ENTITIES, JOBS
from plainloop_rules.language import ENGLISH, LANGUAGES, Language
from plainloop_rules.matching import guess_language, match_intent
from plainloop_rules.tokens import split_tokens
from tests.drawing import draw_cases
from tests.packs.interviewing import open_offline

SETS = ("german", "spanish", "french")
FRENCH, GERMAN, SPANISH = (next(x for x in LANGUAGES if x.name == name) for name in sorted(SETS))
SLOTS = {"MANY", "ONE", "FIELD", "CLAUSES"}


def list_fast(language: str) -> list[tuple[str, str]]:
    return [(item.text, item.label) for item in load_sentences(language) if item.reader == "rules"]


def list_not_fast(language: str) -> list[str]:
    return list_texts(language, "model")


ALL_FAST = [(text, label) for name in SETS for text, label in list_fast(name)]
ALL_NOT_FAST = [text for name in SETS for text in list_not_fast(name)]


def test_labelled_sentences_have_no_duplicates_and_at_most_605_a_language():
    texts = [text for text, _ in ALL_FAST] + ALL_NOT_FAST
    english = len((utterances.FAST + utterances.NOT_FAST).strip().splitlines())
    sizes = {name: len(load_sentences(name)) for name in (*SETS, "english")}
    sizes["english"] += english

    assert len(set(texts)) == len(texts)
    assert all(size <= 605 for size in sizes.values()), sizes


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (GERMAN, "Wie viele Stellen habe ich?"),
        (SPANISH, "¿Cuántos trabajos tengo?"),
        (FRENCH, "Combien de postes ai-je ?"),
    ],
)
def test_a_matched_rule_states_its_language(language: Language, text: str):
    match = match_intent(text, ENTITIES)
    assert match is not None
    assert match.rule.startswith(f"{language.name}.")
    assert match_intent(text, ENTITIES, (ENGLISH,)) is None


# In quotes any word is part of a name, and so it is where names are written small.
UNQUOTED = [
    (name, text)
    for name in SETS
    for text, _ in list_fast(name)
    if not set("«„") & set(text) and text != text.lower()
]
JOINTS = {
    "german": ["und lösche sie", "oder nicht", "aber nicht", "zqxj", "weil", "wenn"],
    "spanish": ["y bórralos", "o no", "pero no", "zqxj", "porque", "si"],
    "french": ["et supprime-les", "ou pas", "mais pas", "zqxj", "parce que", "si"],
}


@pytest.mark.parametrize("language", SETS)
def test_an_unknown_word_makes_a_fast_path_match_uncertain(language: str):
    texts = [text for name, text in UNQUOTED if name == language]
    changed = [
        extended
        for text in texts
        for extra in JOINTS[language]
        for extended, _ in draw_cases(insert_everywhere(text, extra), 1, text + extra)
    ]
    assert [text for text in changed if match_intent(text, ENTITIES) is not None] == []


WORDS = sorted({word for text, _ in ALL_FAST for word in text.split()})


@given(
    st.lists(st.sampled_from([*WORDS, "'", "-", "l'", "d'", "ß", "İ", "\u0301", "¿"]), max_size=25)
)
def test_matching_any_mix_of_words_raises_no_exception(words: list[str]):
    match_intent(" ".join(words), ENTITIES)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda item: item.name)
def test_every_pattern_uses_only_declared_slots_and_phrase_classes(language: Language):
    elements = {
        name
        for rule in language.rules.values()
        for element in rule.pattern.split()
        for name in element.removesuffix("?").split("|")
    }
    assert elements - SLOTS <= set(language.phrases)
    assert language.owning <= set(language.phrases)


@pytest.mark.parametrize("language", (FRENCH, GERMAN, SPANISH), ids=lambda item: item.name)
def test_every_phrase_class_of_a_language_exists_in_the_grammar(language: Language):
    own = {name for rule in language.rules.values() for name in re.findall("[a-z_]+", rule.pattern)}
    assert set(language.phrases) - own - {"past_ones"} <= set(ENGLISH.phrases)


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        (GERMAN, "Die Remote-Stelle", ["die", "remote", "stelle"]),
        (GERMAN, "60.000 €", ["60.000", "€"]),
        (SPANISH, "¿Cuántos? Del año", ["¿", "cuantos", "?", "de", "el", "ano"]),
        (FRENCH, "Combien d’offres d'emploi", ["combien", "de", "offres", "de", "emploi"]),
        (FRENCH, "chez L’Oréal", ["chez", "l'oreal"]),
        (FRENCH, "du poste d'Airbus", ["de", "le", "poste", "de", "airbus"]),
        (FRENCH, "50 000 euros", ["50 000", "euros"]),
    ],
)
def test_compound_words_are_split_by_the_languages_rules(
    language: Language, text: str, wanted: list[str]
):
    assert [token.folded for token in split_tokens(text, language) or []] == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Zeig mir die offene Stelle", None),
        ("Zeig mir die Traum-Stelle", None),
        ("Zeig mir die Data-Engineer-Stelle", "lookup jobs *~Data Engineer"),
        ("zeig mir die microsoft stelle", None),
        ("Liste meine Stellen mit Gehalt über 1,5k", "list jobs salary_min>=1501"),
        ("Muéstrame la candidatura de google", None),
        ("Muestra mis trabajos con salario superior a 1.500,50", None),
        ("Montre-moi la candidature chez L’Oréal", "lookup jobs company~L'Oréal"),
        ("Montre-moi la candidature d’Airbus", "lookup jobs *~Airbus"),
    ],
)
def test_names_and_numbers_are_understood_in_each_common_spelling(text: str, wanted: str | None):
    assert describe(text, ENTITIES) == wanted


def test_entities_without_a_translation_match_by_their_own_names():
    plain = replace(JOBS, translations={})
    assert describe("Liste meine jobs auf", (plain,)) == "list jobs"
    words = EntityWords(singulars=("ding",), plurals=("dinge",))
    german = replace(JOBS, translations={"german": words})
    assert describe("Liste meine Dinge auf", (german,)) == "list jobs"
    assert describe("Liste meine jobs auf", (german,)) is None


def test_every_translated_word_belongs_to_a_field_or_value_of_the_spec():
    for entity in ENTITIES:
        names = {field.name: set(field.values) for field in entity.fields}
        for words in entity.translations.values():
            assert set(words.fields) <= set(names)
            assert all(set(values) <= names[field] for field, values in words.values.items())
            known = {value for values in words.values.values() for value in values}
            assert set(words.states) <= known
    assert {name for entity in ENTITIES for name in entity.translations} == set(SETS)


ANSWERED = [
    ("Wie viele Stellen habe ich gespeichert?", "Stellen (Status: gespeichert): 2"),
    ("Wie viele Kontakte habe ich?", "Kontakte: 0"),
    (
        "Zeig mir meine Stellen mit einem Gehalt ab 50.000",
        "Stellen (Gehalt ≥ 50000): 1\n\n- #1 Cook at Noma (saved)",
    ),
    (
        "¿Qué trabajos tengo guardados?",
        "Trabajos (Estado: guardado): 2\n\n- #2 Chef at Alchemist (saved)\n"
        "- #1 Cook at Noma (saved)",
    ),
    (
        "Montre-moi la candidature chez Noma",
        "**#1 Cook at Noma (saved)**\n\n- entreprise: Noma\n- intitulé: Cook\n"
        "- statut: enregistré\n- salaire: 60000",
    ),
    ("Ouvre la candidature numéro 9", "Postes (#9): 0"),
    ("how many saved jobs do I have?", "You have 2 jobs with status saved."),
]


async def test_fast_answers_are_in_the_language_of_the_question(settings: Settings, store: Store):
    async with open_offline(settings) as service:
        async with store.transaction("t1") as db:
            for job in (
                {"company": "Noma", "title": "Cook", "salary_min": 60_000},
                {"company": "Alchemist", "title": "Chef"},
            ):
                await careers.save_job(db, ("t1", "u1"), job)
        for text, wanted in ANSWERED:
            thread = await service.ensure_thread("t1", "u1", None, text)
            outcome = await service.answer("t1", "u1", thread.thread_id, text)
            assert outcome.answer == wanted
            assert await store.list_calls("t1", outcome.run.run_id) == []


@pytest.mark.parametrize("language", SETS)
def test_the_language_is_guessed_when_no_rule_matches(language: str):
    texts = [text for text in list_not_fast(language) if len(text.split()) > 3]
    right = sum(guess_language(text) == language for text in texts)
    assert right / len(texts) >= 0.9


def test_english_is_not_recognised_as_another_language():
    texts = [text for text in utterances.NOT_FAST.strip().splitlines() if len(text.split()) > 3]
    assert [text for text in texts if guess_language(text) != "english"] == []
