"""Which requests a chat program makes for itself, by the beginnings of its default prompts."""

from __future__ import annotations

from typing import Any, Final

import pytest

from packages.frontends.tests.test_openai_chat import connect, stream
from plainloop_frontends.openai.shapes import ChatMessage
from plainloop_frontends.openai.side import is_side_request
from tests.machine.scripted import text, triage
from tests.protocols.conftest import ServeNotes, get_model

# As the programs' sources of 2026 begin them, and those of the two years before.
SIDE: Final = {
    "title": "### Task:\nGenerate a concise title summarizing the chat history.\n### Guidelines:",
    "older title": "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the",
    "title with blanks": "\n### Task:\r\n\r\nGenerate a concise, 3-5 word title summarizing the",
    "tags": "### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history",
    "follow-ups": "### Task:\nSuggest 3-5 relevant follow-up questions or prompts that the user",
    "queries": "### Task:\nAnalyze the chat history to determine the necessity of generating "
    "search queries, in the given language. By default, **prioritize generating 1-3 broad",
    "autocomplete": "### Task:\nYou are an autocompletion system. Continue the text in `<text>`",
    "image": "### Task:\nGenerate a detailed prompt for am image generation task based on the",
    "emoji": "Your task is to reflect the speaker's likely facial expression through a fitting "
    "emoji. Interpret emotions from the message",
    "LibreChat": "Provide a concise, 5-word-or-less title for the conversation, using its same",
    "LibreChat's older": "Please generate a concise, 5-word-or-less title for the conversation, us",
    "LibreChat's agents": "Analyze this conversation and provide:\n1. The detected language of the "
    "conversation\n2. A concise title",
}
RAG: Final = (
    "### Task:\nRespond to the user query using the provided context, incorporating inline "
    "citations in the format [id] **only when the <source> tag includes an explicit id attribute** "
    '(e.g., <source id="1">).\n\n### Guidelines:\n- If uncertain, ask.\n\n<context>\n<source id="1"'
    ' name="menu.txt">Lentils.</source>\n</context>\n\nWhat is for lunch?'
)
VOICE: Final = (
    "You are a friendly, concise voice assistant.\n\nEverything you say will be spoken aloud."
)
CHATS: Final[dict[str, tuple[tuple[Any, str], ...]]] = {
    "documents": (("user", RAG),),
    "documents in the system message": (("system", RAG), ("user", "What is for lunch?")),
    "voice": (("system", VOICE), ("user", "Add milk.")),
    "a person's own task": (("user", "### Task:\nAdd milk to my notes."),),
    "a person's analysis": (("user", "Analyze this conversation and provide: what I should do."),),
    "a title asked for before": (
        ("user", SIDE["title"]), ("assistant", '{"title": "Milk"}'), ("user", "Add milk."),
    ),
    "a title in the system message": (("system", SIDE["title"]), ("user", "Add milk.")),
    "a title quoted": (("user", f"What does this do?\n{SIDE['tags']}"),),
    "a title in an answer": (("user", "Add milk."), ("assistant", SIDE["title"])),
}  # fmt: skip


@pytest.mark.parametrize("name", SIDE)
def test_a_known_title_prompt_as_last_message_is_a_side_request(name: str) -> None:
    asked = ChatMessage("user", SIDE[name])
    earlier = [ChatMessage("system", "Be kind."), ChatMessage("user", "Add milk.")]

    assert is_side_request([asked])
    assert is_side_request([*earlier, ChatMessage("assistant", "Done."), asked])
    assert is_side_request([ChatMessage("system", SIDE[name])])  # LibreChat's older titles


@pytest.mark.parametrize("name", CHATS)
def test_a_persons_question_is_not_a_side_request(name: str) -> None:
    assert not is_side_request([ChatMessage(role, words) for role, words in CHATS[name]])


async def test_documents_of_a_chat_program_do_not_remove_tools(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Lentils [1]."))
    done = await stream(connect(served), [{"role": "user", "content": RAG}])

    assert done.choices[0].message.content == "Lentils [1]."
    assert "add_note" in {tool.name for tool in get_model(served).requests[-1].tools}
