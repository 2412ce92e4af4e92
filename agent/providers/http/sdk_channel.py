"""The clients of the Anthropic and OpenAI SDKs: one generator makes both, so they work alike."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any, Final, Literal

import orjson

from ...dataclasses import dataclass
from ...errors import ModelError
from ...types import LLMResponse, ModelInfo
from ..provider_state import Target
from .clients import open_anthropic, open_openai, open_prepared, wait_loaded
from .endpoints import Endpoint
from .exchange import Response
from .failures import build_model_error, convert_transport_error, parse_failure
from .json_values import parse_json
from .model_list import parse_models

Sdk = Literal["anthropic", "openai"]
_OPENERS: Final[Mapping[Sdk, Callable[[Endpoint], Any]]] = {
    "anthropic": open_anthropic,
    "openai": open_openai,
}
_REQUEST_IDS: Final[Mapping[Sdk, str]] = {"anthropic": "request-id", "openai": "x-request-id"}
_MODEL_LISTS: Final[Mapping[Sdk, tuple[str, Mapping[str, Any]]]] = {
    "anthropic": ("/v1/models", {"limit": 1000}),
    "openai": ("/models", {}),
}
# Of 1,000 models each: a server whose cursor never ends must not hang `plainloop models`.
_MAX_PAGES: Final = 20
_LIST_TIMEOUT_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class SdkChannel:
    """Sends requests to one model's endpoint through an SDK's client."""

    sdk: Sdk  # also the name of its module
    target: Target
    endpoint: Endpoint
    # Extra headers that a body requires.
    to_headers: Callable[[Mapping[str, Any]], Mapping[str, str]] = lambda _: {}

    async def send(
        self, path: str, body: Mapping[str, Any], timeout_s: float, *, stream: bool = False
    ) -> Response:
        """POST the body as the SDK would and return the response.

        Raises: the SDK's typed errors.
        The SDK builds an endpoint's request once. Its typed methods would copy the body, check it
        against pydantic and encode it by `json`: a sixth of what a call takes. A whole address is
        parsed once, a path is merged with the client's own and parsed three times.
        """
        import httpx2

        endpoint, headers, content = self.endpoint, self.to_headers(body), orjson.dumps(body)
        open_client = _OPENERS[self.sdk]
        url = endpoint.base_url.rstrip("/") + path
        prepared = await open_prepared(open_client, endpoint, url, timeout_s, headers)
        if prepared is not None:
            return await prepared.send(content, stream=stream)
        return await open_client(endpoint).post(
            url,
            cast_to=httpx2.Response,
            content=content,
            stream=stream,
            options={"timeout": timeout_s, "headers": headers},
        )

    def failures(self) -> tuple[type[Exception], ...]:
        """Return the classes of exceptions that a call raises: the SDK's and the HTTP client's."""
        import httpx2

        return (importlib.import_module(self.sdk).APIError, httpx2.HTTPError)

    def convert_error(self, error: Exception, partial: LLMResponse | None = None) -> ModelError:
        """Convert an error of the SDK or of its connection to a ModelError."""
        if not isinstance(error, importlib.import_module(self.sdk).APIStatusError):
            return convert_transport_error(error, self.target, self.endpoint.base_url, partial)
        stated: Any = error
        response = stated.response
        try:
            body: object = parse_json(response.content)  # the SDK keeps only what is in `error`
        except ValueError:
            body = stated.body
        failure = parse_failure(body, stated.status_code, response.headers, fallback=stated.message)
        return build_model_error(failure, self.target, partial)

    @contextmanager
    def converting(self) -> Generator[None]:
        """Convert errors raised inside the block to ModelErrors."""
        try:
            yield
        except self.failures() as error:
            raise self.convert_error(error) from error

    def read_request_id(self, headers: Mapping[str, str]) -> str | None:
        return headers.get(_REQUEST_IDS[self.sdk])

    async def list_models(self) -> list[ModelInfo]:
        """List the models at the endpoint, sorted by id.

        A model without a name has its id as name.

        Raises: ModelError subclasses.
        """
        await wait_loaded()
        import httpx2

        path, params = _MODEL_LISTS[self.sdk]
        client = _OPENERS[self.sdk](self.endpoint)
        timeout_s = self.endpoint.timeout_s or _LIST_TIMEOUT_S
        models: list[ModelInfo] = []
        for _ in range(_MAX_PAGES):
            options: Any = {"timeout": timeout_s, "params": params}
            with self.converting():  # raw: the SDK's pages are what its vendor sends, and no more
                response = await client.get(path, cast_to=httpx2.Response, options=options)
            page, after = parse_models(response.content, self.target, response.headers)
            params = {**params, "after_id": after}
            models += page
            if after is None:
                break
        return sorted(models, key=lambda model: model.id)
