"""Logs as events: one JSON object per line, or a readable line on a terminal.

A record's message is the event's name; its `extra` are the fields. Request and run ids ride along.
Message content is never logged; what looks like a token in a URL is cut out.
"""

from __future__ import annotations

import logging
import re
import sys
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final, TextIO

import orjson

from ...agent.base.text.cleaning import clean_text
from ...agent.base.text.secrets import CUT, cut_keys, cut_secrets
from ...agent.errors import ModelError

ROUTE_KEY: Final = "plainloop.route"  # in the scope: the path's template, for logs and numbers
request_id: ContextVar[str | None] = ContextVar("request_id", default=None)

# Read from the module itself: each Python adds some (3.12 `taskName`). `color_message` is
# uvicorn's.
_OWN_FIELDS: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "color_message"}
_SECRET: Final = re.compile(r"((?:token|ticket|api_key|key)=)[^&\s\"'\\]+", re.IGNORECASE)
_BEARER: Final = re.compile(r"(bearer[ .])[\w~+/=.-]+", re.IGNORECASE)


def redact(text: str) -> str:
    """Replace access tokens and keys in a log text by `…`.

    >>> redact("GET /ws/chat?token=eyJhbGci.x.y&a=1 Bearer abc.def")
    'GET /ws/chat?token=…&a=1 Bearer …'
    """
    # Over the whole line at the end: third-party loggers put URLs into messages, arguments and
    # tracebacks alike (test_access_tokens_are_redacted_from_log_texts).
    return _BEARER.sub(r"\1…", _SECRET.sub(r"\1…", text))


class JsonFormatter(logging.Formatter):
    """Formats a log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        described = _describe(record)
        # `default=str`: a line with an odd value is better than an error in the logger. If orjson
        # refuses a value of a known type, a lone surrogate or 70 bits, its text is logged
        # (test_values_that_json_cannot_hold_are_logged_as_text).
        try:
            line = orjson.dumps(described, default=str, option=orjson.OPT_NON_STR_KEYS)
        except TypeError:
            line = orjson.dumps({key: clean_text(str(it)) for key, it in described.items()})
        return redact(line.decode())


class LineFormatter(logging.Formatter):
    """Formats a log record for terminals: `12:00:01 INFO request method=GET …`."""

    def format(self, record: logging.LogRecord) -> str:
        described = _describe(record)
        at, level, event = (described.pop(name) for name in ("at", "level", "event"))
        error = described.pop("traceback", None)
        described.pop("logger")
        pairs = " ".join(f"{name}={value}" for name, value in described.items())
        line = f"{at[11:19]} {level} {event} {pairs}".rstrip()
        return redact(line if error is None else f"{line}\n{error}")


def _describe(record: logging.LogRecord) -> dict[str, Any]:
    described: dict[str, Any] = {
        "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname,
        "event": record.getMessage(),
        "logger": record.name,
    }
    if (current := request_id.get()) is not None:
        described["request_id"] = current
    extra = {name: value for name, value in vars(record).items() if name not in _OWN_FIELDS}
    described |= {
        name: cut_keys(value) if isinstance(value, str) else value for name, value in extra.items()
    }
    if record.exc_info:
        formatted = "".join(traceback.format_exception(*record.exc_info)).rstrip()
        described["traceback"] = cut_secrets(_cut_provider_text(formatted, record.exc_info[1]))
    return described


def _cut_provider_text(formatted: str, error: BaseException | None) -> str:
    """Remove a provider's text, which SDK errors quote, from a formatted traceback."""
    if logging.getLogger().isEnabledFor(logging.DEBUG):
        return formatted
    is_from_provider = False
    # An SDK's exception quotes the answer, and the answer the prompt
    # (tests/providers/test_leaks.py::test_provider_error_texts_are_logged_only_in_debug_mode).
    while error is not None:
        is_from_provider = is_from_provider or isinstance(error, ModelError)
        if is_from_provider and (provider_text := str(error)):
            formatted = formatted.replace(provider_text, CUT)
        error = error.__cause__ or error.__context__
    return formatted


def configure_server_logging(*, debug: bool = False, stream: TextIO | None = None) -> None:
    """Send all log records to `stream` (default: stderr): JSON, or lines on a terminal.

    Replaces earlier handlers.
    """
    target = stream or sys.stderr
    handler = logging.StreamHandler(target)
    handler.setFormatter(LineFormatter() if target.isatty() else JsonFormatter())
    level = logging.DEBUG if debug else logging.INFO
    # `force`: libraries that were imported before may have set up the root logger.
    logging.basicConfig(handlers=[handler], level=level, force=True)
    # Those tell each request and each retry at INFO, URLs with tokens included.
    for name in ("httpx", "httpx2", "httpcore2", "openai", "anthropic", "google_genai", "uvicorn"):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("asyncio").setLevel(logging.WARNING)
