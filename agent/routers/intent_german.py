"""German for the intent rules."""

from __future__ import annotations

from typing import Final

from .intent_language import Language, Rule


def inflect(word: str) -> tuple[str, ...]:
    """A participle or adjective with its endings; on other words they match nothing.

    >>> inflect("gespeichert")[:3]
    ('gespeichert', 'gespeicherte', 'gespeicherten')
    """
    return (word, *(word + ending for ending in ("e", "en", "er", "es", "em")))


def is_plural(word: str) -> bool:
    """Whether a word may be a plural after a preposition: there they end in -n or -s.

    >>> [is_plural(word) for word in ("Banken", "Startups", "Bosch")]
    [True, True, False]
    """
    return len(word) > 3 and word.endswith(("n", "s"))


RULES: Final = (
    Rule("wie_viele", "count", "tell? how_many MANY CLAUSES"),
    Rule("anzahl", "count", "ask? number_of MANY CLAUSES"),
    Rule("zaehle", "count", "count MANY CLAUSES", takes_bare=True),
    Rule("habe_ich", "count", "have_any|are_any MANY CLAUSES"),
    Rule("liste", "list", "list a_list_of? MANY CLAUSES", takes_bare=True),
    Rule("zeige", "list", "show a_list_of? MANY CLAUSES"),
    Rule("ich_moechte_sehen", "list", "want MANY CLAUSES see"),
    Rule("kannst_du_zeigen", "list", "can_you MANY CLAUSES show_me"),
    Rule("was_sind", "list", "what_are MANY CLAUSES"),
    Rule("welche", "list", "which MANY CLAUSES"),
    Rule("oeffne", "lookup", "show|open ONE CLAUSES"),
    Rule("wer_ist", "lookup", "who_is ONE CLAUSES"),
    Rule("feld_von", "lookup", "ask the? FIELD of? ONE CLAUSES"),
)

