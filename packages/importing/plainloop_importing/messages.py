"""Messages of other systems as messages of ours: OpenAI's (chat, Responses), LangChain's,
OpenTelemetry's, Anthropic's; through `steps` also Vercel's AI SDK's and Gemini's.

Nothing is dropped in silence: what cannot be taken leaves its name behind, and a note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, cast

from plainloop.agent.base.messages.contents import get_text, is_superseded, list_calls
from plainloop.agent.base.messages.files import ToldFile, read_files
from plainloop.agent.base.text.cleaning import clean_json, clean_text, make_title
from plainloop.agent.config.settings import Settings
from plainloop.agent.core.history import to_valid_name
from plainloop.agent.dataclasses import dataclass, field, replace
from plainloop.agent.errors import AgentError
from plainloop.agent.types import FunctionCall, Message, MessagePart

from .steps import split_message
from .values import as_dict, as_list, as_text, parse_json

ROLES: Final = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "AIMessageChunk": "assistant",
    "tool": "tool",
    "function": "tool",
}
CLASS: Final = "$class"  # of a value that was an object of a program
_CLASSES: Final = {
    "HumanMessage": "human",
    "AIMessage": "ai",
    "AIMessageChunk": "ai",
    "ToolMessage": "tool",
    "SystemMessage": "system",
    "FunctionMessage": "function",
    "ChatMessage": "user",
    "RemoveMessage": "remove",
}
NO_CONTENT: Final = "[no content]"
OTHER_ANSWER: Final = "another answer to the same request: left out"
ANSWER_ENDED: Final = "part of an answer after a tool result: left out"
# Of the Responses API, that stand where messages do.
ITEMS: Final = ("function_call", "function_call_output", "reasoning")
_TEXTS: Final = ("text", "input_text", "output_text")
_BINARIES: Final = ("blob", "binary")  # of the conventions, of Pydantic AI before its version 4
_SPOKEN: Final = ("text", "transcript", "content")


@dataclass(slots=True)
class Said:
    """One message as its source had it. role: also `system`. parts: as a Message has them. key: the
    source's own id of it.
    """

    role: str
    parts: list[Any]
    key: str | None = None

    @property
    def text(self) -> str:
        return "".join(part["text"] for part in self.parts if part["type"] == "text")


@dataclass(slots=True)
class MessageReader:
    """Reads the messages of one conversation. notes: what was mended or left out, each once."""

    settings: Settings
    notes: dict[str, int] = field(default_factory=dict[str, int])

    def note(self, text: str) -> None:
        self.notes[text] = self.notes.get(text, 0) + 1

    def list_notes(self) -> list[str]:
        return [text if n == 1 else f"{text} ({n} times)" for text, n in self.notes.items()]

    def read(self, items: Iterable[Any]) -> list[Said]:
        """Read these items as messages, in order."""
        return [said for item in items for said in self.read_one(item)]

    def read_answer(self, message: dict[str, Any]) -> Said | None:
        """Convert a message to the assistant's, whatever role its source states.

        None if it has nothing to read.
        """
        said = self.read_one({**message, "role": "assistant"})
        for _ in said[2:]:  # its results are in the next request, or in a tool's span
            self.note(ANSWER_ENDED)
        return next((one for one in said if one.role == "assistant"), None)

    def read_one(self, item: Any) -> list[Said]:
        """Convert one item to messages; tool results in it become messages of their own."""
        steps = split_message(unwrap(item), self.note)
        return [said for one in steps for said in self._read_step(one)]

    def _read_step(self, found: dict[str, Any]) -> list[Said]:
        if "role" not in found and "type" in found and str(found["type"]) not in ROLES:
            kind = str(found["type"])
            if kind not in ITEMS:
                self.note(f"an item of type {kind[:40]!r}: left out")
                return []
            part = self._read_block(found, "assistant")
            if part is None:
                return []
            return [Said("tool" if part["type"] == "tool_result" else "assistant", [part])]
        role = ROLES.get(str(found.get("role") or found.get("type") or ""))
        if role is None:
            self.note(f"a message of role {str(found.get('role') or found.get('type'))[:40]!r}")
            return []
        key = found.get("id") if isinstance(found.get("id"), str) else None
        if role == "tool":
            blocks = [as_dict(block) for block in as_list(found.get("content"))]
            told = [block for block in blocks if block.get("type") == "tool_result"]
            read = [self._read_result(one, key) for one in told or [found]]
            return [Said("tool", [part for one in read for part in one.parts], key)]
        parts: list[MessagePart] = []
        results: list[Said] = []
        for part in self._read_blocks(found, role):
            if part["type"] == "tool_result":
                results.append(Said("tool", [part]))
            else:
                parts.append(part)
        calls = {part["id"] for part in parts if part["type"] == "tool_call" and part["id"]}
        extra = as_dict(found.get("additional_kwargs"))  # of LangChain before it had `tool_calls`
        beside = [*as_list(found.get("tool_calls")), *as_list(found.get("invalid_tool_calls"))]
        beside += [legacy] if (legacy := as_dict(found.get("function_call"))) else []
        for call in beside or as_list(extra.get("tool_calls")):
            read = self._read_call(as_dict(call))
            if not read["id"] or read["id"] not in calls:
                parts.append(read)
        spoken = as_dict(found.get("audio")).get("transcript")  # Chat Completions: beside content
        for text in (found.get("refusal") or extra.get("refusal"), spoken):
            if isinstance(text, str) and text and not any(p["type"] == "text" for p in parts):
                parts.append({"type": "text", "text": clean_text(text)})
        thought = found.get("reasoning_content") or found.get("reasoning")  # DeepSeek, OpenRouter
        thought = thought or extra.get("reasoning_content")
        if isinstance(thought, str) and not any(p["type"] == "reasoning" for p in parts):
            parts.insert(0, {"type": "reasoning", "text": clean_text(thought)})
        if results and not parts:
            return results
        return [*results, Said(role, parts, key)]

    def _read_blocks(self, found: dict[str, Any], role: str) -> list[MessagePart]:
        """Read the parts of a message's content, without calls that also stand beside it."""
        content = found.get("parts", found.get("content"))
        if isinstance(content, str):
            return [{"type": "text", "text": clean_text(content)}] if content else []
        if isinstance(content, dict):
            content = [as_dict(content)]
        known = {str(as_dict(call).get("id")) for call in as_list(found.get("tool_calls"))}
        known |= {str(as_dict(call).get("id")) for call in as_list(found.get("invalid_tool_calls"))}
        parts: list[MessagePart] = []
        for block in as_list(content):
            part = self._read_block(block, role)
            if part is None:
                continue
            if part["type"] != "tool_call" or part["id"] not in known:
                parts.append(part)
        return parts

    def _read_block(self, block: Any, role: str) -> MessagePart | None:
        if isinstance(block, str):
            return {"type": "text", "text": clean_text(block)}
        found = as_dict(block)
        kind = str(found.get("type") or found.get("kind") or "")  # Pydantic AI's events: `kind`
        if kind in _TEXTS:
            text = as_text(found.get("text", found.get("content")))
            return {"type": "text", "text": clean_text(text)} if text else None
        if kind == "refusal":
            return {
                "type": "text",
                "text": clean_text(as_text(found.get("refusal", found.get("content")))),
            }
        if kind in ("reasoning", "thinking"):
            return self._read_reasoning(found)
        if kind in ("function_call", "tool_call", "tool_use"):
            return self._read_call(found)
        if kind in ("tool_call_response", "tool_result", "function_call_output"):
            return cast("MessagePart", self._read_result(found, None).parts[0])
        if use := as_dict(found.get("toolUse")):  # Bedrock's, which has no type
            return self._read_call({**use, "id": use.get("toolUseId")})
        if given := as_dict(found.get("toolResult")):
            told = {"tool_use_id": given.get("toolUseId"), "content": given.get("content")}
            told["status"] = given.get("status")
            return cast("MessagePart", self._read_result(told, None).parts[0])
        return self._read_file(found, kind, role)

    def _read_reasoning(self, found: dict[str, Any]) -> MessagePart | None:
        """Read reasoning as text, without signatures and encrypted parts.

        Only their provider can read those.
        """
        pieces = as_list(found.get("summary")) or [found]
        texts = [
            as_text(as_dict(p).get("text", as_dict(p).get("thinking", as_dict(p).get("content"))))
            or as_text(as_dict(p).get("reasoning"))
            for p in pieces
        ]
        if found.get("encrypted_content") or found.get("signature"):
            self.note("encrypted reasoning, which only its provider can read: left out")
        text = clean_text("\n\n".join(filter(None, texts)))
        return {"type": "reasoning", "text": text} if text else None

    def _read_call(self, found: dict[str, Any]) -> FunctionCall:
        function = as_dict(found.get("function")) or found
        raw = function.get("arguments", function.get("args", function.get("input")))
        arguments: Any = parse_json(raw) if isinstance(raw, str) and raw.strip() else raw or {}
        name = clean_text(str(function.get("name") or ""))
        valid = to_valid_name(name)
        if valid != name:
            self.note(f"{name[:64]!r} is not a valid tool name: renamed to {valid}")
        call: FunctionCall = {
            "type": "tool_call",
            "id": clean_text(str(found.get("call_id") or found.get("id") or "")),
            "name": valid,
            "arguments": clean_json(arguments) if isinstance(arguments, dict) else {},
        }
        if found.get("is_cut") is True:
            call["is_cut"] = True
        if not isinstance(arguments, dict):
            call["invalid_arguments"] = clean_text(as_text(raw))
        return call

    def _read_result(self, found: dict[str, Any], key: str | None) -> Said:
        content = found.get("content", found.get("response", found.get("result")))
        content = found.get("output") if content is None else content
        if content is None and "parts" in found:  # OpenTelemetry: its only part is the result
            inner = [as_dict(part) for part in as_list(found["parts"])]
            answers = [p for p in inner if p.get("type") == "tool_call_response"]
            if answers:
                said = self._read_result({**answers[0], "role": "tool"}, key)
                for more in answers[1:]:
                    said.parts += self._read_result(more, None).parts
                return said
            content = inner
        if found.get("artifact") is not None:
            self.note("an artifact of a tool result: left out")
        blocks = as_list(content)
        # Bedrock's blocks have no type: https://docs.aws.amazon.com/bedrock/latest/APIReference
        are_texts = bool(blocks) and all(isinstance(as_dict(b).get("text"), str) for b in blocks)
        text = (
            "".join(as_text(as_dict(b).get("text")) for b in blocks)
            if are_texts
            else as_text(content)
        )
        call_id = found.get("tool_call_id") or found.get("tool_use_id") or found.get("call_id")
        call_id = call_id or (found.get("id") if found.get("type") != "tool" else None)
        part: MessagePart = {
            "type": "tool_result",
            "id": clean_text(str(call_id or "")),
            "name": to_valid_name(clean_text(str(found.get("name") or "")))
            if found.get("name")
            else "",
            "result": clean_text(text),
            "is_error": found.get("status") == "error" or found.get("is_error") is True,
        }
        return Said("tool", [part], key)

    def _read_file(self, found: dict[str, Any], kind: str, role: str) -> MessagePart | None:
        """Read a picture or document that is whole in its block; fetch nothing."""
        source = as_dict(found.get("source")) or found
        url = source.get("url", source.get("uri"))  # `uri`: of the GenAI conventions
        url = as_dict(found.get("image_url")).get("url", found.get("image_url", url))
        data = source.get("data", source.get("base64", source.get("file_data", url)))
        if kind in _BINARIES:
            data = found.get("content", found.get("binary_content", found.get("data")))
        media = source.get("media_type", source.get("mime_type"))
        if isinstance(data, str) and role == "user":
            told = ToldFile(data, media if isinstance(media, str) else None)
            try:
                return read_files([told], self.settings)[0]
            except AgentError as error:
                self.note(f"a file was not imported: {error.message}")
                shown = url if isinstance(url, str) and url.startswith("http") else kind
                return {"type": "text", "text": f"[{clean_text(shown)[:500]}]"}
        told = next((found[key] for key in _SPOKEN if isinstance(found.get(key), str)), "")
        # Of a type that is not known, as of a recording's transcript, the words are kept.
        if told and kind not in _BINARIES:
            return {"type": "text", "text": clean_text(told)}
        self.note(f"content of type {kind[:40]} is not text: replaced with [{kind[:40]}]")
        return {"type": "text", "text": f"[{clean_text(kind)[:40]}]"}


