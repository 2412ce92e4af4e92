"""Sentences in any order of their parts: every word must be known, or be a name in its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainloop.agent.packs.careers import questions
from plainloop.agent.packs.careers.entities import ENTITIES, JOBS
from plainloop.agent.packs.careers.questions.phrasebook import Phrasebook, load_phrasebooks
from tests.packs.careers.test_intents import describe

BOOKS = load_phrasebooks(Path(questions.__path__[0]))


@pytest.mark.parametrize(
    "text",
    [
        "jobs at Tesco, how many have I saved?",
        "how many have I saved at Tesco, jobs I mean",
        "so, how many jobs at Tesco have I got saved so far?",
    ],
)
def test_a_word_that_nothing_explains_leaves_the_sentence_to_a_model(text: str):
    assert describe(text) in ("count jobs company~Tesco status=saved", None)
    assert describe(f"{text.rstrip('?')} grudgingly") is None


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("which ones did I withdraw from again", "list jobs status=withdrawn"),
        ("wo hab ich mich diese Woche beworben", "list jobs status>=applied status@this_week"),
        ("j'ai postulé à combien de postes hier", "count jobs status>=applied status@yesterday"),
        ("de cuáles me retiré yo", "list jobs status=withdrawn"),
        ("wie steht es bei der Allianz", "lookup jobs *~Allianz"),
        ("ist das bei Hapag-Lloyd remote oder vor Ort", "lookup jobs *~Hapag-Lloyd"),
    ],
)
def test_parts_are_read_in_any_order_in_four_languages(said: str, meant: str):
    assert describe(said) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("le loyer augmente, combien de refus j'ai pris ?", "count jobs status=rejected"),
        ("j'ai combien de refus, ma mère me harcèle", "count jobs status=rejected"),
        ("cuántos rechazos llevo, mi madre no para de preguntar", "count jobs status=rejected"),
        ("j'ai combien de refus, ma mère veut que tu les supprimes", None),
        ("j'ai combien de refus, ma mère chez Airbus en a deux", None),
        ("cuántos rechazos llevo, mi madre quiere otra lista", None),
    ],
)
def test_why_one_asks_changes_no_request_unless_it_is_another_one(said: str, meant: str | None):
    assert describe(said) == meant


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("mes contacts chez Boulangerie du Vieux-Port", "Boulangerie du Vieux-Port"),
        ("mes contacts chez Verrerie de l'Escaut", "Verrerie de l'Escaut"),
        ("mes contacts chez Atlas 3000", "Atlas 3000"),
        ("mis contactos en Talleres Urrutia e Hijos", "Talleres Urrutia e Hijos"),
        ("mis contactos en Clínica Sonrisa 32", "Clínica Sonrisa 32"),
    ],
)
def test_a_name_has_numbers_and_small_words_of_its_own(said: str, name: str):
    assert describe(said) == f"list contacts company~{name}"


@pytest.mark.parametrize(
    "text",
    [
        "apply to all remote jobs",
        "save the Google job",
        "lo de peluquera canina pásalo a rechazado",
        "was ist mit der miete",
        "email Raj Patel",
        "jobs in Seattle or Portland",
        "show me the jobs I saved but why",
        "which of those did I apply to",
    ],
)
def test_what_is_to_be_done_and_what_no_row_can_tell_is_for_a_model(text: str):
    assert describe(text) is None


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("which jobs pay over 75k, my rent just went up", "list jobs salary_min>=75001"),
        ("my boss wants a number, how many jobs have I saved?", "count jobs status=saved"),
        ("wie viele Absagen hab ich, mein Mann fragt schon wieder", "count jobs status=rejected"),
        ("all my jobs, it wears me out", None),
        ("show me my saved jobs, my wife wants to delete them", None),
        ("which jobs pay over 75k, I need something close to home", None),
        ("zeig mir die Absagen, die mich ärgern", None),
    ],
)
def test_what_is_said_beside_a_request_is_left_out_if_it_changes_nothing(
    said: str, meant: str | None
):
    assert describe(said) == meant


def test_a_phrasebook_names_only_what_the_entities_have():
    names = {entity.name for entity in ENTITIES}
    for book in BOOKS:
        assert set(book.nouns) <= names
        fields = {key.partition(">=")[0].partition("=")[0] for key in book.values}
        assert fields <= {field.name for entity in ENTITIES for field in entity.fields}
        assert {key.split()[0] for key in book.orders} <= {f.name for f in JOBS.fields} | {"name"}


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_no_table_says_more_than_a_process_can_hold(book: Phrasebook):
    """Choices multiply: five in a row of nine each are 59,049 phrases of one line."""
    assert 1_000 < len(book.phrases) <= 100_000


@pytest.mark.parametrize(
    "text",
    [
        "I only want remote ones, show me my saved jobs",
        "if I had taken Acme, how many jobs would I have?",
        "For my brother: how many jobs were rejected?",
        "since my surgery, how many jobs have I applied to?",
        "before the summer, how many jobs did I apply to?",
        "when I was a student, how many jobs did I apply to?",
        "while I was ill, which jobs rejected me?",
        "how many jobs did I apply to, when I was ill",
        "my brother: how many jobs did he save",
        "my brother: how many jobs are saved?",
        "from the list you sent, how many jobs did I save?",
        "I need something close to home, which jobs pay over 75k",
        "I want something nice, show me my saved jobs",
        "I don't want to commute more than an hour, show me my saved jobs",
        "how many jobs have I saved? I'd delete half",
        "how many jobs have I saved? delete the old ones",
        "show me my saved jobs, I want to apply to two of them",
        "show me my saved jobs, they bore me",
        "Delete the old ones. How many jobs do I have?",
        "translate to French: how many jobs do I have?",
        "in French, how many jobs do I have?",
        "suppose I had three offers, how many jobs do I have?",
        "my friend asks how many jobs he has, how many jobs do I have?",
        "you said five yesterday, how many jobs do I have?",
        "I applied to Acme yesterday, how many jobs do I have?",
        "add one more, then show me my saved jobs",
        "list my saved jobs, my friend sent me one",
        "I have to write to the nice ones, list my contacts",
        "für meine Schwester: wie viele Absagen gab es?",
        "seit dem Umzug, wie viele Bewerbungen habe ich geschrieben?",
        "bevor ich umgezogen bin, wie viele Absagen hatte ich?",
        "zeig mir die Absagen, ich will die alten löschen",
        "zeig mir meine gespeicherten Jobs, die Firma ist nett",
        "lösch die alten, wie viele Stellen habe ich?",
        "die alten löschen, wie viele Stellen habe ich?",
        "ich möchte nur die in Berlin, zeig mir meine Jobs",
        "wie viele Absagen habe ich, als ich krank war",
        "depuis mon opération, combien de refus ai-je eus ?",
        "pour ma soeur : combien de refus ?",
        "montre-moi mes postes enregistrés, que je les trie",
        "je veux un truc sympa, montre-moi mes postes enregistrés",
        "supprime les vieux, combien de postes ai-je ?",
        "avant l'été, combien de postes ai-je enregistrés ?",
        "desde la mudanza, ¿cuántos rechazos tengo?",
        "para mi hermana: ¿cuántos rechazos hay?",
        "muéstrame mis trabajos guardados, que quiero borrar unos cuantos",
        "muéstrame los trabajos guardados, que aún no he contestado",
        "borra los viejos, ¿cuántos trabajos tengo?",
        "cuando era estudiante, ¿cuántos rechazos tuve?",
        "quiero algo mejor pagado, enséñame los trabajos guardados",
        "list the jobs my friend applied to",
        "which jobs did my boss save",
        "je vois les postes que ma femme a enregistrés",
        "how many contacts do I have, and what is my newest job?",
    ],
)
def test_what_is_said_beside_a_request_and_narrows_it_or_asks_for_more_is_for_a_model(text: str):
    assert describe(text) is None
