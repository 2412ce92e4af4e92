"""Read whether a person's reply agrees to a pending question: for every channel of plain text.

Only a reply that is nothing but a short consent or refusal decides. All else decides nothing, and
its question stays open. Give it what the user typed, never text of a file, a tool or a model.
"""

from __future__ import annotations

import unicodedata
from typing import Final

MAX_CHARS: Final = 80
# By language: what agrees, and what refuses. Each line is read as phrases between commas.
_AGREES: Final = {
    "english": """
    yes, y, yep, yeah, yup, sure, sure thing, ok, okay, go ahead, go for it, do it, do that, do so,
    please do, proceed, confirm, confirmed, i confirm, approve, approved, i approve, accept,
    accepted, i accept, agreed, i agree, of course, certainly, absolutely, definitely, by all means,
    sounds good, looks good, alright, all right, thats fine, that is fine, fine by me, you may
    """,
    "german": """
    ja, jo, jep, jawohl, klar, na klar, gerne, gern, einverstanden, mach es, mach das, machs,
    mach mal, machen sie das, tu es, in ordnung, passt, passt so, naturlich, selbstverstandlich,
    auf jeden fall, leg los, nur zu, bestatigt, ich bestatige, genehmigt, ich stimme zu
    """,
    "spanish": """
    si, claro, claro que si, vale, de acuerdo, adelante, hazlo, hagalo, por supuesto, esta bien,
    confirmo, confirmado, apruebo, aprobado, acepto, dale, desde luego
    """,
    "french": """
    oui, ouais, daccord, bien sur, vas y, allez y, fais le, faites le, ca marche, entendu,
    je confirme, confirme, japprouve, approuve, jaccepte, volontiers, absolument, certainement
    """,
    "signs": "👍, ✅",
}
_REFUSES: Final = {
    "english": """
    no, n, nope, nah, no way, dont, do not, dont do it, do not do it, dont do that, do not do that,
    stop, deny, denied, decline, declined, i decline, reject, rejected, refuse, i refuse, not now,
    not yet, never mind, nevermind, leave it, rather not, better not, id rather not, absolutely not,
    of course not, certainly not
    """,
    "german": """
    nein, nee, no, nicht, mach es nicht, mach das nicht, tu es nicht, lieber nicht, besser nicht,
    lass es, lass das, auf keinen fall, abgelehnt, ich lehne ab, jetzt nicht, noch nicht,
    naturlich nicht, keinesfalls
    """,
    "spanish": """
    no, mejor no, no lo hagas, no lo haga, ahora no, todavia no, dejalo, rechazo, rechazado,
    de ninguna manera, claro que no, por supuesto que no
    """,
    "french": """
    non, ne le fais pas, ne le faites pas, pas maintenant, surtout pas, plutot pas, pas encore,
    laisse tomber, laissez tomber, refuse, je refuse, bien sur que non, pas du tout
    """,
    "signs": "👎, ❌",
}
# What may stand beside either.
_POLITE: Final = """
    please, pls, thanks, thank you, thx, bitte, danke, vielen dank, por favor, gracias, merci,
    sil te plait, sil vous plait
"""


def _fold(text: str) -> tuple[str, ...]:
    """Split a text into words, without case, accents, apostrophes and punctuation.

    >>> _fold("D’accord, vas-y !")
    ('daccord', 'vas', 'y')
    """
    plain = unicodedata.normalize("NFKD", text.casefold().replace("ß", "ss"))
    # U+FE0F, which may follow an emoji, only asks for its coloured form.
    kept = (sign for sign in plain if not unicodedata.combining(sign) and sign not in "'’`\ufe0f")
    signs = ("👍", "✅", "👎", "❌")
    words = (s if s.isalnum() else f" {s} " if s in signs else " " for s in kept)
    return tuple("".join(words).split())


def _read_phrases(*texts: str) -> frozenset[tuple[str, ...]]:
    """Read comma-separated phrases, each as its folded words."""
    return frozenset(_fold(phrase) for text in texts for phrase in text.split(","))


_YES: Final = _read_phrases(*_AGREES.values())
_NO: Final = _read_phrases(*_REFUSES.values())
_BESIDE: Final = _read_phrases(_POLITE)
_LONGEST: Final = max(map(len, _YES | _NO | _BESIDE))


def read_consent(text: str) -> bool | None:
    """Read a reply to a pending approval as yes (True) or no (False); None if unclear.

    >>> [read_consent(text) for text in ("Yes please!", "ok", "sure, do it", "mach das", "oui")]
    [True, True, True, True, True]
    >>> [read_consent(text) for text in ("don't", "no thanks", "Nein, lieber nicht.")]
    [False, False, False]
    >>> [read_consent(text) for text in ("yes?", "no, make it 3", "yes or no", "please", "yes no")]
    [None, None, None, None, None]
    """
    # A question is no consent, and a long reply may hold one in a condition.
    if len(text) > MAX_CHARS or set(text) & {"?", "¿", "？"}:
        return None
    words = _fold(text)
    refuses, agrees = _is_made_of(words, _NO), _is_made_of(words, _YES)
    # Both: "yes no". Neither: anything else.
    return None if refuses == agrees else agrees


def _is_made_of(words: tuple[str, ...], phrases: frozenset[tuple[str, ...]]) -> bool:
    """Whether the words are only these phrases (at least one) and polite words between them."""
    reached: dict[int, bool] = {0: False}  # by how many words: whether one of the phrases was there
    for end in range(1, len(words) + 1):
        for begin in range(max(0, end - _LONGEST), end):
            part = words[begin:end]
            if begin in reached and (part in phrases or part in _BESIDE):
                reached[end] = reached.get(end, False) or reached[begin] or part in phrases
    return reached.get(len(words), False)
