"""What a newcomer says first gets three sentences to try, without a model, in four languages."""

from __future__ import annotations

import pytest

from plainloop.agent.packs.loading import load_packs
from tests.offline.tracker import Conversation

FIRST_WORDS = [
    *("hi", "Hello there", "what can you do?", "help", "who are you?"),
    *("Hallo", "Guten Tag!", "Was kannst du?", "Hilfe"),
    *("Bonjour", "Salut !", "Que sais-tu faire ?", "que peux-tu faire"),
    *("Hola", "Buenos días", "¿Qué puedes hacer?", "¿Quién eres?"),
]


@pytest.mark.parametrize("packs", [("careers",), ("careers", "staff_onboarding")])
def test_first_words_get_three_sentences_to_try(packs: tuple[str, ...]) -> None:
    load_packs(packs)
    for said in FIRST_WORDS:
        conversation = Conversation()
        answer = conversation.ask(said)
        tries = [line for line in answer.splitlines() if line.startswith("- ")]
        assert len(tries) == 3, said
        assert "cannot answer" not in answer
        assert conversation.calls == []