def unwrap(item: Any) -> dict[str, Any]:
    """Return a message's plain fields, taken out of LangChain's or a checkpoint's envelope."""
    found = as_dict(item)
    if found.get("lc") == 1 and "kwargs" in found:
        name = str((as_list(found.get("id")) or [""])[-1])
        found = {"type": _CLASSES.get(name, name), **as_dict(found["kwargs"])}
    elif found.get(CLASS) in _CLASSES:
        found = {"type": _CLASSES[found[CLASS]], **found}
    if found.get("type") == "chat" or (found.get("type") == "user" and "role" in found):
        found = {**found, "role": found.get("role", "user")}
    if isinstance(item, list | tuple):
        pair = as_list(item)
        if len(pair) == 2 and isinstance(pair[0], str):
            found = {"role": pair[0], "content": pair[1]}
    elif isinstance(item, str):
        found = {"role": "user", "content": item}
    return found


def is_message(value: Any) -> bool:
    """Whether a value of a LangGraph state is a message."""
    found = as_dict(value)
    is_object = found.get(CLASS) in _CLASSES
    is_envelope = found.get("lc") == 1 and str((as_list(found.get("id")) or [""])[-1]) in _CLASSES
    is_plain = found.get("role") in ROLES or found.get("type") in ("human", "ai", "tool", "system")
    return is_object or is_envelope or (is_plain and "content" in found)


