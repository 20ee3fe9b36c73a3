"""Campaigns: a party through tests, fights, rests and what else a file says, evening by evening, on the engine itself.

Every step is a command of the game, given at a table in memory with seeded dice, so that no rule is written again. The
dice of a run depend on the seed and on its number alone: who plays it makes no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from hashlib import sha256
from random import Random
from typing import Annotated, Any, Literal, NamedTuple, Protocol

import msgspec

from astragal.chance import SeededDice
from astragal.game.fields import Doc, Ge, Le, MaxLen
from astragal.table.authoring.declarations import kind_of_command
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.fields.values import Value, field
from astragal.table.host import Host
from astragal.table.log.store import Store
from astragal.table.pending import OpenDecision
from astragal.table.refusals import NoSuchThing, Refusal

from .duels import duel_of

MOST_ROUNDS = 60
"""A fight that goes on longer is broken off."""
PIECE = 4
"""Runs that a worker is sent at a time."""


# ---------------------------------------------------------------- the file


class Step(Value):
    """One thing that happens in an evening: a command of the game, or a fight."""

    do: Annotated[str, Doc("the command that the game master gives")] = ""
    fields: Annotated[Mapping[str, Any], Doc("its fields")] = field(default_factory=dict)
    each: Annotated[str, Doc("the field that names a hero: the command is given for each who stands")] = ""
    fight: Annotated[tuple[str, ...], MaxLen(20), Doc("foes that are fought, by their names in the file")] = ()
    every: Annotated[int, Ge(1), Le(100), Doc("in every so manieth evening")] = 1
    label: Annotated[str, Doc("what the result calls it")] = ""

    @property
    def title(self) -> str:
        return self.label or (" and ".join(self.fight) if self.fight else self.do)


class Campaign(Value):
    """A party, the foes, and what happens in an evening, again and again."""

    game: Annotated[str, Doc("the game's id")]
    heroes: Annotated[tuple[Mapping[str, Any], ...], Doc("fields of each hero, as the game makes them")]
    evening: Annotated[tuple[Step, ...], Doc("what happens in an evening, in this order")]
    foes: Annotated[Mapping[str, Mapping[str, Any]], Doc("fields of each foe, by name")] = field(default_factory=dict)
    options: Annotated[Mapping[str, Any], Doc("options of the table")] = field(default_factory=dict)
    evenings: Annotated[int, Ge(1), Le(100), Doc("how many there are")] = 3
    play: Annotated[Literal["decline", "greedy"], Doc("whether Luck and the like are spent when offered")] = "greedy"


# ---------------------------------------------------------------- one run


class Tables(Protocol):
    """Where a run is played: what finds the game and opens a store, in whichever process."""

    def game(self) -> Ruleset: ...

    def store(self) -> Store: ...


class Evening(Value):
    """How a party stands when an evening is over."""

    standing: int
    left: tuple[float, ...]
    """What the heroes have left on average, number by number; nothing where one is down."""


class Run(Value):
    """One campaign, played through."""

    number: int
    evenings: tuple[Evening, ...]
    felled: tuple[str, ...]
    """What brought a hero down, each time."""
    refused: Mapping[str, int]
    """Steps that the rules did not allow, by their sentence."""


def play_run(tables: Tables, campaign: Campaign, seed: int, number: int) -> Run:
    """Play a campaign once. The same seed and number give the same run anywhere."""
    return _Table(tables, campaign, seed, number).play()


class _Table:
    def __init__(self, tables: Tables, campaign: Campaign, seed: int, number: int) -> None:
        game = tables.game()
        self.campaign, self.number, self.duel = campaign, number, duel_of(game)
        mixed = int.from_bytes(sha256(f"{seed}/{number}".encode()).digest()[:8], "big")
        dice, chance = SeededDice(mixed), Random(mixed)  # noqa: S311 - a rehearsal that can be played again
        self.host = Host(tables.store(), [game], dice=lambda _: dice, clock=lambda: 0, entropy=chance.randbytes)
        opened = self.host.open(
            game.id, name="A campaign", game_master="The lab", options=campaign.options, house={"trusting": True}
        )
        self.table, self.seat = opened.table, opened.seat
        seated = self.host.act(self.table, self.seat, ("take_seat", {"name": "The players"}))
        self.players = seated.events[0].fields["seat"]["id"]
        self.attack = _attack_of(game)
        self.foe_command, self.hero_command = game.foes, game.heroes.make if game.heroes else ""
        self.refused: dict[str, int] = {}
        self.felled: list[str] = []

    def play(self) -> Run:
        self.heroes = [self._made(self.hero_command, hero, self.players) for hero in self.campaign.heroes]
        evenings = [self._evening(number) for number in range(1, self.campaign.evenings + 1)]
        return Run(number=self.number, evenings=tuple(evenings), felled=tuple(self.felled), refused=dict(self.refused))

    def _evening(self, number: int) -> Evening:
        self._try("begin_evening", {})
        for step in self.campaign.evening:
            if number % step.every == 0 and self._standing(self.heroes):
                before = self._standing(self.heroes)
                self._take(step)
                self.felled += [step.title] * len(set(before) - set(self._standing(self.heroes)))
        self._try("end_evening", {})
        state = self.host.look(self.table, self.seat)
        sheets = [state.characters[one].sheet for one in self.heroes]
        lefts = [
            (0,) * len(self.duel.names)
            if self.duel.is_down(sheet)
            else self.duel.left(self.duel.of(sheet, state.options))
            for sheet in sheets
        ]
        mean = tuple(sum(numbers) / len(lefts) for numbers in zip(*lefts, strict=True))
        return Evening(standing=len(self._standing(self.heroes)), left=mean)

    # ---------------------------------------------------------------- steps

    def _take(self, step: Step) -> None:
        if step.fight:
            self._fight(step)
        elif step.each:
            for hero in self._standing(self.heroes):
                self._try(step.do, {**step.fields, step.each: hero})
        else:
            self._try(step.do, dict(step.fields))

    def _fight(self, step: Step) -> None:
        """Both sides attack in turn, each at whoever of the others has least left."""
        met = len(self.host.look(self.table, self.seat).characters)
        foes = [
            self._made(self.foe_command, {"name": f"{name} {number}", **self._foe(name)}, self.seat)
            for number, name in enumerate(step.fight, met)
        ]
        command, actor, target = self.attack
        for _ in range(MOST_ROUNDS):
            for mine, others in ((self.heroes, foes), (foes, self.heroes)):
                for one in mine:
                    facing = self._weakest(others)
                    if facing is None or not self._standing(mine):
                        return
                    if one in self._standing(mine):
                        self._try(command, {actor: one, target: facing})

    def _foe(self, name: str) -> Mapping[str, Any]:
        if name not in self.campaign.foes:
            raise NoSuchThing(f"The campaign has no foe {name!r}; there are {', '.join(self.campaign.foes) or 'none'}.")
        return self.campaign.foes[name]

    def _weakest(self, some: Sequence[str]) -> str | None:
        state = self.host.look(self.table, self.seat)
        left = {
            one: self.duel.left(self.duel.of(state.characters[one].sheet, state.options))
            for one in self._standing(some)
        }
        return min(left, key=lambda one: left[one][0], default=None)

    def _standing(self, some: Iterable[str]) -> list[str]:
        characters = self.host.look(self.table, self.seat).characters
        return [one for one in some if not self.duel.is_down(characters[one].sheet) and not characters[one].is_dead]

    # ---------------------------------------------------------------- commands

    def _made(self, command: str, fields: Mapping[str, Any], seat: str) -> str:
        """Bring somebody in; a file that does so wrongly is refused."""
        before = set(self.host.look(self.table, self.seat).characters)
        self.host.act(self.table, seat, (command, dict(fields)))
        (made,) = set(self.host.look(self.table, self.seat).characters) - before
        return made

    def _try(self, command: str, fields: Mapping[str, Any]) -> None:
        try:
            self.host.act(self.table, self.seat, (command, dict(fields)))
            while waiting := self._waiting():
                seat, decision = waiting
                answer = {"act": decision.act, "answer": self._answer(decision)}
                self.host.act(self.table, seat, ("answer", answer))
        except Refusal as refusal:
            self.refused[f"{command}: {refusal}"] = self.refused.get(f"{command}: {refusal}", 0) + 1

    def _waiting(self) -> tuple[str, OpenDecision] | None:
        for seat in (self.seat, self.players):
            for decision in self.host.decisions(self.table, seat):
                if decision.choices:
                    return seat, decision
        return None

    def _answer(self, waiting: OpenDecision) -> Any:
        """The default comes first; whoever is greedy takes the first that is worth showing."""
        notable = [choice.answer for choice in waiting.choices[1:] if choice.words]
        return notable[0] if notable and self.campaign.play == "greedy" else waiting.choices[0].answer


def _attack_of(game: Ruleset) -> tuple[str, str, str]:
    """The game's attack: the command whose card has a target, and the fields of both."""
    for chapter in game.chapters:
        for action in chapter.actions:
            kind = kind_of_command(action.command)
            if kind.name == "attack" and action.card and action.card.target and kind.actor:
                return kind.name, kind.actor, action.card.target
    return "", "", ""


