"""Rules that nothing ends, asked for everything, in a process that may take little memory: what is said of each.

Run as a program, it prints a JSON object: by the rule and the reading, the kind of error and its sentence.
"""

import json
import resource
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from astragal.chance import (
    Die,
    Offer,
    Question,
    Rolls,
    SeededDice,
    advise,
    advise_ahead,
    d6,
    d20,
    hits,
    odds,
    odds_grid,
    play,
    rule,
)
from astragal.chance.contract import faults_in_play

MEMORY = 2 * 1024**3
SECONDS = 120


@rule
def until_high() -> Rolls[int]:
    while True:
        face = yield from d6  # where it stands
        if face > 3:
            return face


@rule
def until_low() -> Rolls[int]:
    while True:
        face = yield from d6
        if face <= 3:
            return face


@rule
def all_but_ten() -> Rolls[int]:
    while True:
        face = yield from d20
        if face != 10:
            return face


@rule
def sixes_again() -> Rolls[int]:
    total = 0
    while True:
        face = yield from d6
        total += face
        if face < 6:
            return total


@rule
def a_fortune() -> Rolls[int]:
    total = 0
    while total < 10**9:
        total += yield from Die(1000)
    return total


@rule
def no_dice(times: int = 0) -> Rolls[int]:
    while True:
        times += yield from hits(0, d6, at_least=3)


@rule
def ever_the_same() -> Rolls[int]:
    while (yield from Offer("hero", "go on", (1,))):
        pass
    return 0


@rule
def push_your_luck() -> Rolls[int]:
    total = 0
    while (yield from Offer("hero", "again", (0, 1))):
        total += yield from d6
    return total


@rule
def thrice_and_high() -> Rolls[int]:
    thrown = 0
    for _ in range(3):
        thrown += yield from d20
    return thrown + (yield from until_high())


@rule
def ever_deeper(depth: int = 0) -> Rolls[int]:
    return (yield from ever_deeper(depth + 1))


def high() -> Rolls[int]:
    while True:
        face = yield from d6  # where it stands, left to another
        if face > 3:
            return face


@rule
def left_to_another() -> Rolls[int]:
    return (yield from high())


QUESTIONS: list[Question[Any]] = [
    until_high(),
    until_low(),
    all_but_ten(),
    sixes_again(),
    a_fortune(),
    no_dice(),
    ever_the_same(),
    push_your_luck(),
    thrice_and_high(),
    ever_deeper(),
    left_to_another(),
]

READINGS: dict[str, Callable[[Question[Any]], object]] = {
    "odds": odds,
    "few paths": lambda question: odds(question, most_paths=20_000),
    "odds of answers": lambda question: odds(question, []),
    "advise": lambda question: advise(question, lambda value: value, side="hero"),
    "advise_ahead": lambda question: advise_ahead(
        lambda _: question, times=2, purse=1, aim=lambda value: value, price=lambda _: 0, side="hero"
    ),
    "play": lambda question: play(question, SeededDice(7)),
}


def said(ask: Callable[[], object]) -> str:
    try:
        ask()
    except Exception as fault:  # noqa: BLE001 - whatever it is, is what is said
        return f"{type(fault).__name__}: {fault}"
    return "answered"


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    found = {
        f"{reading} of {question.rule.name}": said(partial(ask, question))
        for question in QUESTIONS
        for reading, ask in READINGS.items()
    }
    found["grid of no_dice"] = said(lambda: odds_grid(no_dice, times=range(3)))
    found["contract of push_your_luck"] = " ".join(faults_in_play(push_your_luck(), range(2)))
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
