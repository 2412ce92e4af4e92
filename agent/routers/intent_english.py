"""English for the intent rules."""

from __future__ import annotations

from typing import Final

from .intent_language import Language, Rule


def list_plurals(word: str) -> tuple[str, ...]:
    """The plural forms of a noun.

    >>> list_plurals("entry"), list_plurals("box"), list_plurals("day")
    (('entries',), ('boxes',), ('days',))
    """
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return (word + "es",)
    if word.endswith("y") and word[-2:-1] not in ("a", "e", "i", "o", "u"):
        return (word[:-1] + "ies",)
    return (word + "s",)


def is_plural(word: str) -> bool:
    """Whether a word looks like a plural.

    >>> [is_plural(word) for word in ("boxes", "status", "boss", "box")]
    [True, False, False, False]
    """
    return len(word) > 2 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def list_base_forms(word: str) -> tuple[str, ...]:
    """What a regular participle may come from; wrong guesses match nothing.

    >>> list_base_forms("tried"), list_base_forms("saved"), list_base_forms("planned")
    (('try',), ('sav', 'save'), ('plann', 'planne', 'plan'))
    """
    if word.endswith("ied"):
        return (word[:-3] + "y",)
    if not word.endswith("ed"):
        return ()
    stem = word[:-2]
    doubled = len(stem) > 2 and stem[-1] == stem[-2]
    return (stem, stem + "e", stem[:-1]) if doubled else (stem, stem + "e")


# Every pattern has a verb or a question word: "thing 3" or "my things" alone may be the answer to a
# question that an earlier run asked, and this one knows nothing of it.
RULES: Final = (
    Rule("how_many", "count", "tell? how_many MANY CLAUSES"),
    Rule("number_of", "count", "ask? number_of MANY CLAUSES"),
    Rule("count", "count", "count MANY CLAUSES", takes_bare=True),
    Rule("count_noun", "count", "ask mine NOUN count_noun"),
    Rule("any", "count", "have_any|are_any MANY CLAUSES"),
    Rule("list", "list", "list a_list_of? MANY CLAUSES", takes_bare=True),
    Rule("show", "list", "show a_list_of? MANY CLAUSES"),
    Rule("what_are", "list", "what_are MANY CLAUSES"),
    Rule("which", "list", "which MANY CLAUSES"),
    Rule("open", "lookup", "show|open ONE CLAUSES"),
    Rule("who_is", "lookup", "who_is ONE CLAUSES"),
    Rule("field_of", "lookup", "ask the? FIELD of ONE CLAUSES"),
)

