"""Files in messages of other people's kinds: what each calls them, as the client sent them.

Only data is taken: addresses are not fetched, and nothing was uploaded that an id could name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...agent.base.messages.files import ToldFile
from ...agent.base.text.foreign_json import as_object
from ...agent.errors import InputError

_NO_DATA: Final = "a file must contain its data: base64, or a data: URL"


def read_openai_file(part: Mapping[str, Any]) -> ToldFile | None:
    """Convert a content part of either OpenAI API to an uploaded file, or return None.

    Raises: InputError.
    """
    match part.get("type"):
        case "image_url":
            image: Any = part.get("image_url")
            return make_file(as_object(image).get("url") if isinstance(image, dict) else image)
        case "input_image":
            return make_file(part.get("image_url"))
        case "file":
            file = as_object(part.get("file"))
            return make_file(file.get("file_data"), file.get("filename"))
        case "input_file":
            return make_file(part.get("file_data"), part.get("filename"))
        case _:
            return None


def make_file(data: Any, name: Any = None, media_type: Any = None) -> ToldFile:
    """Build an uploaded file from a request's unchecked fields. Raises: InputError without data."""
    if not isinstance(data, str):
        raise InputError(_NO_DATA)
    kind = media_type if isinstance(media_type, str) else None
    return ToldFile(data, kind, name if isinstance(name, str) else None)
