"""Rate limits: token buckets, with bursts and a steady rate; budgets of processor time."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import Lock

from msgspec import Struct

from astragal.background import processor_time

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
        self._pace = pace
        self._clock = clock
        self._lock = Lock()
        self._left: dict[Hashable, tuple[float, float]] = {}
        """Tokens left at a time, and that time, by client."""

    def wait(self, who: Hashable, tokens: float = 1) -> float:
        """Take a token, or several, and return 0; or return the seconds until there are so many."""
        moment = self._clock()
        with self._lock:
            tokens_left = self._tokens(who, moment)
            if tokens_left < tokens:
                return (tokens - tokens_left) / self._pace.per_second
            if len(self._left) >= MOST_REMEMBERED:  # forget full buckets
                last_by_user = {
                    user: at for user, at in self._left.items() if self._tokens(user, moment) < self._pace.burst
                }
                self._left = (
                    last_by_user if len(last_by_user) < MOST_REMEMBERED else {}
                )  # else forget all: memory has a limit
            self._left[who] = (tokens_left - tokens, moment)
            return 0

    def take_more(self, who: Hashable, tokens: float) -> None:
        """Take tokens for what has been done already, also more than there are; or give some back, if negative."""
        moment = self._clock()
        with self._lock:
            if who in self._left:
                self._left[who] = (self._tokens(who, moment) - tokens, moment)

    def __len__(self) -> int:
        """Number of clients that are remembered."""
        return len(self._left)

    def _tokens(self, who: Hashable, moment: float) -> float:
        tokens, when = self._left.get(who, (self._pace.burst, moment))
        return min(float(self._pace.burst), tokens + max(0.0, moment - when) * self._pace.per_second)


class TooMuchEffort(Exception):
    """A client has used up its processor time; `seconds` is the time to wait."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"{seconds:.1f} seconds to wait")
        self.seconds = seconds


class Effort:
    """Budgets of processor time, one for each client. A token is a tenth of a second.

    What a calculation will take is known only afterwards. So it begins with an advance, which limits how many of a
    client's can run at once, and then takes the rest of its time, or gives back what it did not need.
    """

    TOKENS_PER_SECOND = 10
    ADVANCE = 5
    """Tokens of the advance."""

    def __init__(self, pace: Pace, clock: Callable[[], float]) -> None:
        self._buckets = Buckets(pace, clock)

    @contextmanager
    def spent_by(self, who: Hashable) -> Iterator[None]:
        """Calculate something for a client, in this thread. Raises `TooMuchEffort` if its time is used up."""
        if seconds := self._buckets.wait(who, self.ADVANCE):
            raise TooMuchEffort(seconds)
        began = processor_time()
        try:
            yield
        finally:
            self._buckets.take_more(who, (processor_time() - began) * self.TOKENS_PER_SECOND - self.ADVANCE)