PHRASES: Final[dict[str, tuple[str, ...]]] = {
    # around the sentence
    "opener": (
        *("please", "pls", "kindly", "hey", "hi", "hello", "hey there", "hi there", "ok", "okay"),
        *("alright", "so", "well", "just", "quickly", "quick question", "thanks", "thank you"),
        *("good morning", "good afternoon", "good evening", "can you", "could you", "would you"),
        *("will you", "i want you to", "i would like you to", "i need you to", "now"),
    ),
    "closer": (
        *("please", "pls", "plz", "thanks", "thank you", "thx", "cheers", "for me", "right now"),
        *("now", "at the moment", "currently", "so far", "in total", "altogether", "overall"),
        *("again", "exactly", "will you", "would you", "asap"),
    ),
    # heads of sentences
    "tell": ("tell me", "show me", "do you know", "i want to know", "i would like to know"),
    "how_many": ("how many", "how many of", "exactly how many", "how many total"),
    "number_of": (
        *("number of", "the number of", "total number of", "the total number of", "count of"),
        *("the count of", "a count of", "the total count of", "the total of"),
    ),
    "count": ("count", "count up", "tally", "count how many"),
    "count_noun": ("count", "total"),
    "have_any": ("do i have any", "have i got any", "do i currently have any"),
    "are_any": ("are there any",),
    "list": ("list", "list out", "list me", "list for me", "enumerate"),
    "show": (
        *("show", "show me", "give me", "display", "view", "see", "print"),
        *("pull up", "bring up", "let me see", "can i see", "could i see", "may i see"),
        *("i want to see", "i would like to see", "i need to see", "can i have", "let me have"),
    ),
    "a_list_of": (
        *("a list of", "the list of", "the full list of", "a full list of", "an overview of"),
        *("a list with",),
    ),
    "what_are": ("what are", "what is", "who are", "which are", "which is"),
    "which": ("which", "what", "which of", "which ones of"),
    "open": (
        *("open", "open up", "find", "find me", "look up", "tell me about", "tell me more about"),
        *("details of", "details on", "details about", "details for", "the details of"),
        *("show me details of", "show me the details of", "show me the details for"),
        *("show me details about", "show me details on", "give me details on"),
        *("give me the details of", "give me the details on", "what do i have on"),
        *("what do i have about", "show me what i have on", "show me everything about"),
    ),
    "who_is": ("who is",),
    "ask": ("what is", "what are", "show me", "give me", "tell me", "check", "get me", "look up"),
    "of": ("of", "for", "on"),
    # noun phrases
    "mine": ("my", "all my", "all of my", "my own", "all of my own"),
    "whole": ("all",),
    "the": ("the", "all the", "all of the"),
    "named": ("named", "called", "with the name", "by the name of"),
    "number": ("number", "no", "no.", "nr", "id", "with id", "with the id"),
    "newest": ("newest", "latest", "most recent", "most recently added", "recent"),
    "oldest": ("oldest", "earliest", "least recent"),
    "last": ("last",),
    "top": ("top",),
    "highest": ("highest", "best", "most", "largest", "biggest"),
    "lowest": ("lowest", "least", "smallest", "worst"),
    # clauses
    "own_clause": (
        *("do i have", "i have", "have i", "have i got", "i have got", "that i have"),
        *("do i currently have", "i currently have", "that i currently have"),
        *("am i tracking", "i am tracking", "do i track", "are in my list", "in my list"),
        *("on my list", "are on my list", "that i am tracking", "did i get", "i got"),
    ),
    "filler": ("are there", "there are", "so far", "in total", "currently", "right now"),
    "own_link": (
        *("i", "that i", "which i", "have i", "i have", "that i have", "which i have", "am i"),
        *("i am", "that i am", "have i been", "i have been", "that i have been", "was i", "i was"),
        *("that i was", "i got", "that i got", "did i get", "did i get an", "did i get a"),
        *("where i", "where i have", "where i am", "where i was", "where i have been"),
        *("i have got", "that i have got", "i have already", "have i already", "i already"),
        *(
            "i am currently",
            "am i currently",
            "i got an",
            "i have an",
            "do i have an",
            "where i have an",
        ),
        *("where i got", "where i got an", "that i have already"),
    ),
    # Of these, the ones that leave the deed to others: "the ones I was rejected by".
    "passive_link": (
        *("am i", "i am", "that i am", "have i been", "i have been", "that i have been", "was i"),
        *("i was", "that i was", "where i was", "where i have been", "where i am"),
        *("i got", "that i got", "did i get", "where i got", "am i currently", "i am currently"),
    ),
    "did_link": ("did i", "did i already"),
    "stored": ("added", "stored", "tracked", "recorded", "created", "entered", "saved", "logged"),
    "link": (
        *(
            "that are",
            "which are",
            "who are",
            "are",
            "are still",
            "is",
            "that is",
            "that were",
            "were",
            "with",
        ),
        *("that have been", "have been", "with a", "with an", "marked", "marked as", "that have"),
        *("that are marked", "that are marked as", "are marked as", "that", "which", "that have a"),
        *("that have an", "have", "are in", "are in the", "in the", "that are in", "are currently"),
        *("that are in the", "that are currently", "have an", "have a", "which have been"),
    ),
    "stranded": ("to", "for", "at", "by", "from", "with", "me"),
    "state_noun": ("state", "stage", "status", "phase"),
    "with": (
        *("with", "with a", "with an", "with the", "whose", "where", "where the", "having"),
        *("that have", "that have a", "which have", "which have a", "have a", "have", "that are"),
        *("which are", "are"),
        *("that is", "is", "that", "which", "who"),
    ),
    "is": (
        *("is", "=", ":", "of", "contains", "containing", "like", "includes", "including"),
        *("is called", "named", "called", "equal to", "is equal to", "equals", "matching"),
    ),
    "equal": ("is", "=", ":", "of", "equal to", "is equal to", "equals", "of exactly"),
    "more": (
        *("over", "above", "more than", "greater than", "higher than", ">", "is over"),
        *("is above", "is more than", "of more than", "of over", "is greater than", "exceeding"),
    ),
    "at_least": ("at least", ">=", "of at least", "is at least", "from", "starting at", "≥"),
    "less": (
        *("under", "below", "less than", "lower than", "<", "is under", "is below"),
        *("is less than", "of less than", "of under"),
    ),
    "at_most": ("at most", "<=", "of at most", "is at most", "up to", "of up to", "≤"),
    # orders
    "order_by": ("sorted by", "sort by", "ordered by", "order by", "by", "ranked by"),
    "rising": ("ascending", "asc", "lowest first", "low to high", "a to z", "a-z"),
    "falling": ("descending", "desc", "highest first", "high to low", "z to a", "z-a"),
    "newest_first": (
        *("newest first", "latest first", "most recent first", "newest to oldest", "by newest"),
        *("sorted by newest", "sorted by date", "by date", "sorted by newest first"),
        *("with the newest first", "sorted by most recent"),
    ),
    "oldest_first": (
        *("oldest first", "earliest first", "oldest to newest", "by oldest", "sorted by oldest"),
        *("sorted by oldest first", "with the oldest first"),
    ),
    "of_name": (),
    "received": ("received", "gotten"),
    "unit": ("dollars", "usd", "euros", "eur", "€", "$", "pounds", "gbp", "a year", "per year"),
    # Explained by no pattern: their presence, capital or not, is for the model.
    "dates": (
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january"),
        *("february", "march", "april", "june", "july", "august", "september", "october"),
        *("november", "december", "christmas", "easter", "q1", "q2", "q3", "q4"),
    ),
    "joints": ("and", "or", "but", "not", "nor", "if", "unless", "except", "versus", "vs", "then"),
}

