"""A gate's rules, read from one TOML file. A field that nobody knows is refused."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from plainloop.agent.errors import ConfigError

from ..comparing.measures import BY_NAME

Demand = Literal["not_worse", "better"]
Unit = Literal["conversation", "task", "turn"]
SLICES: Final = ("worker", "tool", "tag", "language", "length", "rating")
Slice = Literal["worker", "tool", "tag", "language", "length", "rating"]
_SHARE: Final = re.compile(r"^(\d+(?:\.\d+)?) ?(pp|%)$")
_Texts = str | tuple[str, ...]


class Check(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An own assertion: 1 where all that it says holds, else 0.

    contains, lacks: texts, whatever their case. regex: searched for. json_schema: of an answer
    that is JSON. called, not_called: tools. arguments: that one call of `called` has, among others.
    python: "package.module:function", given the answer and its calls; true, false or 0 to 1.
    of: each turn by itself, the last one, or all answers and calls of the conversation together.

    Against the expected answer (`expected`; unset: the conversation's; where there is none, the
    check does not look): equals: the whole answer. numbers: all its numbers, true or a relative
    tolerance. json_path: values by path, or paths whose values are the expected ones. similar: the
    least similarity of the embeddings. facts: by a judge, no fact is missing or contradicted.
    """

    contains: _Texts = ()
    lacks: _Texts = ()
    regex: str = ""
    json_schema: dict[str, Any] | None = None
    called: _Texts = ()
    not_called: _Texts = ()
    arguments: dict[str, Any] = {}
    python: str = ""
    expected: Any = None
    equals: bool = False
    numbers: bool | Annotated[float, msgspec.Meta(ge=0)] = False
    json_path: dict[str, Any] | tuple[str, ...] = ()
    similar: Annotated[float, msgspec.Meta(gt=0, le=1)] | None = None
    facts: bool = False
    of: Literal["turn", "last", "conversation"] = "turn"

    @property
    def scored_kinds(self) -> tuple[Literal["similar", "facts"], ...]:
        """Return the kinds of score that this check needs from a model first."""
        found: list[Literal["similar", "facts"]] = ["similar"] if self.similar is not None else []
        return (*found, "facts") if self.facts else tuple(found)

    @property
    def needs_expected(self) -> bool:
        """Whether the check applies only to answers with a known expected answer."""
        is_by_path = bool(self.json_path) and not isinstance(self.json_path, dict)
        is_by_number = self.numbers is not False
        return self.equals or is_by_number or is_by_path or bool(self.scored_kinds)


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A demand on the candidate.

    measure: a check, a measure of replays, or a number in the conversations' lines.

    must: against the baseline, by `margin`: "2pp" (points), "5%" (of the baseline's mean) or a
    number. at_least, at_most: of the candidate alone, instead. unit: what counts as much as any
    other one. trials: a task passes when so many of its conversations, drawn at random, all do
    (pass^k). needed false: told, but no part of the verdict. where: only conversations with this
    label; by: the same told for each label. range: of the measure's values, where it is known.
    """

    measure: str
    must: Demand = "not_worse"
    margin: str | float = 0.0
    at_least: float | None = None
    at_most: float | None = None
    unit: Unit = "conversation"
    trials: Annotated[int, msgspec.Meta(ge=1)] = 1
    needed: bool = True
    better: Literal["more", "less"] | None = None
    range: tuple[float, float] | None = None
    where: dict[Slice, str] = {}
    by: tuple[Slice, ...] = ()

    @property
    def is_absolute(self) -> bool:
        """Whether the rule bounds the candidate's own value, without a baseline."""
        return self.at_least is not None or self.at_most is not None

    @property
    def is_compared(self) -> bool:
        """Whether the rule fails only if the candidate is proven to be worse than the baseline."""
        return not self.is_absolute and self.must == "not_worse"

    @property
    def direction(self) -> int:
        """Return 1 if more is better in the rule's measure, -1 if less is."""
        if self.is_absolute:
            return 1 if self.at_least is not None else -1
        known = BY_NAME.get(self.measure)
        chosen = self.better or (known.better if known else None) or "more"
        return 1 if chosen == "more" else -1

    @property
    def margins(self) -> tuple[Fraction, Fraction]:
        """Return the rule's margin as (amount, share of the baseline).

        One of them is 0. The amount is in the measure's unit, the share is of the baseline's value.
        """
        if not isinstance(self.margin, str):
            return Fraction(str(self.margin)), Fraction(0)
        found = _SHARE.match(self.margin)
        if found is None:
            raise ConfigError(
                f'the margin of {self.measure} is not valid: "{self.margin}"',
                hint='Write it like "2pp" or "5%".',
            )
        amount = Fraction(found[1]) / 100
        return (amount, Fraction(0)) if found[2] == "pp" else (Fraction(0), amount)

    @property
    def text(self) -> str:
        """Format the rule in a line, as reports show it."""
        where = "".join(f", {name} {label}" for name, label in self.where.items())
        name = self.measure if self.trials == 1 else f"{self.measure}^{self.trials}"
        if self.is_absolute:
            bound = f"≥ {self.at_least}" if self.at_least is not None else f"≤ {self.at_most}"
            return f"{name} {bound}{where}"
        margin = f" by {self.margin}" if self.margin else ""
        told = "better" if self.must == "better" else "not worse"
        return f"{name} {told}{margin}{where}"


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Says how a verdict is planned. alpha: the chance of a wrong verdict that is borne, each way.
    task: a regex whose first group in a conversation's id is its task; unset: `task` in its line,
    else each is its own. looks: after so many tasks a verdict may fall; (): once, over all. seed:
    of what is drawn.
    """

    alpha: Annotated[float, msgspec.Meta(gt=0, lt=0.5)] = 0.05
    task: str = ""
    looks: tuple[Annotated[int, msgspec.Meta(ge=1)], ...] = ()
    seed: int = 0


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    gate: Plan = Plan()
    check: dict[str, Check] = {}
    rule: tuple[Rule, ...] = ()


def read_rules(path: Path) -> Rules:
    """Read a gate's rules from a TOML file.

    Raises: ConfigError that names the field.
    """
    try:
        document: Mapping[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        rules = _bound_checks(msgspec.convert(document, Rules))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{path} cannot be read: {error}", hint="Check that it is the path of a TOML file."
        ) from error
    except msgspec.ValidationError as error:
        hint = "packages/lab/docs/deciding.md lists the fields."
        raise ConfigError(f"{path}: {error}", hint=hint) from error
    if not rules.rule:
        raise ConfigError(f"{path} has no [[rule]]", hint="Write at least one rule.")
    for rule in rules.rule:
        own, share = rule.margins
        if own < 0 or share < 0:
            raise ConfigError(
                f"{path}: the margin of {rule.measure} must not be negative",
                hint='Write the loss that you accept, such as "2pp".',
            )
        if rule.at_least is not None and rule.at_most is not None:
            raise ConfigError(
                f"{path}: {rule.measure} has both at_least and at_most: write a rule for each"
            )
        if rule.range is not None and not rule.range[0] < rule.range[1]:
            raise ConfigError(
                f"{path}: the range of {rule.measure} must begin with its lowest value",
                hint="Write it like range = [0, 5].",
            )
        if rule.trials > 1 and rule.unit != "task":
            raise ConfigError(
                f'{path}: {rule.measure} has trials = {rule.trials}, which needs unit = "task"',
                hint='Add unit = "task", or leave trials out.',
            )
    if list(rules.gate.looks) != sorted(set(rules.gate.looks)):
        raise ConfigError(
            f"{path}: the numbers in `looks` must increase",
            hint="Order them, as in looks = [50, 100, 200].",
        )
    for pattern in [rules.gate.task, *(check.regex for check in rules.check.values())]:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ConfigError(
                f"{path}: the regular expression {pattern!r} is not valid: {error}",
                hint="Correct the expression.",
            ) from error
    return rules


def _bound_checks(rules: Rules) -> Rules:
    """Return the rules with the range 0 to 1 for those whose measure is one of their own checks."""
    bounded = (
        msgspec.structs.replace(rule, range=(0.0, 1.0))
        if rule.range is None and rule.measure in rules.check
        else rule
        for rule in rules.rule
    )
    return msgspec.structs.replace(rules, rule=tuple(bounded))