PHRASES: Final[dict[str, tuple[str, ...]]] = {
    "opener": (
        *("bitte", "hallo", "hi", "hey", "moin", "servus", "guten tag", "guten morgen", "ok"),
        *("okay", "also", "gut", "danke", "jetzt"),
    ),
    "closer": (
        *("bitte", "danke", "an", "auf", "mal", "gerade", "derzeit", "aktuell", "momentan"),
        *("im moment", "jetzt", "insgesamt", "bisher", "bis jetzt", "zurzeit", "zur zeit"),
    ),
    "tell": (
        *("sag mir", "sage mir", "sagen sie mir", "sag mir bitte", "sag mir mal", "sag mal"),
        *(
            "kannst du mir sagen",
            "kannst du mir bitte sagen",
            "weißt du",
            "zeig mir",
            "verrate mir",
        ),
        *("können sie mir sagen", "ich möchte wissen", "ich will wissen"),
        *("sag mir ,", "sage mir ,", "sag mir bitte ,", "kannst du mir sagen ,", "weißt du ,"),
        *("sagen sie mir ,", "können sie mir sagen ,", "ich möchte wissen ,", "sag mal ,"),
        *("kannst du mir bitte sagen ,", "ich will wissen ,", "verrate mir ,"),
    ),
    "how_many": (
        *("wie viele", "wieviele", "wie viel", "auf wie viele", "auf wieviele", "für wie viele"),
        *("wie viele von", "bei wie vielen", "von wie vielen"),
    ),
    "number_of": (
        *("anzahl", "die anzahl", "anzahl der", "die anzahl der", "die anzahl an", "zahl"),
        *("die zahl", "die zahl der", "gesamtzahl der", "die gesamtzahl", "die gesamtzahl der"),
        *("anzahl von", "die anzahl von"),
    ),
    "count": ("zähl", "zähle", "zählen sie", "zähl mal", "zähl bitte", "zähle bitte"),
    "have_any": (
        *("habe ich", "hab ich", "habe ich irgendwelche", "hab ich irgendwelche"),
        *("habe ich schon", "habe ich bereits", "habe ich derzeit"),
    ),
    "are_any": ("gibt es",),
    "list": (*("liste", "list", "liste bitte", "liste mir", "liste mir bitte", "listen sie"),),
    "show": (
        *("zeig", "zeige", "zeig mir", "zeige mir", "zeigen sie mir", "zeig mir bitte", "gib mir"),
        *("zeige mir bitte", "zeig mal", "zeig mir mal", "zeig bitte", "zeige bitte"),
        *("gib mir bitte", "geben sie mir", "nenne", "nenne mir", "nenn mir", "nennen sie mir"),
    ),
    "a_list_of": (
        *("eine liste", "eine liste mit", "eine liste von", "eine liste aller", "die liste"),
        *("eine übersicht", "eine übersicht über", "die liste mit", "die liste aller"),
    ),
    "want": (
        *("ich möchte", "ich will", "ich würde gern", "ich würde gerne", "ich möchte gern"),
        *("ich möchte gerne", "lass mich"),
    ),
    "see": ("sehen", "anschauen", "ansehen", "einsehen"),
    "can_you": (
        *("kannst du mir", "kannst du mir bitte", "könntest du mir", "könntest du mir bitte"),
        *("kannst du", "könntest du", "können sie mir", "könnten sie mir"),
    ),
    "show_me": ("zeigen", "anzeigen", "auflisten", "nennen"),
    "what_are": ("was sind", "welche sind", "welches sind", "wer sind"),
    "which": (
        *("welche", "welchen", "auf welche", "für welche", "bei welchen", "welche von"),
        *("welche der", "was für"),
    ),
    "open": (
        *("öffne", "öffnen sie", "öffne bitte", "finde", "finde mir", "erzähl mir von"),
        *("erzähle mir von", "details zu", "details von", "zeig mir details zu"),
        *("zeig mir die details zu", "zeig mir die details", "wie steht es um"),
        *("wie steht es mit", "was weißt du über", "rufe", "ruf"),
    ),
    "who_is": ("wer ist",),
    "ask": (
        *("was ist", "wie ist", "wie lautet", "wie hoch ist", "nenn mir", "nenne mir", "zeig mir"),
        *("zeige mir", "sag mir", "gib mir"),
    ),
    "of": ("von", "für", "bei", "zu", "der", "des"),
    "mine": (
        *("meine", "meiner", "meinen", "alle meine", "all meine", "alle meiner", "aller meiner"),
        *("von meinen", "mein", "meinem", "meines"),
    ),
    "whole": ("alle", "aller", "sämtliche"),
    "the": ("die", "der", "das", "den", "dem", "des", "zur", "zum"),
    "named": ("namens", "mit dem namen", "mit namen"),
    "number": ("nummer", "nr", "nr.", "mit der nummer", "id", "mit der id"),
    "newest": (
        *("neueste", "neuesten", "neuste", "neusten", "jüngsten", "aktuellsten"),
        *("zuletzt hinzugefügten",),
    ),
    "oldest": ("älteste", "ältesten"),
    "last": ("letzte", "letzten"),
    "top": ("top",),
    "own_clause": (
        *("habe ich", "hab ich", "ich habe", "ich hab", "habe ich schon", "habe ich bereits"),
        *("auf meiner liste", "stehen auf meiner liste", "sind auf meiner liste", "die ich habe"),
        *(", die ich habe", "in meiner liste", "habe ich gerade", "habe ich aktuell", "ich"),
        *("habe ich derzeit", "habe ich momentan", "habe ich insgesamt", "sind in meiner liste"),
    ),
    "filler": ("gibt es", "insgesamt", "bisher", "derzeit", "aktuell", "gerade", "habe"),
    "own_link": (
        *("habe ich", "hab ich", "habe ich mich", "hab ich mich", "habe ich schon", "bin ich"),
        *("habe ich bereits", "habe ich mich schon", "hab ich mich schon", "habe ich mich bereits"),
        *("ich", "ich mich", ", die ich", "die ich", ", auf die ich mich", "auf die ich mich"),
        *(", für die ich mich", "für die ich mich", ", bei denen ich", "bei denen ich"),
        *(", bei denen ich mich", "bei denen ich mich", "habe ich als", ", die ich als"),
    ),
    "stored": ("hinzugefügt", "angelegt", "erfasst", "eingetragen"),
    "received": ("bekommen", "erhalten", "kassiert"),
    "link": (
        *("sind", "wurden", "wurde", "ist", "mit", "mit einer", "mit einem", ", die", "die"),
        *("sind noch", "sind gerade", "mit dem status", "im status", "mit status", ", die noch"),
        *(", die als", "sind als", ", für die es eine", "für die es eine", "als"),
    ),
    "stranded": ("habe", "hab", "bin", "sind", "wurden", "markiert", "ist"),
    "state_noun": ("sind", "habe"),
    "with": (
        *("mit", "mit einem", "mit einer", "mit dem", "mit der", "deren", "wo", ", deren"),
        *("wo der", "wo die", "wo das", ", bei denen das", "bei denen das"),
    ),
    "is": ("ist", "=", ":", "heißt", "enthält", "lautet", "von"),
    "equal": ("=", ":", "von", "gleich", "von genau", "von exakt"),
    "more": (
        *("über", "mehr als", "von über", "von mehr als", "höher als", "größer als", ">"),
        *("oberhalb von",),
    ),
    "at_least": ("mindestens", "von mindestens", "ab", "von ab", ">=", "≥"),
    "less": ("unter", "weniger als", "von unter", "von weniger als", "niedriger als", "<"),
    "at_most": ("höchstens", "von höchstens", "maximal", "bis", "bis zu", "von bis zu", "<=", "≤"),
    "unit": ("euro", "eur", "€", "franken", "chf", "dollar", "usd", "im jahr", "pro jahr"),
    "order_by": (
        *("sortiert nach", "geordnet nach", "nach", "sortiert nach dem", "sortiert nach der"),
        *("sortiere nach",),
    ),
    "rising": ("aufsteigend", "von a bis z", "niedrigstes zuerst"),
    "falling": ("absteigend", "von z bis a", "höchstes zuerst"),
    "newest_first": (
        *("neueste zuerst", "neuste zuerst", "die neuesten zuerst", "nach datum"),
        *("sortiert nach datum", "neueste oben"),
    ),
    "oldest_first": ("älteste zuerst", "die ältesten zuerst"),
    "dates": (
        *("heute", "gestern", "morgen", "montag", "dienstag", "mittwoch", "donnerstag", "freitag"),
        *("samstag", "sonntag", "januar", "februar", "märz", "april", "mai", "juni", "juli"),
        *("august", "september", "oktober", "november", "dezember", "woche", "monat", "jahr"),
    ),
    "joints": ("und", "oder", "aber", "nicht", "kein", "keine", "wenn", "falls", "außer", "ohne"),
}

