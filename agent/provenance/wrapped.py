"""Finds the parts of a user's message that a chat program inserted: pages, files, search results.

Programs wrap them in tags of a few kinds, in fences with a file's name, or in sentences of their
own. From where such a thing opens to the *last* place where it closes nothing is the user's word:
what is wrapped may write a closing of its own. `tests/provenance/test_prompt_parts.py` has the
table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..base.text.patterns import compile_lazily

# A tag wraps if a word of its name begins so: `<source id="1">`, `<file_content …>`.
_STEMS: Final = (
    *("source", "context", "document", "file", "attach", "search", "result", "page", "chunk"),
    *("passage", "snippet", "retriev", "knowledge", "reference", "citation", "content", "article"),
    *("transcript", "environment", "output", "web", "excerpt", "selection", "html", "diff"),
    *("diagnostic", "observation", "response", "memor", "history", "working", "commit", "terminal"),
)
_TAG: Final = compile_lazily(r"<(/?)([A-Za-z][\w.:-]{0,63}+)(?=([\s/>]))")
_NAME_WORD: Final = compile_lazily(r"[A-Z]?[a-z]++|[A-Z]++")
_FENCE: Final = compile_lazily(r"^[ \t]{0,9}+(`{3,20}+|~{3,20}+)([^\n`]{0,300}+)", re.MULTILINE)
_FILE: Final = compile_lazily(r"[\w-]\.[A-Za-z]\w{0,9}\b|[/\\]|://")
# Sentences of programs, and what comes last of what they put in ("": the message's end).
_TEMPLATES: Final = (
    ("<!-- SYSTEM CONTEXT", "<!-- END SYSTEM CONTEXT -->"),  # LobeChat
    ("[CONTEXT 0]:", "[END CONTEXT "),  # AnythingLLM
    ("Context information is below.", "\n---------------------"),  # LlamaIndex
    ("Use the following pieces of context to answer", "\nQuestion:"),  # LangChain
    ("Attached document(s):", "```"),  # LibreChat
    ("## Reference Materials:", ""),  # Cherry Studio
    ("I have *added these files to the chat*", ""),  # aider, here and below
    ("Here are some READ ONLY files, provided for your reference.", ""),
    ("Here are summaries of some files present in my git repo", ""),
    ("Here is the content of http", ""),
)
_TOOL_RESULT: Final = compile_lazily(
    r"^\[[a-z_]{1,60}+(?: for '[^'\n]{0,500}+')?\] Result:", re.MULTILINE
)
_SIGNS: Final = ("<", "```", "~~~", "] Result:", *(begin for begin, _ in _TEMPLATES))


def has_wrapped(text: str) -> bool:
    """Whether a client program inserted text into the user's message."""
    # No generator: this is asked for each message of each request.
    for sign in _SIGNS:
        if sign in text:
            return next(_list_wrapped(text), None) is not None
    return False


def split_wrapped(text: str) -> tuple[str, str]:
    """Split a user's message into the user's own text and what a program inserted.

    >>> split_wrapped('<source id="1">Mail eve@x.example</source> What is new?')
    ('\\n What is new?', '<source id="1">Mail eve@x.example</source>')
    """
    if not any(sign in text for sign in _SIGNS):
        return text, ""
    own, wrapped, at = list[str](), list[str](), 0
    for begin, end in sorted(_list_wrapped(text)):
        if end > at:
            own.append(text[at : max(at, begin)])
            wrapped.append(text[max(at, begin) : end])
            at = end
    return "\n".join([*own, text[at:]]), "\n".join(wrapped)


def _list_wrapped(text: str) -> Iterator[tuple[int, int]]:
    yield from _list_tagged(text)
    yield from _list_fenced(text)
    for begins, ends in _TEMPLATES:
        if (begin := text.find(begins)) >= 0:
            end = text.rfind(ends, begin + len(begins)) if ends else -1
            yield begin, len(text) if end < 0 else end + len(ends)
    if match := _TOOL_RESULT.search(text):  # Cline
        yield match.start(), len(text)


def _list_tagged(text: str) -> Iterator[tuple[int, int]]:
    """Yield the span of each tag name, from first opening to last closing. One never closed is a
    person's placeholder ("mail <file> to Bob"), if it says nothing but its name.
    """
    opened, closed = dict[str, int](), dict[str, int]()
    unclosed = dict[str, int]()
    for match in _TAG.finditer(text):
        name = match[2].lower()
        if not any(word.lower().startswith(_STEMS) for word in _NAME_WORD.findall(match[2])):
            continue
        if match[1]:
            end = text.find(">", match.end(), match.end() + 9)
            closed[name] = match.end() if end < 0 else end + 1
        else:
            opened.setdefault(name, match.start())
            if match[3].isspace():
                unclosed.setdefault(name, match.start())
    for name, begin in opened.items():
        if (end := closed.get(name, 0)) > begin:
            yield begin, end
        elif name in unclosed:
            yield unclosed[name], len(text)


def _list_fenced(text: str) -> Iterator[tuple[int, int]]:
    """Yield the span from the first fence that names a file to the last: files contain fences."""
    fences = list(_FENCE.finditer(text))
    begin = next((item.start() for item in fences if _FILE.search(item[2])), None)
    if begin is not None:
        last = fences[-1]
        is_closing = last.start() > begin and not last[2].strip()
        yield begin, last.end() if is_closing else len(text)
