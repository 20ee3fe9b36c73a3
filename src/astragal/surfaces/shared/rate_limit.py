"""Rate limits: token buckets, with bursts and a steady rate."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock

MOST_REMEMBERED = 10_000


@dataclass(frozen=True)
class Pace:
    """So many requests at once, and then so many a second."""

    burst: int
    per_second: float


class Buckets:
    """A bucket of tokens for each who asks: a request takes one, and they come back with time.

    `clock` gives seconds; a clock that jumps back gives nothing and takes nothing.
    """

    def __init__(self, pace: Pace, clock: Callable[[], float]) -> None:
        self._pace, self._clock = pace, clock
        self._lock = Lock()
        self._left: dict[Hashable, tuple[float, float]] = {}
        """Tokens left, and when that was."""

    def wait(self, who: Hashable) -> float:
        """Take a token: nothing to wait for, or the seconds until there is one."""
        now = self._clock()
        with self._lock:
            left = self._tokens(who, now)
            if left < 1:
                return (1 - left) / self._pace.per_second
            if len(self._left) >= MOST_REMEMBERED:  # whose bucket is full again needs none
                kept = {one: at for one, at in self._left.items() if self._tokens(one, now) < self._pace.burst}
                self._left = kept if len(kept) < MOST_REMEMBERED else {}  # all begin anew rather than fill the memory
            self._left[who] = (left - 1, now)
            return 0

    def __len__(self) -> int:
        """How many are remembered."""
        return len(self._left)

    def _tokens(self, who: Hashable, now: float) -> float:
        left, when = self._left.get(who, (self._pace.burst, now))
        return min(float(self._pace.burst), left + max(0.0, now - when) * self._pace.per_second)
