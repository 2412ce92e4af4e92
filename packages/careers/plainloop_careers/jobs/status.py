"""How far a job has come: the one definition, for tools, statistics, fast paths and rules."""

from __future__ import annotations

from typing import Final, Literal, get_args

from plainloop.agent.core.spec import FieldSpec, History

Status = Literal["saved", "applied", "interviewing", "offer", "accepted", "rejected", "withdrawn"]
STATUSES: Final[tuple[str, ...]] = get_args(Status)

STATUS: Final = FieldSpec(
    "status",
    "status",
    "enum",
    words=("status", "stage"),
    values={
        "saved": ("saved", "bookmarked", "shortlisted", "wishlisted", "on my wishlist"),
        "applied": ("applied",),
        "interviewing": (
            "interviewing",
            "interviewing with",
            "interviewing at",
            "interviewing for",
            "in interviews",
            "in the interview stage",
            "at the interview stage",
        ),
        "offer": (
            "offer",
            "offers",
            "offered",
            "with an offer",
            "with offers",
            "got an offer",
            "got offers",
            "an offer from",
            "offers from",
        ),
        "accepted": ("accepted",),
        "rejected": (
            "rejected",
            "rejected by",
            "rejected from",
            "rejected at",
            "rejection",
            "rejections",
            "turned down by",
            "turned down",
            "turned me down",
            "passed on",
            "knocked back by",
        ),
        "withdrawn": (
            *("withdrawn", "withdrawn from", "withdrew", "withdrew from", "withdraw"),
            *("pulled out of", "backed out of", "dropped out of", "pull out of"),
        ),
    },
    order=("saved", "applied", "interviewing", "offer", "accepted"),
    # Nobody is rejected, or withdraws, who has not applied.
    ends={"rejected": "applied", "withdrawn": "applied"},
    reached={
        "applied": (
            "applied",
            "applied to",
            "applied for",
            "applied at",
            "applied with",
            "sent",
            "sent out",
            "submitted",
            "send",
            "send out",
            *("put in", "put in for", "sent off", "send off", "handed in", "submit", "gone for"),
            *("went for", "filed", "gone out", "went out", "made"),
        ),
        "interviewing": ("interviewed", "interviewed with", "interviewed at", "interviewed for"),
    },
    undergone=("offer", "rejected"),
    history=History("careers_job_stages", "status", "reached_at"),
)