NEVER_NAMES: Final = frozenset(
    """
    ab aber alle allen alles als alt alte alten am an andere anderen anderer angebot
    ansprechpartner arbeit art auch auf aufgabe aus außer bald basis bei beide beiden beispiel
    beruf beschreibung besser beste besten bewerbung bin bis büro chance chancen da dabei damit
    danach dann das datum davon dein deine dem den denen der deren des detail details deutsch die
    dienst diese diesem diesen dieser dieses doch dort du durch eigene ein eine einem einen einer
    eines einige er erfahrung erste ersten es etwas fall familie festanstellung firma frage frau
    freizeit freund freunde führung für ganz geld genau gespräch gestern gleiche gleichen gleitzeit
    groß große gute guten halb haupt hause heute hier hilfe homeoffice ich ihr ihre im immer in
    info ist jahr jede jeden jetzt jobs kein keine kollege kontakt krankheit können lang lebenslauf
    leitung letzte letzten liste lücke mal man mann mehr mein meine mich mir mit mittwoch monat
    montag morgen möglich nach name neben neu neue neuen neuer nicht nichts noch nur ob oder offen
    offene offenen ohne ort paar passende passenden perfekte perfekten person platz praktikum
    problem profil projekt punkt richtige richtigen schicht schön sein seine seit selbst sich sie
    so sofort solche soll stadt start status stelle stellen stunde suche tag team teil teilzeit
    text thema tipp traum um und uns unter unterlagen vertrag viel viele vollzeit vom von vor wann
    warum was weg weiter welche welt wenn wer werkstudent wert wie wieder wir wo woche wohnung
    wunsch zeit ziel zu zukunft zum zur zusage zwei zweite
    """.split()
)

GERMAN: Final = Language(
    name="german",
    rules=RULES,
    phrases=PHRASES,
    owning=frozenset({"mine", "have_any", "own_clause", "own_link"}),
    contractions={},
    endings={},
    numbers={
        word: value
        for value, word in enumerate(
            "ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split(), start=1
        )
        if value > 1
    }
    | {"fünfzehn": 15, "zwanzig": 20},
    never_names=NEVER_NAMES,
    never_alone=frozenset(),
    vague_endings=("ung", "heit", "keit", "ige", "igen", "liche", "lichen", "ende", "enden"),
    state_endings=(),
    vague_values=frozenset(),
    list_plurals=lambda word: (word,),
    is_plural=is_plural,
    list_base_forms=lambda word: (),
    inflect=inflect,
    has_decimal_comma=True,
    splits_compounds=True,
    has_small_names=False,
    nouns_have_capitals=True,
)
