"""French for the intent rules."""

from __future__ import annotations

from typing import Final

from .intent_language import Language, Rule


def inflect(word: str) -> tuple[str, ...]:
    """A participle or adjective in gender and number.

    >>> inflect("refusé")
    ('refusé', 'refusée', 'refusés', 'refusées')
    """
    return (word, word + "e", word + "s", word + "es")


def is_plural(word: str) -> bool:
    return len(word) > 3 and word.endswith(("s", "x"))


RULES: Final = (
    Rule("combien", "count", "tell? how_many MANY CLAUSES"),
    Rule("nombre_de", "count", "ask? number_of MANY CLAUSES"),
    Rule("compte", "count", "count MANY CLAUSES", takes_bare=True),
    Rule("ai_je", "count", "have_any MANY CLAUSES"),
    Rule("liste", "list", "list a_list_of? MANY CLAUSES", takes_bare=True),
    Rule("montre", "list", "show a_list_of? MANY CLAUSES"),
    Rule("quels_sont", "list", "what_are MANY CLAUSES"),
    Rule("quels", "list", "which MANY CLAUSES"),
    Rule("ouvre", "lookup", "show|open ONE CLAUSES"),
    Rule("qui_est", "lookup", "who_is ONE CLAUSES"),
    Rule("champ_de", "lookup", "ask the? FIELD of ONE CLAUSES"),
)

