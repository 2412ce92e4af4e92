"""Google Gemini through the official SDK's public stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any, Final

from ...errors import ConfigError, ModelError
from ...types import ChatRequest, Embeddings, LLMResponse, ModelInfo, StreamDelta
from ..files import fit_files
from ..http.clients import open_gemini, wait_loaded
from ..http.endpoints import Endpoint
from ..http.exchange import fold_events
from ..http.failure_kinds import Failure
from ..http.failures import (
    SHAPE_ERRORS,
    build_cut_error,
    build_model_error,
    build_shape_error,
    check_stop,
    convert_transport_error,
    parse_failure,
    read_answer,
    try_partial,
)
from ..http.stated_usage import build_usage
from ..provider_state import Target
from ..state_reader import StateReader
from .fold import ContentFold
from .wire import is_before_3, to_config, to_contents

if TYPE_CHECKING:
    from google.genai import types as genai_types


# The SDK demands contents of its own types; `extra_body` replaces these before they are sent.
_REPLACED: Final = [{"role": "user", "parts": [{"text": "-"}]}]


class GeminiProvider:
    """A client of one Gemini model."""

    def __init__(
        self, target: Target, endpoint: Endpoint, *, search_grounding: bool = False
    ) -> None:
        """Make a client of one model. search_grounding: it may search with Google beside our tools.

        Raises: ConfigError for a model that can only do one of both.
        """
        if search_grounding and is_before_3(target):
            raise ConfigError(
                f"{target.model} cannot use search grounding and tools in one request",
                hint="Unset AGENT_GEMINI_SEARCH_GROUNDING, or choose Gemini 3 or later.",
            )
        self.provider, self.model, self.refuses = target.provider, target.model, target.refuses
        self.efforts = target.quirks.efforts
        self.base_url, self.owner = endpoint.base_url, target.owner
        self._target = target
        self._endpoint = endpoint
        self._search_grounding = search_grounding

    async def generate(self, request: ChatRequest) -> LLMResponse:
        call, notes = self._build(request)
        await wait_loaded()
        try:
            response = await open_gemini(self._endpoint).models.generate_content(**call)
        except _failures() as error:
            raise _convert_error(error, self._target, self._endpoint) from error
        fold = ContentFold(request, self._target, notes)
        try:
            fold.add(response)
        except SHAPE_ERRORS as error:
            raise build_shape_error(error, self._target) from error
        return _checked(fold, self._target)

    def generate_stream(self, request: ChatRequest) -> AsyncGenerator[StreamDelta | LLMResponse]:
        call, notes = self._build(request)
        return call_gemini(
            call, self._endpoint, ContentFold(request, self._target, notes), self._target
        )

    def build_sent(self, request: ChatRequest) -> tuple[str, Any]:
        return self._endpoint.base_url, self._build(request)[0]

    async def list_models(self) -> list[ModelInfo]:
        await wait_loaded()
        try:
            pager = await open_gemini(self._endpoint).models.list()
            models = [
                ModelInfo(name, model.display_name or name)
                async for model in pager
                if (name := (model.name or "").removeprefix("models/"))
                and "generateContent" in (model.supported_actions or ["generateContent"])
            ]
        except _failures() as error:
            raise _convert_error(error, self._target, self._endpoint) from error
        return sorted(models, key=lambda model: model.id)

    async def embed(self, texts: Sequence[str], timeout_s: float) -> Embeddings:
        """Embed texts in one request, or in one request each if the model would merge them."""
        seconds = self._endpoint.timeout_s or timeout_s
        await wait_loaded()
        try:
            embeddings = await self._embed(texts, seconds)
            # The newer embedding model makes one vector of all texts of a request, and no error
            # (test_geminis_newer_embedding_model_gets_one_text_per_request).
            if len(embeddings.vectors) == 1 < len(texts):
                each = [await self._embed([text], seconds) for text in texts]
                embeddings = replace(
                    embeddings, vectors=[vector for one in each for vector in one.vectors]
                )
        except _failures() as error:
            raise _convert_error(error, self._target, self._endpoint) from error
        return embeddings

    async def _embed(self, texts: Sequence[str], timeout_s: float) -> Embeddings:
        response = await open_gemini(self._endpoint).models.embed_content(
            model=self._target.model,
            contents=list(texts),
            config={"http_options": {"timeout": int(timeout_s * 1000)}},
        )
        stated = response.usage_metadata
        return Embeddings(
            vectors=[list(item.values or ()) for item in response.embeddings or ()],
            usage=build_usage(
                None, prompt=stated.prompt_token_count if stated else None, has_answer=False
            ),
            model=self._target.model,
        )

    def _build(self, request: ChatRequest) -> tuple[dict[str, Any], list[str]]:
        states = StateReader(self._target)
        messages, left_out = fit_files(request.messages, self._target)
        contents = to_contents(messages, self._target, states)
        config, notes = to_config(
            request,
            self._target,
            self._endpoint.timeout_s or request.timeout_s,
            search_grounding=self._search_grounding,
        )
        # Through the SDK's types a message takes 0.2 ms; as a replacement it goes out as it is.
        config["http_options"]["extra_body"] = {"contents": contents}
        call = {"model": self._target.model, "contents": _REPLACED, "config": config}
        return call, [*left_out, *states.notes(), *notes]


async def call_gemini(
    call: Mapping[str, Any], endpoint: Endpoint, fold: ContentFold, target: Target
) -> AsyncGenerator[StreamDelta | LLMResponse]:
    """Stream one answer from Gemini: deltas, then the whole answer.

    Closing the stream closes the connection.

    The SDK's stream is read in a task of its own: the SDK leaves the connection open when its
    generator is closed, and closes it when the task that reads is cancelled.

    Raises: ModelError subclasses; `partial` is set once an answer had begun.
    """
    arrived: list[genai_types.GenerateContentResponse] = []
    woken = asyncio.Event()

    async def read() -> None:
        try:
            await wait_loaded()
            async for chunk in await open_gemini(endpoint).models.generate_content_stream(**call):
                arrived.append(chunk)
                woken.set()
        finally:
            woken.set()  # the last step of the task: who wakes finds it done

    reading = asyncio.create_task(read())
    try:
        while arrived or not reading.done():
            await woken.wait()
            woken.clear()
            # Another list, not a cleared one: `read` appends while the consumer of a delta keeps us
            # waiting.
            chunks, arrived = arrived, []
            for delta in fold_events(fold.add, chunks):
                yield delta
        await reading
    except _failures() as error:
        # After the finish reason nothing but repeated usage follows.
        if not fold.is_certain:
            # Of a connection that ended in a body the SDK does not tell that one had begun.
            is_cut = "without sending complete message body" in str(error)
            partial = try_partial(fold.finish) if fold.has_begun or is_cut else None
            raise _convert_error(error, target, endpoint, partial) from error
    finally:
        reading.cancel()
        with suppress(asyncio.CancelledError, *_failures()):
            await reading
    yield _checked(fold, target)


def _failures() -> tuple[type[Exception], ...]:
    import httpx2
    from google.genai.errors import APIError

    return (APIError, httpx2.HTTPError, *_unreadable())


def _unreadable() -> tuple[type[Exception], ...]:
    """Return the errors that the SDK raises for a body that is no answer: cut JSON, HTML, …

    The last comes as pydantic's ValueError or, from the SDK's own conversion, as anything.
    """
    from google.genai.errors import UnknownApiResponseError

    return (UnknownApiResponseError, *SHAPE_ERRORS)


def _convert_error(
    error: Exception, target: Target, endpoint: Endpoint, partial: LLMResponse | None = None
) -> ModelError:
    from google.genai.errors import APIError

    if isinstance(error, _unreadable()):
        if partial is not None:
            return build_cut_error(target, "unreadable event", partial)
        if not isinstance(error, JSONDecodeError):
            return build_shape_error(error, target)
        return build_model_error(Failure(error.doc[:2000], status=502), target)
    if not isinstance(error, APIError):
        return convert_transport_error(error, target, endpoint.base_url, partial)
    stated: Any = error  # the SDK leaves these attributes untyped
    headers: Any = getattr(stated.response, "headers", None) or {}
    failure = parse_failure(stated.details, stated.code, headers, fallback=str(error))
    return build_model_error(failure, target, partial)


def _checked(fold: ContentFold, target: Target) -> LLMResponse:
    """Return the answer; raise if it was cut or its finish reason says that the server gave up."""
    answer = read_answer(fold.finish, target)
    if not fold.is_complete:
        raise build_cut_error(target, "no finish reason", answer)
    return check_stop(answer, target)