# ---------------------------------------------------------------- many runs


class Outcome(Value):
    """Distributions over all runs that were played."""

    runs: int
    wanted: int
    names: tuple[str, ...]
    standing: tuple[tuple[float, ...], ...]
    """For each evening the share of parties of which nobody stands, one, two …"""
    left: tuple[tuple[float, ...], ...]
    """For each evening what a hero has left on average."""
    felled: Mapping[str, float]
    """What brings heroes down, and how often in a campaign."""
    refused: Mapping[str, int]

    @property
    def lost(self) -> float:
        """Share of parties of which nobody stands in the end."""
        return self.standing[-1][0] if self.standing else 0.0


class Job(NamedTuple):
    tables: Tables
    campaign: Campaign
    seed: int
    numbers: tuple[int, ...]


def play_some(job: Job) -> list[Run]:
    """Play a piece of the work, in whichever process."""
    return [play_run(job.tables, job.campaign, job.seed, number) for number in job.numbers]


def play_runs(
    tables: Tables,
    campaign: Campaign,
    *,
    runs: int,
    seed: int = 1,
    executor: Executor | None = None,
    done: Sequence[Run] = (),
    keep: Callable[[Run], None] = lambda run: None,
) -> Iterator[Run]:
    """Play all runs that are not done yet, in any order; each is kept as soon as it is there."""
    known = {run.number for run in done}
    missing = [number for number in range(runs) if number not in known]
    jobs = [Job(tables, campaign, seed, tuple(missing[at : at + PIECE])) for at in range(0, len(missing), PIECE)]
    if executor is None:
        pieces: Iterator[list[Run]] = map(play_some, jobs)
    else:
        waiting: list[Future[list[Run]]] = [executor.submit(play_some, job) for job in jobs]
        pieces = (one.result() for one in as_completed(waiting))
    yield from done
    for piece in pieces:
        for run in piece:
            keep(run)
            yield run


