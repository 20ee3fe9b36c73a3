"""Random legal heroes, each legal build as likely as any other: counted exactly, then drawn by number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from .accounts import STAMINA, Frame, Line, frame_of

Draw = Callable[[int], int]
"""Gives one of range(n), each as likely as any other."""

Frames = tuple[Frame, ...]


def random_hero(attributes: Sequence[str], budget: int, draw: Draw, theme: str | None = None) -> dict[str, int]:
    """SS-16: a legal build, uniformly drawn from all, or from those in which the theme is highest or shares that."""
    keys = (*attributes, STAMINA)
    families = _families(keys, theme)
    number = draw(sum(count(frames, budget) for frames in families))
    for frames in families:
        if number < count(frames, budget):
            return dict(zip(keys, build_by_number(frames, budget, number), strict=True))
        number -= count(frames, budget)
    raise AssertionError("the number drawn was not below the count")


def how_many(attributes: Sequence[str], budget: int, theme: str | None = None) -> int:
    """SS-16: the legal builds of a budget; with a theme, those in which it is highest or shares the highest place."""
    return sum(count(frames, budget) for frames in _families((*attributes, STAMINA), theme))


@lru_cache(maxsize=16_384)
def count(frames: Frames, budget: int) -> int:
    """How many ways there are to give each frame a score so that the budget pays for all of them."""
    if not frames:
        return int(budget >= 0)
    first, *others = frames
    return sum(count(tuple(others), budget - _balance(first, score)) for score in _scores(first))


def build_by_number(frames: Frames, budget: int, number: int) -> tuple[int, ...]:
    """The build with this number, from 0, in the order of their scores."""
    if not frames:
        return ()
    first, others = frames[0], frames[1:]
    for score in _scores(first):
        left = budget - _balance(first, score)
        ways = count(others, left)
        if number < ways:
            return (score, *build_by_number(others, left, number))
        number -= ways
    raise AssertionError("there are not so many builds")


def _scores(frame: Frame) -> range:
    return range(frame.least, frame.most + 1)


def _balance(frame: Frame, score: int) -> int:
    """SS-12: what the score costs, less what it is owed."""
    line = Line("", score, frame.baseline)
    return line.cost - line.credit


def _families(keys: tuple[str, ...], theme: str | None) -> tuple[Frames, ...]:
    """Frames for each place of the highest attribute, so that no build is counted twice; one without a theme."""
    frames = {key: frame_of(key) for key in keys}
    if theme is None:
        return (tuple(frames.values()),)
    return tuple(_topped(frames, theme, top) for top in _scores(frames[theme]))


def _topped(frames: dict[str, Frame], theme: str, top: int) -> Frames:
    """The theme exactly at the top, no other attribute past it. Stamina has a scale of its own."""
    lowered = {key: frame if key == STAMINA else replace(frame, most=top) for key, frame in frames.items()}
    return tuple({**lowered, theme: replace(frames[theme], least=top, most=top)}.values())