def title_messages(messages: Sequence[Message]) -> str:
    """Make a title from the user's first message.

    "" without one.
    """
    first = next((message for message in messages if message["role"] == "user"), None)
    return make_title(get_text(first)) if first else ""


def split_system(said: Sequence[Said]) -> tuple[str, list[Said]]:
    """Split messages into the system prompt at their head and the rest."""
    head = 0
    while head < len(said) and said[head].role == "system":
        head += 1
    return "\n\n".join(one.text for one in said[:head]), list(said[head:])


def build_messages(
    said: Sequence[Said], note: Callable[[str], None]
) -> tuple[list[Message], list[int | None]]:
    """Build a thread's messages from the messages that were read.

    Returns (messages, position in them for each input message, or None if it was left out). Results
    that follow one call are one message, two answers in a row are one; calls' ids are unique.
    """
    messages: list[Message] = []
    places: list[int | None] = []
    names = _CallIds()
    for one in said:
        places.append(None)
        if one.role == "system":
            note("a system message after the conversation began: left out")
            continue
        message = cast("Message", {"role": one.role, "parts": [{**part} for part in one.parts]})
        if one.role == "assistant":
            names.rename_calls(message)
        elif one.role == "tool" and not names.match_results(message, note):
            continue
        if not message["parts"]:
            if one.role != "user":
                note(f"an empty message of role {one.role}: left out")
                continue
            note(f"an empty user message: replaced with {NO_CONTENT}")
            message["parts"] = [{"type": "text", "text": NO_CONTENT}]
        last = messages[-1] if messages else None
        if last is not None and last["role"] == "tool" == one.role:
            last["parts"].extend(message["parts"])
        elif last is not None and is_superseded(messages, message):
            note("two answers in a row: joined")
            gap: list[MessagePart] = [{"type": "text", "text": "\n\n"}]
            last["parts"].extend([*gap, *message["parts"]])
        else:
            messages.append(message)
        places[-1] = len(messages) - 1
    return messages, places


