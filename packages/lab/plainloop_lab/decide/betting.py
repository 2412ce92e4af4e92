"""Tests that may be looked at after every turn: bets that the candidate is worse.

Threads are given to the candidate by lot. If that changed nothing (or cost less than the margin), a
fair bet on "the candidate's are worse" wins nothing in the long run, whatever the turns are: the
capital is a supermartingale, and that it ever grows twentyfold has a chance of 1 in 20 at most
(Ville 1939). So it may be looked at as often as one likes; a z-test looked at daily may not.
The stake is the growth-optimal one of Turner, Ly and Grünwald's test of two proportions ("Generic
E-variables for exact sequential k-sample tests that allow for optional stopping", 2024), with the
candidate drawn by lot in place of blocks, and spread over small, middle and great losses. What a
turn costs and how long it takes has no greatest value: there the bet is `AmountBet`.

Turns of one thread hang together: only one of each may be in a bet. So there is one bet for the
threads' first turns, another one for their second ones, and so on; each has its share of alpha.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from plainloop.agent.dataclasses import asdict, dataclass, field

# How much the odds of a good turn fall (as exponents of e), with the share of the capital on it.
LOSSES: Final = ((0.7, 0.55), (1.4, 0.3), (2.8, 0.15))
TURNS: Final = 8  # of a thread that count
# Of alpha, for the first turns; of the rest half for the second ones, …
_FIRST, _REST = 0.8, 0.2
_KNOWN: Final = (9.0, 10.0)  # what is believed of turns before any: so many good, of so many
_MOST: Final = 0.95  # of the capital that one turn can take
_LEAST: Final = 1e-4  # and that much below 1: a rate that can still be bet on
# How much more than allowed the candidate's turns cost, with the share of the capital on it.
EXCESSES: Final = ((0.15, 0.3), (0.4, 0.4), (1.2, 0.3))
_WARMING: Final = 30  # amounts that are not bet on: they say how great amounts are
_CAP: Final = 2.0  # times the greatest of those; what is beyond it counts as much


@dataclass(slots=True)
class Bet:
    """One bet. good, seen: of both sides. logs: of the capital on each of `LOSSES`."""

    good: float = _KNOWN[0]
    seen: float = _KNOWN[1]
    logs: list[float] = field(default_factory=lambda: [0.0] * len(LOSSES))

    @property
    def log_capital(self) -> float:
        """Return the logarithm of the capital, which starts at 1."""
        return _sum_logs(self.logs, LOSSES)

    def add(self, value: float, share: float, margin: float, *, is_candidate: bool) -> None:
        """Add one turn to the test of whether the candidate is worse.

        The capital grows while the candidate is worse. value: 0 bad to 1 good. share: of threads
        that the candidate is given.

        Under "at most `margin` worse" the expected factor is 1 at most, whatever the stake: `gain`
        is in the mean what the candidate loses, less the margin. Stakes know earlier turns only.
        """
        rate = min(max(self.good / self.seen, _LEAST), 1 - _LEAST)
        weight = -1 / share if is_candidate else 1 / (1 - share)
        gain = weight * (value - rate) - margin
        worst = margin + max((1 - rate) / share, rate / (1 - share))
        for n, (loss, _) in enumerate(LOSSES):
            stake = share * (rate - _find_rate(rate, share, loss)) / (rate * (1 - rate))
            self.logs[n] += math.log1p(min(stake, _MOST / worst) * gain)
        self.good += value
        self.seen += 1


@dataclass(slots=True)
class AmountBet:
    """One bet that the candidate's amounts (0 or more, less is better) are greater in the mean.

    Each counts up to a cap, which is fixed by the first ones of both sides before any is bet on. So
    one endless turn decides nothing, and what only rare turns beyond the cap cost is not seen.
    Nothing else is assumed of how amounts are distributed, nor that they stay alike over the day.
    total, squares, seen: of both sides, as parts of the cap.
    """

    first: list[float] = field(default_factory=list[float])
    cap: float = 0.0
    total: float = 0.0
    squares: float = 0.0
    seen: int = 0
    logs: list[float] = field(default_factory=lambda: [0.0] * len(EXCESSES))

    @property
    def log_capital(self) -> float:
        """Return the logarithm of the capital, which starts at 1."""
        return _sum_logs(self.logs, EXCESSES)

    def add(self, value: float, share: float, margin: float, *, is_candidate: bool) -> None:
        """Add one turn to the test of whether the candidate costs more or is slower.

        The capital grows while the candidate's amount is greater. margin: 0.2 allows the candidate
        a mean 20 % greater.

        Under that the mean of `gain` is 0 at most; stakes know earlier turns only.
        """
        if not self.cap:
            self.first = [*self.first[1 - _WARMING :], max(value, 0.0)]
            # Where nothing costs anything yet, nothing can be told of how much things cost.
            if len(self.first) == _WARMING and max(self.first) > 0:
                self.cap = _CAP * max(self.first)
                for known in self.first:
                    self._know(known / self.cap)
                self.first = []
            return
        part = min(max(value, 0.0) / self.cap, 1.0)
        mean = self.total / self.seen
        spread = max(0.0, self.squares / self.seen - mean * mean)
        beside = (1 + margin) / (1 - share)
        gain = (part - mean) * (1 / share if is_candidate else -beside) - margin * mean
        worst = margin * mean + max(mean / share, beside * (1 - mean))
        noise = spread * (1 / share + beside * (1 + margin))
        for n, (excess, _) in enumerate(EXCESSES):
            expected = excess * (1 + margin) * mean
            stake = expected / (noise + expected * expected)
            self.logs[n] += math.log1p(min(stake, _MOST / worst) * gain)
        self._know(part)

    def _know(self, part: float) -> None:
        self.total += part
        self.squares += part * part
        self.seen += 1


@dataclass(slots=True)
class Guard:
    """One measure of a canary. is_amount: 0 or more, less is better; else 0 bad to 1 good.

    bets: by turn of the thread. sums, counts: by side.
    """

    is_amount: bool = False
    bets: dict[int, Bet | AmountBet] = field(default_factory=dict[int, Bet | AmountBet])
    sums: dict[str, float] = field(default_factory=dict[str, float])
    counts: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, value: float, turn: int, share: float, margin: float, side: str) -> None:
        """Add one turn's value to the sums of a guard (a rule that stops a canary).

        The guard also bets on it if it is among the first TURNS turns of its thread. turn: its
        number in the thread, from 1.
        """
        self.sums[side] = self.sums.get(side, 0.0) + value
        self.counts[side] = self.counts.get(side, 0) + 1
        if turn <= TURNS:
            if turn not in self.bets:
                self.bets[turn] = AmountBet() if self.is_amount else Bet()
            self.bets[turn].add(value, share, margin, is_candidate=side == "candidate")

    @property
    def evidence(self) -> float:
        """Return a guard's evidence that the candidate is worse.

        It is the largest capital of its bets, each weighted by its bet's share of alpha. From
        1/alpha on it proves that the candidate is worse.
        """
        shares = [bet.log_capital + math.log(get_share(turn)) for turn, bet in self.bets.items()]
        return math.exp(min(700.0, max(shares, default=0.0)))

    def get_mean(self, side: str) -> float | None:
        """Return a side's mean of the guard's measure.

        None without turns.
        """
        return self.sums[side] / self.counts[side] if self.counts.get(side) else None

    def to_json(self) -> dict[str, Any]:
        """Convert the guard's state to JSON, to store it with the rollout."""
        bets = {str(turn): asdict(bet) for turn, bet in self.bets.items()}
        told = {"bets": bets, "sums": self.sums, "counts": self.counts}
        return {"is_amount": True, **told} if self.is_amount else told

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> Guard:
        """Restore a guard from its stored state."""
        is_amount = bool(given.get("is_amount"))
        kind = AmountBet if is_amount else Bet
        bets = {int(turn): kind(**bet) for turn, bet in given["bets"].items()}
        return cls(is_amount, bets, dict(given["sums"]), dict(given["counts"]))


def get_share(turn: int) -> float:
    """Return the share of alpha (the error rate) that the bet on the nth turns gets.

    turn: n, from 1.

    >>> [get_share(turn) for turn in (1, 2, 3)]
    [0.8, 0.1, 0.05]
    """
    return _FIRST if turn == 1 else _REST / 2 ** (turn - 1)


def _sum_logs(logs: Sequence[float], spread: Sequence[tuple[float, float]]) -> float:
    top = max(logs)
    parts = zip(logs, spread, strict=True)
    return top + math.log(sum(share * math.exp(log - top) for log, (_, share) in parts))


def _find_rate(rate: float, share: float, loss: float) -> float:
    """Compute the candidate's rate of good turns if its odds are e^loss below the baseline's.

    rate: of both together; share: of the candidate's threads.
    """
    odds = math.exp(-loss)
    # The baseline's is a - b * rate then: a square equation of one root from 0 to 1.
    a, b = rate / (1 - share), share / (1 - share)
    square, linear = b * (1 - odds), 1 - a + odds * (a + b)
    root = math.sqrt(linear * linear + 4 * square * odds * a)
    if linear >= 0:  # two ways to write it, each exact where the other one is not
        return 2 * odds * a / (linear + root)
    return (root - linear) / (2 * square)
