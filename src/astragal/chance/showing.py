"""Questions about the faces that show, one face at a time: the state so far, a face, and how many dice show it."""

from __future__ import annotations

from typing import Any

from astragal.values import frozen

from .errors import BadStep


def all_of_them(seen: tuple[Any, ...], face: Any, count: int) -> tuple[Any, ...]:
    return seen + (face,) * count


def largest(largest: int, _face: Any, count: int) -> int:
    return max(largest, count)


def best_set(best: tuple[int, Any], face: Any, count: int) -> tuple[int, Any]:
    return (count, face) if count >= best[0] else best


def run(seen: tuple[Any, int, int], face: Any, _count: int) -> tuple[Any, int, int]:
    last, run, longest = seen
    run = run + 1 if last is not None and face == last + 1 else 1
    return face, run, max(run, longest)


def longest(seen: tuple[Any, int, int]) -> int:
    return seen[2]


def last(_seen: Any, face: Any, count: int) -> tuple[Any, int]:
    return face, count


def one_more(seen: int, _face: Any, _count: int) -> int:
    return seen + 1


def add(seen: int, face: int, count: int) -> int:
    return seen + face * count


def common(seen: int, _face: Any, mine: int, theirs: int) -> int:
    return seen + min(mine, theirs)


def nothing_left(wanted: int) -> bool:
    return wanted == 0


def second(seen: tuple[int, int]) -> int:
    return seen[1]


@frozen(slots=True)
class Sets:
    least: int

    def __call__(self, seen: tuple[int, ...], _face: Any, count: int) -> tuple[int, ...]:
        return tuple(sorted((*seen, count), reverse=True)) if count >= self.least else seen


@frozen(slots=True)
class Matching:
    size: int

    def __post_init__(self) -> None:
        if self.size < 1:
            raise BadStep(f"a group has 1 or more, not {self.size}")

    def __call__(self, seen: int, _face: Any, count: int) -> int:
        return seen + count // self.size


@frozen(slots=True)
class CountOf:
    faces: tuple[Any, ...]

    def __call__(self, seen: int, face: Any, count: int) -> int:
        return seen + count if face in self.faces else seen


@frozen(slots=True)
class Contains:
    wanted: tuple[tuple[Any, int], ...]

    def __call__(self, left: int, face: Any, count: int) -> int:
        return left - any(face == other and count >= many for other, many in self.wanted)


@frozen(slots=True)
class Beats:
    """Going down: how many more of mine than of theirs were seen (less than 0: of theirs), and how many of mine won."""

    ties: bool

    def __call__(self, seen: tuple[int, int], _face: Any, mine: int, theirs: int) -> tuple[int, int]:
        ahead, won = seen
        beaten = min(max(ahead, 0), theirs)  # those of theirs that stand against higher ones of mine
        beating = min(max(-ahead, 0), mine)  # those of mine that stand against higher ones of theirs
        even = min(theirs - beaten, mine - beating)
        return ahead + mine - theirs, won + beaten + (even if self.ties else 0)
