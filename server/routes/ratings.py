"""`/api/runs/{run_id}/rating`: what a user thought of an answer."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from ...agent.core.api import ApiRequest, ApiRoute
from ...agent.store.outcomes.ratings import Rating, Thumb, save_rating


class NewRating(Struct, forbid_unknown_fields=True):
    rating: Thumb | None  # None takes it back
    note: Annotated[str, Meta(max_length=2000, examples=["it left out the salary"])] = ""


class RunRating(Struct):
    rating: Rating | None


async def rate(request: ApiRequest, body: NewRating) -> RunRating:
    """Save or remove the caller's rating of a run's answer.

    Returns the rating. An answer's id in the AI SDK is its run's.
    """
    async with request.store.transaction(request.tenant_id) as tx:
        run_id = request.params["run_id"]
        return RunRating(await save_rating(tx, request.user_id, run_id, body.rating, body.note))


RATING_ROUTES: Final = (ApiRoute("PUT", "/api/runs/{run_id}/rating", rate, "Rate an answer"),)
