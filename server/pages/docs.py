"""`/docs`: the OpenAPI document as a page to read and to try, by `docs.html`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from jinja2 import Environment


def render_docs(pages: Environment, document: dict[str, Any], notice: str | None) -> str:
    """Render the HTML page `/docs` for an OpenAPI document.

    notice: a text at its top, or None.
    """
    schemas = document["components"]["schemas"]
    tags: dict[str, list[dict[str, Any]]] = {}
    events: dict[str, str] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            body = operation.get("requestBody", {})
            shown: dict[str, Any] = {
                "id": operation["operationId"],
                "method": method.upper(),
                "path": path,
                "summary": operation["summary"],
                "parameters": [
                    {"required": False, **item, "type": _name_type(item["schema"])}
                    for item in operation.get("parameters", [])
                ],
                "takes_file": "multipart/form-data" in body.get("content", {}),
                "body": _list_kinds(body, schemas),
                "answers": [
                    (status, answer["description"], _list_kinds(answer, schemas))
                    for status, answer in operation["responses"].items()
                    if status.startswith("2")
                ],
            }
            tags.setdefault(operation["tags"][0], []).append(shown)
            for answer in operation["responses"].values():
                for content in answer.get("content", {}).values():
                    for name, schema in content.get("x-events", {}).items():
                        events[name] = _outline(schema, schemas)
    return pages.get_template("docs.html").render(
        info=document["info"], notice=notice, tags=dict(sorted(tags.items())), events=events
    )


def _list_kinds(holder: Any, schemas: dict[str, Any]) -> list[tuple[str, str]]:
    """List each media type with a sketch of its content."""
    return [
        (kind, _outline(entry["schema"], schemas))
        for kind, entry in holder.get("content", {}).items()
    ]


def _outline(schema: Any, schemas: dict[str, Any]) -> str:
    sketched = _sketch(schema, schemas, 0)
    return orjson.dumps(sketched, option=orjson.OPT_INDENT_2).decode()


def _sketch(schema: Any, schemas: dict[str, Any], depth: int) -> Any:
    """Sketch a schema as JSON whose values name their types."""
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
