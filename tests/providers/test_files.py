"""Images and documents of a user, as each provider's request has them."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from plainloop.agent.errors import FilesUnsupported
from plainloop.agent.providers.anthropic import wire as anthropic
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS, Quirks
from plainloop.agent.providers.files import fit_files
from plainloop.agent.providers.gemini.wire import to_contents
from plainloop.agent.providers.openai import chat_wire, responses_wire
from plainloop.agent.providers.provider_state import Target
from plainloop.agent.providers.state_reader import StateReader
from plainloop.agent.types import ChatRequest, FilePart, LLMResponse, Message, Usage
from tests.providers.asking import ask
from tests.providers.conversations import connect
from tests.wire_fixtures import StartWire

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(16)).decode()
IMAGE: FilePart = {"type": "file", "media_type": "image/png", "data": PNG, "tokens": 85}
PAPER: FilePart = {
    "type": "file",
    "media_type": "application/pdf",
    "data": "JVBERi0=",
    "tokens": 2000,
    "name": "cv.pdf",
}
NOTES: FilePart = {
    "type": "file",
    "media_type": "text/plain",
    "data": base64.b64encode(b"buy milk").decode(),
    "tokens": 2,
    "name": "notes.txt",
}
NOTES_TEXT = '<file "notes.txt">\nbuy milk\n</file>'
WITHOUT = Target("glm", "glm-5.3", PROVIDER_DEFAULTS["glm"].quirks)


def make_target(name: str) -> Target:
    return Target(name, PROVIDER_DEFAULTS[name].default_model, PROVIDER_DEFAULTS[name].quirks)


def say(*files: FilePart) -> Message:
    return {"role": "user", "parts": [*files, {"type": "text", "text": "What is this?"}]}


def get_anthropic(request: ChatRequest) -> Any:
    return anthropic.to_body(request, make_target("anthropic"))[0]["messages"][0]["content"]


def get_chat(request: ChatRequest) -> Any:
    return chat_wire.to_body(request, make_target("openai"))[0]["messages"][0]["content"]


def get_responses(request: ChatRequest) -> Any:
    return responses_wire.to_body(request, make_target("openai"))[0]["input"][0]["content"]


def get_gemini(request: ChatRequest) -> Any:
    target = make_target("gemini")
    messages, _ = fit_files(request.messages, target)
    return to_contents(messages, target, StateReader(target))[0]["parts"]


@pytest.mark.parametrize(
    ("get", "image", "paper", "text"),
    [
        (
            get_anthropic,
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
            {
                "type": "document",
                "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="},
                "title": "cv.pdf",
            },
            "text",
        ),
        (
            get_chat,
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
            {
                "type": "file",
                "file": {"filename": "cv.pdf", "file_data": "data:application/pdf;base64,JVBERi0="},
            },
            "text",
        ),
        (
            get_responses,
            {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "auto"},
            {
                "type": "input_file",
                "filename": "cv.pdf",
                "file_data": "data:application/pdf;base64,JVBERi0=",
            },
            "input_text",
        ),
        (
            get_gemini,
            {"inlineData": {"mimeType": "image/png", "data": PNG}},
            {"inlineData": {"mimeType": "application/pdf", "data": "JVBERi0="}},
            None,
        ),
    ],
)
def test_files_are_sent_in_each_providers_format(
    get: Any, image: Any, paper: Any, text: str | None
) -> None:
    sent = get(ChatRequest("", [say(IMAGE, PAPER)]))
    words = {"type": text, "text": "What is this?"} if text else {"text": "What is this?"}

    assert sent == [image, paper, words]


@pytest.mark.parametrize("name", ["anthropic", "openai", "responses", "gemini"])
@pytest.mark.parametrize("stream", [False, True])
async def test_an_image_reaches_the_server_through_the_sdk(
    name: str, stream: bool, wire_server: StartWire
) -> None:
    class Sees:
        def answer(self, request: ChatRequest) -> LLMResponse:
            files = [p for m in request.messages for p in m["parts"] if p["type"] == "file"]
            said = f"{len(files)}: {files[0]['media_type']} {files[0]['data'] == PNG}"
            message: Message = {"role": "assistant", "parts": [{"type": "text", "text": said}]}
            return LLMResponse(message, "end", Usage(), "m")

    server = await wire_server(Sees())
    url = server.openai_url if name in ("openai", "responses") else server.base_url
    answer = await ask(connect(name, url), ChatRequest("", [say(IMAGE)]), stream=stream)

    assert answer.text == "1: image/png True"


def test_text_files_are_sent_as_text_to_every_model() -> None:
    messages, notes = fit_files([say(NOTES)], Target("offline", "m", Quirks()))

    assert [part["text"] for part in messages[0]["parts"] if part["type"] == "text"] == [
        NOTES_TEXT,
        "What is this?",
    ]
    assert notes == []


@pytest.mark.parametrize("file", [IMAGE, PAPER], ids=lambda item: item["media_type"])
def test_an_unsupported_file_in_the_newest_message_is_an_error(file: FilePart) -> None:
    with pytest.raises(FilesUnsupported) as refused:
        chat_wire.to_body(ChatRequest("", [say(file)]), WITHOUT)

    wrong = f"glm:glm-5.3 does not accept files of type {file['media_type']}"
    assert refused.value.public_message == wrong


@pytest.mark.parametrize("name", ["deepseek", "kimi", "minimax"])
def test_vision_models_get_pictures_but_no_documents(name: str) -> None:
    defaults = PROVIDER_DEFAULTS[name]
    target = Target(name, defaults.default_model, defaults.quirks)
    body, notes = chat_wire.to_body(ChatRequest("", [say(IMAGE)]), target)
    picture = {"url": f"data:image/png;base64,{PNG}"}

    assert body["messages"][0]["content"][0] == {"type": "image_url", "image_url": picture}
    assert notes == []
    with pytest.raises(FilesUnsupported):
        chat_wire.to_body(ChatRequest("", [say(PAPER)]), target)


def test_unsupported_files_of_earlier_messages_are_named_in_text() -> None:
    answer: Message = {"role": "assistant", "parts": [{"type": "text", "text": "A CV."}]}
    request = ChatRequest("", [say(PAPER), answer, say()])
    body, notes = chat_wire.to_body(request, WITHOUT)

    first = '(Here was a file "cv.pdf", application/pdf, that you cannot see.)'
    assert body["messages"][0]["content"] == f"{first}\n\nWhat is this?"
    assert notes == ["left out a file of type application/pdf: the model does not accept it"]