@dataclass(slots=True)
class _CallIds:
    """Makes calls' ids unique in a thread: sources repeat them from turn to turn.

    open: calls without a result, each with its message's number and its id in the source.
    """

    used: set[str] = field(default_factory=set[str])
    open: list[tuple[int, str, FunctionCall]] = field(
        default_factory=list["tuple[int, str, FunctionCall]"]
    )
    count: int = 0  # messages with calls

    def rename_calls(self, message: Message) -> None:
        self.count += 1
        for call in list_calls(message):
            given = call["id"]
            wanted = given or f"call-{len(self.used) + 1}"
            own, count = wanted, 1
            while own in self.used:
                count += 1
                own = f"{wanted}-{count}"
            self.used.add(own)
            call["id"] = own
            self.open.append((self.count, given, call))

    def match_results(self, message: Message, note: Callable[[str], None]) -> bool:
        """Assign each tool result to its open call, and drop results without one.

        Returns False if no result is left.
        """
        kept: list[MessagePart] = []
        for part in message["parts"]:
            if part["type"] != "tool_result":
                continue
            same = [n for n, (_, given, _) in enumerate(self.open) if given == part["id"] != ""]
            found = same[-1] if same else None
            if found is None and self.open and not part["id"]:
                # In their order, of the newest message with open calls: an earlier one may never
                # have had a result (packages/importing/tests/test_chatgpt.py).
                last = self.open[-1][0]
                newest = [n for n, (number, _, _) in enumerate(self.open) if number == last]
                named = (n for n in newest if self.open[n][2]["name"] == part["name"])
                found = next(named, newest[0])
            if found is None:
                note(f"the tool result {part['id'][:64]!r} answers no open call: left out")
                continue
            _, _, call = self.open.pop(found)
            kept.append({**part, "id": call["id"], "name": call["name"]})
        message["parts"] = kept
        return bool(kept)


def join_answers(said: Iterable[Said]) -> list[Said]:
    """Join consecutive assistant messages into one, because they are pieces of one answer."""
    joined: list[Said] = []
    for one in said:
        last = joined[-1] if joined else None
        if last is None or not last.role == one.role == "assistant":
            joined.append(replace(one, parts=list(one.parts)))
            continue
        if last.parts and one.parts and last.parts[-1]["type"] == one.parts[0]["type"] == "text":
            last.parts.append({"type": "text", "text": "\n\n"})
        last.parts.extend(one.parts)
    return joined