PHRASES: Final[dict[str, tuple[str, ...]]] = {
    "opener": (
        *("bonjour", "salut", "coucou", "bonsoir", "ok", "d'accord", "merci", "bon", "alors"),
        *("s'il te plaît", "s'il vous plaît", "stp", "svp", "maintenant"),
    ),
    "closer": (
        *("s'il te plaît", "s'il vous plaît", "stp", "svp", "merci", "actuellement", "maintenant"),
        *("en ce moment", "pour l'instant", "en tout", "au total", "jusqu'ici", "pour le moment"),
    ),
    "tell": (
        *("dis-moi", "dites-moi", "dis moi", "peux-tu me dire", "pouvez-vous me dire"),
        *("pourrais-tu me dire", "je veux savoir", "je voudrais savoir", "sais-tu"),
        *("tu peux me dire", "j'aimerais savoir"),
    ),
    "how_many": (
        *("combien de", "combien", "à combien de", "pour combien de", "combien de mes"),
        *("combien parmi", "dans combien de"),
    ),
    "number_of": (
        *("le nombre de", "nombre de", "le nombre total de", "nombre total de", "le total de"),
    ),
    "count": ("compte", "comptez", "compte-moi", "compter"),
    "have_any": (
        *("ai-je des", "ai-je", "est-ce que j'ai des", "est-ce que j'ai", "ai-je déjà des"),
        *("ai-je de", "ai-je reçu des"),
    ),
    "list": (
        *("liste", "listez", "liste-moi", "liste moi", "lister", "énumère", "énumère-moi"),
        *("fais la liste de", "fais-moi la liste de", "dresse la liste de", "fais une liste de"),
    ),
    "show": (
        *("montre", "montre-moi", "montre moi", "montrez-moi", "affiche", "affiche-moi"),
        *("affichez", "afficher", "donne-moi", "donne moi", "donnez-moi", "voir", "fais-moi voir"),
        *("je veux voir", "je voudrais voir", "j'aimerais voir", "je souhaite voir"),
        *("peux-tu me montrer", "pourrais-tu me montrer", "peux-tu afficher", "puis-je voir"),
        *("pouvez-vous me montrer", "tu peux me montrer", "peux-tu lister"),
    ),
    "a_list_of": (
        *("la liste de", "une liste de", "la liste complète de", "un aperçu de", "la liste avec"),
    ),
    "what_are": ("quels sont", "quelles sont", "qui sont"),
    "which": (
        *("quels", "quelles", "à quels", "à quelles", "pour quels", "pour quelles"),
        *("lesquels de", "lesquelles de", "lesquels parmi"),
    ),
    "open": (
        *("ouvre", "ouvre-moi", "ouvrez", "trouve", "parle-moi de", "parle moi de"),
        *("les détails de", "montre-moi les détails de", "donne-moi les détails de"),
        *("détails de", "affiche les détails de", "où en est"),
    ),
    "who_is": ("qui est",),
    "ask": ("quel est", "quelle est", "donne-moi", "dis-moi", "montre-moi", "affiche"),
    "of": ("de", "pour"),
    "mine": ("mes", "tous mes", "toutes mes", "de mes", "ma", "mon", "l'ensemble de mes"),
    "whole": ("tous les", "toutes les"),
    "the": ("le", "la", "les"),
    "named": ("nommé", "nommée", "appelé", "appelée", "du nom de"),
    "of_name": ("de",),
    "number": ("numéro", "n°", "no", "num", "avec le numéro", "id"),
    "newest": ("récentes", "récents", "nouvelles"),
    "last": ("derniers", "dernières"),
    "top": ("top",),
    "own_clause": (
        *("ai-je", "j'ai", "que j'ai", "est-ce que j'ai", "dans ma liste", "ai-je dans ma liste"),
        *("j'ai dans ma liste", "que j'ai dans ma liste", "dans mon suivi", "ai-je en tout"),
        *("que je suis", "sont dans ma liste", "y a-t-il dans ma liste"),
    ),
    "filler": ("en tout", "au total", "actuellement", "maintenant"),
    "own_link": (
        *("ai-je", "j'ai", "que j'ai", "est-ce que j'ai", "ai-je déjà", "j'ai déjà", "suis-je"),
        *("auxquels j'ai", "auxquelles j'ai", "pour lesquels j'ai", "pour lesquelles j'ai"),
        *("que j'ai déjà", "où je suis", "je suis", "ai-je été", "j'ai été", "où j'ai été"),
    ),
    "passive_link": ("ai-je été", "j'ai été", "que j'ai été", "où j'ai été"),
    "stored": ("ajoutés", "ajoutées", "ajouté", "créés", "créées"),
    "received": ("reçus", "reçues", "reçu", "reçue"),
    "link": (
        *("sont", "ont été", "qui sont", "qui ont été", "avec", "avec une", "encore", "au statut"),
        *("avec le statut", "sont encore", "en", "sont en"),
    ),
    "with": (
        *("avec", "avec un", "avec une", "dont le", "dont la", "avec le", "qui ont un"),
        *("ayant un",),
    ),
    "is": ("est", "=", ":", "de", "contient"),
    "equal": ("=", ":", "de", "égal à", "d'exactement"),
    "more": (
        *("supérieur à", "supérieure à", "supérieurs à", "de plus de", "plus de", ">"),
        *("plus élevé que", "au-dessus de"),
    ),
    "at_least": ("au moins", "d'au moins", "minimum", "à partir de", ">=", "≥"),
    "less": (
        *("inférieur à", "inférieure à", "inférieurs à", "de moins de", "moins de", "<"),
        *("en dessous de",),
    ),
    "at_most": ("au plus", "d'au plus", "maximum", "jusqu'à", "d'au maximum", "<=", "≤"),
    "unit": ("euros", "euro", "eur", "€", "dollars", "chf", "par an", "francs"),
    "order_by": (
        *("triés par", "triées par", "trié par", "triée par", "classés par", "classées par"),
        *("par", "ordonnés par", "ordonnées par"),
    ),
    "rising": ("croissant", "par ordre croissant", "de a à z"),
    "falling": ("décroissant", "par ordre décroissant", "de z à a"),
    "newest_first": (
        *("les plus récentes", "les plus récents", "plus récentes", "plus récents", "par date"),
        *("les plus récents en premier", "les plus récentes en premier", "triés par date"),
        *("triées par date", "récentes", "récents"),
    ),
    "oldest_first": (
        *("les plus anciennes", "les plus anciens", "les plus anciens en premier"),
        *("les plus anciennes en premier",),
    ),
    "joints": (
        *("et", "ou", "mais", "ne", "pas", "sans", "si", "sauf", "ni", "quand", "parce"),
        *("aujourd'hui", "hier", "demain", "semaine", "mois", "année", "lundi", "mars"),
    ),
}

FRENCH: Final = Language(
    name="french",
    rules=RULES,
    phrases=PHRASES,
    owning=frozenset({"mine", "have_any", "own_clause", "own_link", "passive_link"}),
    contractions={"du": "de le", "au": "a le", "aux": "a les"},
    endings={},
    numbers={
        word: value
        for value, word in enumerate(
            "deux trois quatre cinq six sept huit neuf dix onze douze".split(), start=2
        )
    }
    | {"quinze": 15, "vingt": 20},
    never_names=frozenset(),  # small words are none at all
    never_alone=frozenset(),
    vague_endings=(),
    state_endings=(),
    vague_values=frozenset(),
    list_plurals=lambda word: (word,),
    is_plural=is_plural,
    list_base_forms=lambda word: (),
    beginnings={
        "d'": "de",
        "j'": "je",
        "l'": "le",
        "qu'": "que",
        "s'": "se",
        "n'": "ne",
        "m'": "me",
    },
    inflect=inflect,
    drops_accents=True,
    has_decimal_comma=True,
    adjectives_follow=True,
    has_small_names=False,
)
