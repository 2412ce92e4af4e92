"""What the OpenAI SDK raises, as our errors: the same for both of its protocols."""

from __future__ import annotations

from agent.errors import ModelError
from agent.providers.clients import Endpoint, open_openai
from agent.providers.failures import build_model_error, convert_transport_error, parse_failure
from agent.providers.provider_state import Target
from agent.providers.types import LLMResponse, ModelInfo


def openai_failures() -> tuple[type[Exception], ...]:
    """The classes to catch around a call; the raw stream raises the HTTP client's own."""
    import httpx2
    import openai

    return (openai.APIError, httpx2.HTTPError)


def convert_openai_error(
    error: Exception, target: Target, endpoint: Endpoint, partial: LLMResponse | None = None
) -> ModelError:
    """The SDK's error as one of our classes."""
    from openai import APIStatusError

    if not isinstance(error, APIStatusError):
        return convert_transport_error(error, target, endpoint.base_url, partial)
    failure = parse_failure(
        error.body, error.status_code, error.response.headers, fallback=error.message
    )
    return build_model_error(failure, target, partial)


async def list_openai_models(target: Target, endpoint: Endpoint) -> list[ModelInfo]:
    """The models behind the endpoint, sorted by id; their names are their ids."""
    try:
        page = open_openai(endpoint).models.list()
        models = [ModelInfo(model.id, model.id) async for model in page]
    except openai_failures() as error:
        raise convert_openai_error(error, target, endpoint) from error
    return sorted(models, key=lambda model: model.id)
