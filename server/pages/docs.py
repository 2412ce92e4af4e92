"""`/docs`: the OpenAPI document as a page to read. One file, no script, nothing from elsewhere."""

from __future__ import annotations

from html import escape
from typing import Any, Final

import orjson

_STYLE: Final = """
:root { color-scheme: light dark; --line: #8884; --dim: #888; --accent: #3b6ecf; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0;
  padding: .4rem .8rem; }
summary { cursor: pointer; }
code, pre { font: 14px/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid var(--line); border-radius: 6px; }
.method { display: inline-block; min-width: 4.8rem; font-weight: 700; color: var(--accent); }
.says { color: var(--dim); margin-left: .6rem; }
table { border-collapse: collapse; }
td, th { text-align: left; padding: .15rem 1rem .15rem 0; vertical-align: top; }
"""
_INTRO: Final = """
<p>JSON in and out; streams are Server-Sent Events. Errors are
<code>{"error": {"code", "message", "hint"?}}</code>. The machine-readable contract is
<a href="openapi.json">openapi.json</a>.</p>
<p>WebSockets: <code>/ws/chat</code> and <code>/ws/onboarding</code>; send
<code>{"type": "message", "conversation_id", "content"}</code>, <code>{"type": "ping"}</code>,
<code>{"type": "cancel", "conversation_id"}</code> or
<code>{"type": "resume", "conversation_id", "after"}</code>.</p>
<p><a href="usage">Usage</a>: tokens and cost.</p>
"""


def render_docs(document: dict[str, Any], notice: str | None) -> str:
    """The page for an OpenAPI document. notice: stands above all, None: nothing does."""
    schemas = document["components"]["schemas"]
    by_tag: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            shown = _render_operation(method.upper(), path, operation, schemas)
            by_tag.setdefault(operation["tags"][0], []).append(shown)
    parts = [f"<h2>{escape(tag)}</h2>{''.join(by_tag[tag])}" for tag in sorted(by_tag)]
    above = "" if notice is None else f"<p><strong>{escape(notice)}</strong></p>"
    title = escape(f"{document['info']['title']} {document['info']['version']}")
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width">'
        f"<style>{_STYLE}</style><h1>{title}</h1>{above}{_INTRO}{''.join(parts)}</html>"
    )


def _render_operation(method: str, path: str, operation: Any, schemas: dict[str, Any]) -> str:
    head = (
        f'<span class="method">{method}</span><code>{escape(path)}</code>'
        f'<span class="says">{escape(operation["summary"])}</span>'
    )
    parts = [_render_parameters(operation.get("parameters", []))]
    if "requestBody" in operation:
        parts.append("<h4>Body</h4>" + _render_content(operation["requestBody"], schemas))
    for status, answer in operation["responses"].items():
        if status.startswith("2"):
            text = escape(answer["description"])
            parts.append(f"<h4>{status}</h4><p>{text}</p>" + _render_content(answer, schemas))
    anchor = escape(operation["operationId"])
    return f'<details id="{anchor}"><summary>{head}</summary>{"".join(parts)}</details>'


def _render_parameters(parameters: list[Any]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(item['name'])}</code><td>{item['in']}"
        f"<td>{escape(_name_type(item['schema']))}<td>{escape(item.get('description', ''))}"
        for item in parameters
    )
    return f"<table>{rows}</table>" if rows else ""


def _render_content(holder: Any, schemas: dict[str, Any]) -> str:
    return "".join(
        f"<p><code>{escape(kind)}</code></p><pre>{escape(_outline(entry['schema'], schemas))}</pre>"
        for kind, entry in holder.get("content", {}).items()
    )


def _outline(schema: Any, schemas: dict[str, Any]) -> str:
    sketched = _sketch(schema, schemas, 0)
    return orjson.dumps(sketched, option=orjson.OPT_INDENT_2).decode()


def _sketch(schema: Any, schemas: dict[str, Any], depth: int) -> Any:
    """The shape as JSON whose values name their types."""
    if "$ref" in schema:
        return _sketch(schemas[schema["$ref"].rpartition("/")[2]], schemas, depth)
    if depth > 4:
        return "…"
    if "properties" in schema:
        required = schema.get("required", ())
        return {
            name if name in required else f"{name}?": _sketch(value, schemas, depth + 1)
            for name, value in schema["properties"].items()
        }
    if schema.get("type") == "array" and "items" in schema:
        return [_sketch(schema["items"], schemas, depth + 1)]
    options = [item for item in schema.get("anyOf", ()) if item.get("type") != "null"]
    if len(options) == 1:
        return _sketch(options[0], schemas, depth)
    return _name_type(schema)


def _name_type(schema: Any) -> str:
    """
    >>> _name_type({"anyOf": [{"type": "integer"}, {"type": "null"}]})
    'integer | null'
    """
    if "enum" in schema:
        return " | ".join(str(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(_name_type(item) for item in schema["anyOf"])
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    return str(schema.get("format") or schema.get("type") or "any")
