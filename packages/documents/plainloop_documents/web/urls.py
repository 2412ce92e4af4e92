"""When two URLs are the same page."""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

# Only what never names a page: `ref`, `src` and `source` do on some job boards.
_TRACKING: Final = "utm_"
_TRACKING_NAMES: Final = frozenset({"fbclid", "gclid", "msclkid", "trk", "trackingid"})
_USUAL_PORTS: Final = frozenset({None, 80, 443})


def make_url_key(url: str) -> str:
    """Convert a URL to a key that is the same for equivalent URLs.

    It lacks scheme, `www.`, usual port, fragment and tracking. A fragment that is a route of the
    page's script (`#/jobs/7`) names the page and stays.

    >>> make_url_key("HTTPS://www.Example.com/jobs/7/?utm_source=x&id=3#top")
    'example.com/jobs/7?id=3'
    """
    text = url.strip()
    try:
        parts = urlsplit(text if "://" in text else f"//{text}")
        host = (parts.hostname or "").removeprefix("www.")
        port = "" if parts.port in _USUAL_PORTS else f":{parts.port}"
    except ValueError:  # a broken host or port: only the very same text is the same
        return text
    query = sorted(
        (name, value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
        if not _is_tracking(name.lower())
    )
    tail = f"?{urlencode(query)}" if query else ""
    return f"{host}{port}{parts.path.rstrip('/')}{tail}{_keep_route(parts.fragment)}"


def drop_tracking(url: str) -> str:
    """Remove a URL's fragment and tracking parameters, unless the URL is malformed.

    >>> drop_tracking("https://a.example/x?utm_medium=api&id=3#top")
    'https://a.example/x?id=3'
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    kept = [part for part in parts.query.split("&") if not _is_tracking(part.split("=")[0].lower())]
    fragment = _keep_route(parts.fragment).removeprefix("#")
    return urlunsplit((parts.scheme, parts.netloc, parts.path, "&".join(kept), fragment))


def _keep_route(fragment: str) -> str:
    return f"#{fragment}" if fragment.startswith(("/", "!")) else ""


def _is_tracking(name: str) -> bool:
    return name in _TRACKING_NAMES or name.startswith(_TRACKING)
