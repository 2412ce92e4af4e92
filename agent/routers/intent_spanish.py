"""Spanish for the intent rules."""

from __future__ import annotations

from typing import Final

from .intent_language import Language, Rule


def inflect(word: str) -> tuple[str, ...]:
    """A participle or adjective in gender and number.

    >>> inflect("guardado"), inflect("presencial")
    (('guardado', 'guardada', 'guardados', 'guardadas'), ('presencial', 'presenciales'))
    """
    if word.endswith("o"):
        return (word, word[:-1] + "a", word + "s", word[:-1] + "as")
    return (word, word + ("s" if word.endswith(("a", "e", "i", "u")) else "es"))


def is_plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s")


RULES: Final = (
    Rule("cuantos", "count", "tell? how_many MANY CLAUSES"),
    Rule("numero_de", "count", "ask? number_of MANY CLAUSES"),
    Rule("cuenta", "count", "count MANY CLAUSES", takes_bare=True),
    Rule("tengo", "count", "have_any MANY CLAUSES"),
    Rule("tengo_algun", "count", "have_one NOUN CLAUSES"),
    Rule("lista", "list", "list a_list_of? MANY CLAUSES", takes_bare=True),
    Rule("muestra", "list", "show a_list_of? MANY CLAUSES"),
    Rule("cuales_son", "list", "what_are MANY CLAUSES"),
    Rule("que", "list", "which MANY CLAUSES"),
    Rule("abre", "lookup", "show|open ONE CLAUSES"),
    Rule("quien_es", "lookup", "who_is ONE CLAUSES"),
    Rule("campo_de", "lookup", "ask the? FIELD of ONE CLAUSES"),
)