OWNING: Final = frozenset(
    {"mine", "have_any", "own_clause", "own_link", "passive_link", "did_link"}
)

CONTRACTIONS: Final = {
    "whats": "what is",
    "what's": "what is",
    "whos": "who is",
    "who's": "who is",
    "that's": "that is",
    "ive": "i have",
    "im": "i am",
    "gimme": "give me",
    "lemme": "let me",
    "u": "you",
}
ENDINGS: Final = {"'ve": "have", "'re": "are", "'m": "am", "'d": "would", "n't": "not"}

NUMBERS: Final = {
    word: value
    for value, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), start=1
    )
} | {"fifteen": 15, "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100}

NEVER_NAMES: Final = frozenset(
    """
    a about across actual actually after again against ago all almost along already also although
    always among amount an another any anybody anyone anything anywhere around as ask at available
    average away awesome bad bare basic because become been before begin being better between
    beyond big bit blank board boring both bottom brief bring broken bunch busy buy by call can
    cannot cant care case certain change changed cheap check chosen clear clever close closed cold
    common complete cool correct could couldnt country crazy cream current cute daily dare date
    day days deadline dear decent deep delete desc description detail details did didnt different
    difficult direct do does doesnt done dont double down draft dream due duplicate during each
    earlier early easy eight either else email empty enough entire error even ever every everybody
    everyone everything everywhere exact exciting explain export fair fake false famous far fast
    favorite favourite few file fill final fine firm firms first fit flexible folks follow
    following fond foreign former forward free fresh friend from fun further future generic given
    go goal goals going good got great group guess guy guys had half hard has hasnt have havent
    having he help her here hers high him himself his history hit home hot hour hours how however
    huge hundred i idea ideal idle image important in info information inside instead intense
    interesting into invalid isnt it item items its itself join keep kind know known large largest
    last late later latest least leave left less let like line link links little live local long
    longer look lot lots lousy love low lowest lucky made mail main major make many map market
    matching may maybe me mean medium meeting mentor message middle might mine minor minute
    minutes missing mode month monthly months more morning most move much must my myself name
    named names near nearby nearest need needs never new news next nice night no nobody noise none
    nor normal not note notes nothing now nowhere number occupation odd off often okay old older
    on once one ones only onto open option options order other others ought our ours out outside
    over overall own page pages paid part past path pay people per percent perfect perhaps
    permanent person personal phone photo picture piece place places plan please point poor
    possible post posted posting postings potential pretty previous private problem profile
    promising proper public quality question questions quick quiet quite random range rather ready
    real really reason recent regular related relevant reply report rest result results rich right
    risk rough round routine rule run sad safe said same say scam school score search second see
    seem self sent set several shall she short should shouldnt side similar simple since site
    situation size skill slow small so solid some somebody someone something sometimes somewhere
    soon sorry sort source spam special specific start startup state status steady step still stop
    strange street strong stuff such suggest summary super sure table take talk tech temporary ten
    term than thanks that the their theirs them themselves then there these they thing things
    third this those though three through time times tiny title to today together tomorrow tonight
    too top total tough town true two type typical under unique university until unusual up update
    upon upper urgent us use used useful user usual vacant valid various very view wait want warm
    was wasnt way we wealthy weather website week weekend weekly weeks weird well went were werent
    what whatever when where whether which while who whole whom whose why wild will window wish
    with within without woman women wont work worker workplace world worse worst would wouldnt
    write wrong yeah year yearly years yes yesterday yet you young your yours yourself
    """.split()
)

NEVER_ALONE: Final = frozenset(
    "senior junior lead data web full front back end technical team general level staff".split()
)

ENGLISH: Final = Language(
    name="english",
    rules=RULES,
    phrases=PHRASES,
    owning=OWNING,
    contractions=CONTRACTIONS,
    endings=ENDINGS,
    numbers=NUMBERS,
    never_names=NEVER_NAMES,
    never_alone=NEVER_ALONE,
    vague_endings=("ed", "ing", "est", "able", "ible", "ly", "ful", "less", "ier"),
    state_endings=("ed", "ing"),
    vague_values=frozenset({"other", "others", "none", "any", "all", "more"}),
    list_plurals=list_plurals,
    is_plural=is_plural,
    list_base_forms=list_base_forms,
)
