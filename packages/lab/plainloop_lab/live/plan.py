"""A live replay as it is written down: what every process that works on it must do alike."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.core.spec import Pack
from plainloop.agent.dataclasses import asdict, dataclass, replace
from plainloop.agent.errors import InputError
from plainloop.agent.service.variants import PROMPTED, ROLE_SETTING, split_effort
from plainloop.agent.service.variants import Variant as LanePlan
from plainloop_lab.replay.sources.tool_schemas import ToolShape, make_closed_tool

from .lane import HistoryMode, LiveTurn
from .routing import NODES
from .words import WordMatcher

BASELINE: Final = "baseline"
CANDIDATE: Final = "candidate"
JUDGE: Final = "judge"  # its items wait for those of the lanes that it judges
# Today's settings, asked twice in a sample of what was taken from the recording.
DRIFT: Final = ("drift", "drift_again")
QUOTED_CHARS: Final = 40  # of a changed prompt, in a name
MAX_NAMED: Final = 3  # prompts, in a name
COMPARED_WORDS: Final = 3_000  # of each prompt, for a name: comparing takes quadratic time
JUDGE_PROVIDER: Final = "AGENT_AGENTS_EVALUATOR_PROVIDER"
JUDGE_MODEL: Final = "AGENT_AGENTS_EVALUATOR_MODEL"
JUDGE_EFFORT: Final = "AGENT_AGENTS_EVALUATOR_EFFORT"
_WORD: Final = re.compile(r"\S+")
_ROLE: Final = re.compile("AGENT_AGENTS_[A-Z0-9_]+_(PROVIDER|MODEL)")


@dataclass(frozen=True, slots=True)
class LivePlan:
    """The plan of a live replay: variants, history, tools, limits.

    shapes: an imported source's tools; () for stored threads, whose pack has its own.
    """

    lanes: dict[str, LanePlan]
    history: HistoryMode = "recorded"
    allow_reads: bool = False
    shapes: tuple[ToolShape, ...] = ()
    requests_per_minute: int | None = None  # per provider and process; None: no limit
    sandbox: bool = False  # tools run for real, on a copy of the tenant's rows for each item
    judge: LanePlan | None = None  # prompts: `judge`, the rubric; None: nobody judges
    batch_api: bool = False  # models are asked by their providers' batch APIs, batch by batch
    # Calls wait while more live runs than this are at work in the process; None: they do not.
    beside: int | None = None
    share: bool = True  # lanes take each other's answers to the same requests
    # Where there is no baseline: the share of conversations in which what was taken from the
    # recording is bought all the same. 0: nothing is taken from it.
    drift: float = 0.0
    # Ids of replays whose baselines have answered some of the same conversations: this one's
    # baseline takes their answers to equal requests.
    answers_from: tuple[str, ...] = ()
    worker: str | None = None  # only turns that this worker answered in the recording; None: all
    # Only turns in which this role, one that routes requests, called its model in the recording;
    # they end where their worker would begin. None: all, to their end.
    role: str | None = None

    @property
    def all_lanes(self) -> dict[str, LanePlan]:
        """Return all variants of the replay by name, with the drift checks and the judge."""
        drifts = dict.fromkeys(DRIFT, LanePlan()) if self.shares_recording else {}
        judge = {} if self.judge is None else {JUDGE: self.judge}
        return {**self.lanes, **drifts, **judge}

    @property
    def shares_recording(self) -> bool:
        """Whether the candidate reuses recorded answers.

        A drift check then tests whether today's model still answers as recorded.
        """
        return self.share and self.drift > 0 and BASELINE not in self.lanes

    @property
    def compares_recording(self) -> bool:
        """Whether the candidate is compared with the recording.

        Recorded turns must then be complete.
        """
        return BASELINE not in self.lanes and self.history == "recorded"

    @property
    def waits(self) -> dict[str, list[str]]:
        """Return which variants must finish a conversation before a variant may start it.

        Keys are the variants that wait.
        """
        found = {JUDGE: [*self.lanes], **{name: [CANDIDATE] for name in DRIFT}}
        return found | ({CANDIDATE: [BASELINE]} if self.share else {})

    def has_turn(self, turn: LiveTurn) -> bool:
        """Whether this plan replays a turn.

        A plan for one worker or role replays only the turns in which it was called.
        """
        is_role = self.role is None or NODES[self.role] in turn.called
        return is_role and (self.worker is None or self.worker in turn.route)

    def list_lanes(self, n: int) -> list[str]:
        """List the variants that answer the nth conversation.

        Drift checks answer only a sample of the conversations.
        """
        every = max(1, round(1 / self.drift)) if self.drift else 1
        return [name for name in self.all_lanes if name not in DRIFT or n % every == 0]

    @property
    def name(self) -> str:
        """Describe the candidate and its reference for people: `gpt-6-luna against today`."""
        return self.describe(None)

    def describe(
        self, today: Mapping[str, str] | None, titles: Mapping[str, str] | None = None
    ) -> str:
        """Describe the candidate and its reference, and quote the changes to its prompts.

        today: the present prompts, by name, where they are known; None: nothing is quoted.
        titles: what the console calls workers and roles, by name; None: names stay as they are.
        """
        lane = self.lanes[CANDIDATE]
        rest, parts = dict(lane.settings), list[str]()
        roles = {match[1] for match in filter(None, map(ROLE_SETTING.fullmatch, rest))}
        for prefix in ("AGENT", *(f"AGENT_AGENTS_{role}" for role in sorted(roles))):
            named = [rest.pop(f"{prefix}_{it}", None) for it in ("PROVIDER", "MODEL", "EFFORT")]
            provider, model, effort = named
            role = prefix.removeprefix("AGENT").removeprefix("_AGENTS_").lower()
            if any(named):
                parts.append(f"{model or provider or ''}{f'@{effort}' if effort else ''}")
                parts[-1] += f" for {(titles or {}).get(role, role)}" if role else ""
        parts += [f"design {lane.design}"] if lane.design else []
        quotes = len(lane.prompts) == 1
        prompts = [
            (name if titles is None else titles.get(name, name.replace("_", " ").capitalize()))
            + (quote_change(today.get(name, ""), text) if quotes and today is not None else "")
            for name, text in sorted(lane.prompts.items())
        ]
        more = len(prompts) - MAX_NAMED
        if more > 1:  # nobody reads a name of six lines
            prompts[MAX_NAMED:] = [f"{more} others"]
        parts += [f"new prompt{'' if quotes else 's'} for {', '.join(prompts)}"] if prompts else []
        parts += [format_count(len(rest), "other setting")] if rest else []
        against = "today" if BASELINE in self.lanes else "the recorded answers"
        parts += ["routing only"] if self.role else []
        return f"{', '.join(parts) or 'The same again'} against {against}"

    def to_json(self) -> dict[str, Any]:
        """Convert the plan to JSON, to store it with a replay."""
        return asdict(self)

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> LivePlan:
        """Read a plan from JSON as it is stored with a replay.

        Raises: TypeError for what this version does not know and would not do.
        """
        rest = dict(given)
        lanes = {name: LanePlan(**lane) for name, lane in rest.pop("lanes").items()}
        shapes = tuple(ToolShape(**shape) for shape in rest.pop("shapes"))
        judge = rest.pop("judge", None)
        return cls(
            lanes=lanes,
            shapes=shapes,
            judge=None if judge is None else LanePlan(**judge),
            answers_from=tuple(rest.pop("answers_from", ())),
            **rest,
        )


def quote_change(before: str, after: str) -> str:
    """Quote the longest passage that is new in a prompt.

    Quotes the longest removed passage if none is new; "" if the prompts are equal.

    >>> quote_change("Be kind and brief.", "Be kind, brief and end with one step.")
    ' (“end with one step.”)'
    >>> quote_change("Be very kind.", "Be kind.")
    ' (without “very”)'
    """
    sides = [[*_WORD.finditer(text)][:COMPARED_WORDS] for text in (before, after)]
    words = ([match[0] for match in side] for side in sides)
    codes = WordMatcher(*words).get_opcodes()
    changes = [code for code in codes if code[0] != "equal"]
    new = [sides[1][begin:end] for _, _, _, begin, end in changes if begin < end]
    if runs := new or [sides[0][begin:end] for _, begin, end, _, _ in changes]:
        run = max(runs, key=lambda run: run[-1].end() - run[0].start())
        text = run[0].string[run[0].start() : run[-1].end()]
        line = " ".join(text.split("\n\n")[0].split())
        quoted = f"“{line[:QUOTED_CHARS]}{'…' if len(line) > QUOTED_CHARS else ''}”"
        return f" ({quoted})" if new else f" (without {quoted})"
    return ""


def choose_drift(candidate: LanePlan, share: float) -> float:
    """Return the share of conversations to check for drift (changed answers of today's model).

    0 if the candidate can reuse no recorded answers. That is so if the candidate's settings change
    more than who answers in some role: its requests may differ in bytes that recordings do not
    keep.
    """
    return share if all(map(_ROLE.fullmatch, candidate.settings)) else 0.0


def limit_to_routing(plan: LivePlan, *, is_imported: bool = False) -> LivePlan:
    """Limit a plan to the routing role whose model or prompt its candidate changes.

    is_imported: the conversations are not stored threads.

    Raises: InputError if the candidate changes anything else, or workers' answers are needed.
    """
    lane = plan.lanes[CANDIDATE]
    matches = {name: ROLE_SETTING.fullmatch(name) for name in lane.settings}
    changed = {name if match is None else match[1].lower() for name, match in matches.items()}
    changed |= {name.rpartition(".")[2] for name in lane.prompts}
    roles = {PROMPTED.get(name, name) for name in changed}
    if len(roles) != 1 or not roles <= NODES.keys():
        raise InputError(
            "a replay of only the routing needs a candidate that changes one routing role, but "
            f"this candidate changes {', '.join(sorted(changed)) or 'nothing'}",
            hint="Name a model for triage or for router, and change nothing else: "
            '`--candidate MODEL --for triage`, or over HTTP `"models": {"triage": "MODEL"}`.',
        )
    unfit = {
        "imported conversations": is_imported,
        "no baseline": BASELINE not in plan.lanes,
        "own history": plan.history == "own",
        "a judge": plan.judge is not None,
        "another design": lane.design is not None,
    }
    if wrong := [name for name, is_there in unfit.items() if is_there]:
        raise InputError(
            f"a replay of the routing alone runs no worker, so it cannot have {', '.join(wrong)}",
            hint="Leave out --only-routing (`only_routing`) to replay whole turns.",
        )
    return replace(plan, role=roles.pop())


def describe_source(text: str, sample: int | None, seed: int) -> str:
    """Describe the source of a replay's conversations and the sample drawn from it.

    Equal descriptions mean equal conversations.
    """
    return text if sample is None else f"{text}, {sample} drawn with seed {seed}"


def make_judge(model: str, rubric: str | None) -> LanePlan:
    """Make the judge's variant, with its model and rubric.

    model: `provider:model`, or a provider with its default one; `@effort` may follow. rubric None:
    our own.

    >>> make_judge("openai:gpt-6-luna@high", None).settings[JUDGE_MODEL]
    'gpt-6-luna'
    """
    named, effort = split_effort(model)
    provider, _, name = named.partition(":")
    values = {JUDGE_PROVIDER: provider, JUDGE_MODEL: name, JUDGE_EFFORT: effort}
    settings = {name: value for name, value in values.items() if value}
    return LanePlan(settings, {} if rubric is None else {JUDGE: rubric})


def make_imported_pack(shapes: tuple[ToolShape, ...]) -> Pack:
    """Make the pack for imported conversations.

    Its tools have the recorded schemas and cannot be executed.
    """
    return Pack("imported", "Imported tools", (), "react", tuple(map(make_closed_tool, shapes)))