PHRASES: Final[dict[str, tuple[str, ...]]] = {
    "opener": (
        *("¿", "¡", "por favor", "hola", "buenas", "buenos días", "buenas tardes", "oye", "ok"),
        *("vale", "bien", "gracias", "ahora", "perdona"),
    ),
    "closer": (
        *("por favor", "gracias", "porfa", "ahora", "ahora mismo", "actualmente", "en total"),
        *("hasta ahora", "de momento", "por ahora", "!", "?"),
    ),
    "tell": (
        *("dime", "dígame", "puedes decirme", "me puedes decir", "me dices", "podrías decirme"),
        *("quiero saber", "quisiera saber", "me gustaría saber", "sabes", "cuéntame"),
    ),
    "how_many": (
        *("cuántos", "cuántas", "a cuántos", "a cuántas", "para cuántos", "para cuántas"),
        *("en cuántos", "en cuántas", "cuántos de", "cuántas de"),
    ),
    "number_of": (
        *("el número de", "número de", "el número total de", "la cantidad de", "cantidad de"),
        *("el total de",),
    ),
    "count": ("cuenta", "cuéntame", "cuente", "contar", "haz un recuento de"),
    # Without the question mark this is a statement.
    "have_any": ("¿ tengo", "¿ tengo algunos", "¿ tengo algunas"),
    "have_one": ("¿ tengo algún", "¿ tengo alguna"),
    "list": (
        *("lista", "lístame", "liste", "listar", "enumera", "enumérame", "haz una lista de"),
        *("hazme una lista de", "haz una lista con"),
    ),
    "show": (
        *("muéstrame", "muestra", "muéstreme", "mostrar", "enséñame", "enseña", "dame", "ver"),
        *("quiero ver", "quisiera ver", "me gustaría ver", "déjame ver", "puedo ver", "podría ver"),
        *("puedes mostrarme", "podrías mostrarme", "me puedes mostrar", "puedes enseñarme"),
        *("me muestras", "necesito ver"),
    ),
    "a_list_of": (
        *("una lista de", "la lista de", "un listado de", "el listado de", "una lista con"),
        *("un resumen de",),
    ),
    "what_are": ("cuáles son", "quiénes son", "qué son"),
    "which": (
        *("qué", "cuáles", "cuáles de", "a qué", "en qué", "para qué", "a cuáles de"),
        *("cuál de",),
    ),
    "open": (
        *("abre", "ábreme", "abrir", "busca", "encuentra", "háblame de", "cuéntame sobre"),
        *("los detalles de", "detalles de", "muéstrame los detalles de", "dame los detalles de"),
        *("dame detalles de", "qué tengo sobre"),
    ),
    "who_is": ("quién es",),
    "ask": ("cuál es", "dime", "muéstrame", "dame", "consulta", "revisa", "qué"),
    "of": ("de",),
    "mine": ("mis", "todos mis", "todas mis", "de mis", "mi", "todos los míos"),
    "whole": ("todos los", "todas las"),
    "the": ("el", "la", "los", "las"),
    "named": ("llamado", "llamada", "con el nombre", "de nombre"),
    "of_name": ("de",),
    "number": ("número", "núm.", "nro", "nº", "con el número", "id", "con id"),
    "newest": ("más recientes", "más nuevos", "más nuevas"),
    "last": ("últimos", "últimas"),
    "top": ("top",),
    "own_clause": (
        *("tengo", "que tengo", "en mi lista", "tengo en mi lista", "hay en mi lista"),
        *("que tengo en mi lista", "tengo ahora", "tengo actualmente", "están en mi lista"),
        *("estoy siguiendo", "que estoy siguiendo"),
    ),
    "filler": ("en total", "hasta ahora", "ahora", "actualmente"),
    "own_link": (
        *("he", "que he", "me he", "ya he", "he sido", "tengo", "que tengo", "ya me he"),
        *("a los que he", "a las que he", "a los que me he", "a las que me he"),
        *("para los que he", "para las que he", "para los que me he", "para las que me he"),
        *("a los que ya he", "a las que ya he", "estoy", "en los que estoy", "en las que estoy"),
        *("tengo como", "que tengo como", "a los que", "a las que"),
    ),
    "passive_link": ("he sido",),
    "received": ("recibido", "recibidos"),
    "stored": ("añadido", "agregado", "registrado", "creado"),
    "link": (
        *(
            "son",
            "están",
            "fueron",
            "han sido",
            "que son",
            "que están",
            "que fueron",
            "que han sido",
        ),
        *("con", "con una", "con estado", "en estado", "con el estado", "en", "siguen"),
    ),
    "stranded": ("por",),
    "with": (
        *("con", "con un", "con una", "con el", "con la", "cuyo", "cuya", "que tienen un"),
        *("que tienen una", "que tienen"),
    ),
    "is": ("es", "=", ":", "de", "contiene"),
    "equal": ("=", ":", "de", "igual a", "de exactamente"),
    "more": (
        *("superior a", "superiores a", "mayor que", "mayor de", "mayor a", "de más de"),
        *("más de", "por encima de", "más alto que", ">"),
    ),
    "at_least": (
        "al menos",
        "de al menos",
        "mínimo",
        "de mínimo",
        "desde",
        "a partir de",
        ">=",
        "≥",
    ),
    "less": (
        *("inferior a", "inferiores a", "menor que", "menor de", "menor a", "de menos de"),
        *("menos de", "por debajo de", "<"),
    ),
    "at_most": ("como máximo", "de como máximo", "hasta", "de hasta", "máximo", "<=", "≤"),
    "unit": ("euros", "eur", "€", "dólares", "usd", "pesos", "al año", "anuales"),
    "order_by": (
        *("ordenados por", "ordenadas por", "ordenado por", "ordenada por", "por"),
        *("clasificados por", "clasificadas por"),
    ),
    "rising": ("ascendente", "de menor a mayor", "de la a a la z", "en orden ascendente"),
    "falling": ("descendente", "de mayor a menor", "en orden descendente"),
    "newest_first": (
        *("más recientes", "más recientes primero", "los más recientes primero", "más nuevos"),
        *("las más recientes primero", "por fecha", "ordenados por fecha", "ordenadas por fecha"),
        *("más nuevas", "los más recientes", "las más recientes"),
    ),
    "oldest_first": (
        *("más antiguos", "más antiguas", "más antiguos primero", "más antiguas primero"),
        *("los más antiguos primero", "las más antiguas primero"),
    ),
    "joints": (
        *("y", "o", "pero", "no", "sin", "si", "salvo", "excepto", "ni", "cuando", "porque"),
        *("hoy", "ayer", "mañana", "semana", "mes", "año", "lunes", "enero", "marzo"),
    ),
}

SPANISH: Final = Language(
    name="spanish",
    rules=RULES,
    phrases=PHRASES,
    owning=frozenset({"mine", "have_any", "have_one", "own_clause", "own_link", "passive_link"}),
    contractions={"del": "de el", "al": "a el"},
    endings={},
    numbers={
        word: value
        for value, word in enumerate(
            "dos tres cuatro cinco seis siete ocho nueve diez once doce".split(), start=2
        )
    }
    | {"quince": 15, "veinte": 20},
    never_names=frozenset(),  # small words are none at all
    never_alone=frozenset(),
    vague_endings=(),
    state_endings=(),
    vague_values=frozenset(),
    list_plurals=lambda word: (word,),
    is_plural=is_plural,
    list_base_forms=lambda word: (),
    inflect=inflect,
    drops_accents=True,
    has_decimal_comma=True,
    adjectives_follow=True,
    has_small_names=False,
)
