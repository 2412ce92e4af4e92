"""Tools of imported conversations that nobody declared: inferred from what was called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from plainloop.agent.base.messages.contents import list_calls
from plainloop.agent.dataclasses import dataclass, field

from .conversations import Conversation
from .tool_schemas import ToolShape

INFERRED: Final = "(inferred from recorded calls)"
_JSON_TYPES: Final[dict[type, str]] = {
    bool: "boolean",
    str: "string",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
}


def infer_tools(
    conversations: Iterable[Conversation], given: Iterable[ToolShape] = ()
) -> tuple[ToolShape, ...]:
    """Return the schemas of all tools that were provided, declared or called, sorted by name.

    Of a name, the first provided or declared schema counts; without any, the arguments of all its
    calls merged.

    An inferred argument is required when every call had it. The effect is `external` unless the
    declaration says otherwise: nobody said that such a tool is harmless. What is kept does not
    grow with the number of calls.
    """
    tools = SeenTools()
    for conversation in conversations:
        tools.add(conversation)
    return tools.to_shapes(given)


@dataclass(slots=True)
class SeenTools:
    """Collects what some conversations show of their tools; two of them make one."""

    called: dict[str, _Seen] = field(default_factory=dict[str, "_Seen"])
    declared: dict[str, ToolShape] = field(default_factory=dict[str, ToolShape])

    def add(self, conversation: Conversation) -> None:
        """Add the tools that a conversation declares and calls."""
        for shape in conversation.tools:
            self.declared.setdefault(shape.name, shape)
        for message in conversation.messages:
            for call in list_calls(message):
                self.called.setdefault(call["name"], _Seen()).add(call["arguments"])

    def merge(self, later: SeenTools) -> None:
        """Add the tools seen in conversations that follow the ones added so far."""
        self.declared = {**later.declared, **self.declared}
        for name, seen in later.called.items():
            self.called.setdefault(name, _Seen()).merge(seen)

    def to_shapes(self, given: Iterable[ToolShape] = ()) -> tuple[ToolShape, ...]:
        """Convert the collected tools to schemas, sorted by name.

        A provided schema wins.
        """
        declared = {**self.declared, **{shape.name: shape for shape in given}}
        return tuple(
            declared.get(name) or ToolShape(name, INFERRED, self.called[name].to_object())
            for name in sorted(self.called.keys() | declared.keys())
        )


@dataclass(slots=True)
class _Seen:
    """What the values in one place had in common."""

    kinds: set[str] = field(default_factory=set[str])  # JSON types, without null
    objects: int = 0
    fields: dict[str, _Seen] = field(default_factory=dict[str, "_Seen"])
    counts: Counter[str] = field(default_factory=Counter[str])  # objects with this field
    items: _Seen | None = None  # of arrays

    def add(self, value: Any) -> None:
        """Add a JSON value that the schema of this place must allow."""
        kind = _JSON_TYPES.get(value.__class__)
        if kind is None:
            return
        self.kinds.add(kind)
        if kind == "object":
            self.objects += 1
            for key, inner in value.items():
                self.counts[key] += 1
                self.fields.setdefault(key, _Seen()).add(inner)
        elif kind == "array":
            self.items = self.items or _Seen()
            for inner in value:
                self.items.add(inner)

    def merge(self, other: _Seen) -> None:
        """Add the types and fields that `other` has collected for the same place in the JSON."""
        self.kinds |= other.kinds
        self.objects += other.objects
        self.counts.update(other.counts)
        for key, inner in other.fields.items():
            self.fields.setdefault(key, _Seen()).merge(inner)
        if other.items is not None:
            self.items = self.items or _Seen()
            self.items.merge(other.items)

    def to_object(self) -> dict[str, Any]:
        """Build the JSON Schema of all objects that were added."""
        keys = sorted(self.fields)
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {key: self.fields[key].to_schema() for key in keys},
        }
        required = [key for key in keys if self.counts[key] == self.objects]
        return {**schema, "required": required} if required else schema

    def to_schema(self) -> dict[str, Any]:
        """Build the JSON Schema that all added values match.

        {} if their types differ.
        """
        kinds = {"number"} if self.kinds == {"integer", "number"} else self.kinds
        if len(kinds) != 1:
            return {}
        (kind,) = kinds
        if kind == "object":
            return self.to_object()
        if kind == "array":
            return {"type": "array", "items": self.items.to_schema() if self.items else {}}
        return {"type": kind}