def summed_up(tables: Tables, campaign: Campaign, runs: Iterable[Run], wanted: int) -> Outcome:
    """Distributions over runs, whatever their order."""
    played = sorted(runs, key=lambda run: run.number)
    count = len(played) or 1
    standing, left = [], []
    for place in range(campaign.evenings if played else 0):
        evenings = [run.evenings[place] for run in played]
        parties = [sum(one.standing == many for one in evenings) / count for many in range(len(campaign.heroes) + 1)]
        standing.append(tuple(parties))
        left.append(tuple(sum(numbers) / count for numbers in zip(*(one.left for one in evenings), strict=True)))
    felled, refused = dict[str, float](), dict[str, int]()
    for run in played:
        for what in run.felled:
            felled[what] = felled.get(what, 0) + 1
        for sentence, often in run.refused.items():
            refused[sentence] = refused.get(sentence, 0) + often
    return Outcome(
        runs=len(played),
        wanted=wanted,
        names=duel_of(tables.game()).names,
        standing=tuple(standing),
        left=tuple(left),
        felled={what: often / count for what, often in sorted(felled.items(), key=lambda one: -one[1])},
        refused=refused,
    )


def digest(campaign: Campaign, seed: int) -> str:
    """Names a campaign with its seed, so that what was kept of another is not taken for it."""
    return sha256(msgspec.json.encode((campaign, seed), order="sorted")).hexdigest()[:16]
