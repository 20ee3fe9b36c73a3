"""Rate limits: token buckets, with bursts and a steady rate."""

from collections.abc import Callable, Hashable
from threading import Lock

from msgspec import Struct

MOST_REMEMBERED = 10_000


class Pace(Struct, frozen=True):
    """A rate: `burst` requests at once, and then `per_second`."""

    burst: int
    per_second: float


class Buckets:
    """Token buckets, one for each client: a request takes a token, and tokens come back with time.

    `clock` returns seconds. If it jumps back, no tokens are added and none are taken.
    """

    def __init__(self, pace: Pace, clock: Callable[[], float]) -> None:
        self._pace, self._clock = pace, clock
        self._lock = Lock()
        self._left: dict[Hashable, tuple[float, float]] = {}
        """Tokens left at a time, and that time, by client."""

    def wait(self, who: Hashable) -> float:
        """Take a token and return 0, or return the seconds until there is one."""
        now = self._clock()
        with self._lock:
            left = self._tokens(who, now)
            if left < 1:
                return (1 - left) / self._pace.per_second
            if len(self._left) >= MOST_REMEMBERED:  # forget full buckets
                kept = {one: at for one, at in self._left.items() if self._tokens(one, now) < self._pace.burst}
                self._left = kept if len(kept) < MOST_REMEMBERED else {}  # else forget all: memory has a limit
            self._left[who] = (left - 1, now)
            return 0

    def __len__(self) -> int:
        """Number of clients that are remembered."""
        return len(self._left)

    def _tokens(self, who: Hashable, now: float) -> float:
        left, when = self._left.get(who, (self._pace.burst, now))
        return min(float(self._pace.burst), left + max(0.0, now - when) * self._pace.per_second)
