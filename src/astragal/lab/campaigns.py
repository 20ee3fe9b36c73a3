"""Campaign simulation: a party through tests, fights, rests and the other steps of a file, evening by evening.

Every step is a command of the game, run by the engine itself, so no rule is written twice. A run is played at a table
in memory, with dice that depend on the seed and on its number alone: which process plays it makes no difference. Or all
runs are played side by side, and those in the same state draw together from exact odds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from functools import lru_cache, partial
from hashlib import sha256
from itertools import starmap
from math import fsum
from random import Random
from typing import Annotated, Any, Literal, Protocol, TypeAlias

import msgspec
import numpy as np
from msgspec import field

from astragal.chance import Offer, Policy, Question, SeededDice, decline, odds
from astragal.game.fields import Doc, Ge, Le, MaxLen
from astragal.table import pending, refusals, registry
from astragal.table.authoring.chapter import Call
from astragal.table.authoring.duels import Left
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.chapters.seats import SeatTaken
from astragal.table.commands.execute import Invocation, allow, settle
from astragal.table.declarations import Role, Seat, Sight, Value, kind_of_command, parts_of
from astragal.table.fields import parse, validation
from astragal.table.host import Host
from astragal.table.log.store import Store
from astragal.table.state.table import HouseOptions, State
from astragal.table.visibility.redact import plain

from .duels import duel_of

MOST_ROUNDS = 60
"""Rounds after which a fight is broken off."""
PIECE = 4
"""Runs that are sent to a worker at a time."""
ATTACK = "attack"
GAME_MASTER, PLAYERS, TRUSTING = "The lab", "The players", {"trusting": True}
Command: TypeAlias = tuple[str, Mapping[str, Any]]


# ---------------------------------------------------------------- the file


class Step(Value):
    """One thing that happens in an evening: a command of the game, or a fight."""

    do: Annotated[str, Doc("the command that the game master gives")] = ""
    fields: Annotated[Mapping[str, Any], Doc("its fields")] = field(default_factory=dict)
    each: Annotated[str, Doc("the field that names a hero: the command is given for each who stands")] = ""
    fight: Annotated[tuple[str, ...], MaxLen(20), Doc("foes that are fought, by their names in the file")] = ()
    every: Annotated[int, Ge(1), Le(100), Doc("once in this many evenings")] = 1
    label: Annotated[str, Doc("what the result calls it")] = ""

    @property
    def title(self) -> str:
        return self.label or (" and ".join(self.fight) if self.fight else self.do)


class Campaign(Value):
    """A party, its foes, and what happens in each evening."""

    game: Annotated[str, Doc("the game's id")]
    heroes: Annotated[tuple[Mapping[str, Any], ...], Doc("fields of each hero, as the game makes them")]
    evening: Annotated[tuple[Step, ...], Doc("what happens in an evening, in this order")]
    foes: Annotated[Mapping[str, Mapping[str, Any]], Doc("fields of each foe, by name")] = field(default_factory=dict)
    options: Annotated[Mapping[str, Any], Doc("options of the table")] = field(default_factory=dict)
    evenings: Annotated[int, Ge(1), Le(100), Doc("how many there are")] = 3
    play: Annotated[Literal["decline", "greedy"], Doc("whether Luck and the like are spent when offered")] = "greedy"


# ---------------------------------------------------------------- one run


class Tables(Protocol):
    """Source of the game and of stores for runs, which can be sent to other processes."""

    def game(self) -> Ruleset: ...

    def store(self) -> Store: ...


class Evening(Value):
    """State of the parties at the end of an evening, over all runs that are counted together."""

    standing: tuple[int, ...]
    """Number of runs in which nobody stands, one hero, two …"""
    left: tuple[float, ...]
    """The numbers that a hero has left, added up over the runs; nothing for one who is down."""


class Run(Value):
    """A campaign, played once or many times together."""

    number: int
    many: int = 1
    evenings: tuple[Evening, ...]
    felled: Mapping[str, int]
    """The steps that brought heroes down, and how often."""
    refused: Mapping[str, int]
    """Steps that the rules refused, by their sentence, and how often."""


def play_together(tables: Tables, campaign: Campaign, runs: int, seed: int) -> Run:
    """Play a campaign many times, all runs side by side: those in the same state draw together, from exact odds.

    The rules are the engine's, in the same order; only dice, log and ledger are left out.
    """
    return _Party(campaign, BatchRun(tables, campaign, seed), runs).play(0)


class _Party:
    """Plays a campaign step by step for all runs at once: the states that they are in, and how many are in each."""

    def __init__(self, campaign: Campaign, tables: EngineRun | BatchRun, runs: int) -> None:
        self.campaign, self.tables, self.duel = campaign, tables, duel_of(tables.game)
        self.going: list[tuple[State, int]] = [(tables.start, runs)]
        self.attack = ("", "")
        """The fields of an attack that name attacker and target."""
        for action in (it for chapter in tables.game.chapters for it in chapter.actions if it.card):
            kind = kind_of_command(action.command)
            if kind.name == ATTACK and action.card:
                self.attack = kind.actor or "", action.card.target
        self.heroes: list[str] = []
        self.title, self.met = "", 0
        self.felled, self.refused = Counter[str](), Counter[str]()

    def play(self, number: int) -> Run:
        game = self.tables.game
        make = game.heroes.make if game.heroes else ""
        self.heroes = [self._made(make, hero, self.tables.players) for hero in self.campaign.heroes]
        evenings = [self.evening(evening) for evening in range(1, self.campaign.evenings + 1)]
        many = sum(many for _, many in self.going)
        return Run(number=number, many=many, evenings=tuple(evenings), felled=self.felled, refused=self.refused)

    def evening(self, number: int) -> Evening:
        self._act(lambda _: ("begin_evening", {}))
        for step in self.campaign.evening:
            if number % step.every == 0:
                self.title = step.title
                if step.fight:
                    self.fight(step)
                    continue
                each = [([hero], {**step.fields, step.each: hero}) for hero in self.heroes]
                for needed, fields in each if step.each else [(self.heroes, step.fields)]:
                    self._act(partial(self._if_up, needed, (step.do, fields)))
        self._act(lambda _: ("end_evening", {}))
        standing, left = Counter[int](), np.zeros(len(self.duel.names))
        for state, many in self.going:
            up = self._standing(state, self.heroes)
            standing[len(up)] += many
            left += many / len(self.heroes) * sum((np.array(self._left(state, one)) for one in up), left * 0)
        return Evening(
            standing=tuple(standing[count] for count in range(len(self.heroes) + 1)), left=tuple(left.tolist())
        )

    # ---------------------------------------------------------------- steps

    def _if_up(self, some: Sequence[str], command: Command, state: State) -> Command | None:
        return command if self._standing(state, some) else None

    def fight(self, step: Step) -> None:
        """Let both sides attack in turn, each fighter the opponent who has least left."""
        if not any(self._standing(state, self.heroes) for state, _ in self.going):
            return
        if not all(self.attack):
            raise refusals.NoSuchThing(
                f"{self.tables.game.name} has no attack to fight with: give the steps as commands."
            )
        foes = []
        for name in step.fight:
            if name not in self.campaign.foes:
                known = ", ".join(self.campaign.foes) or "none"
                raise refusals.NoSuchThing(f"The campaign has no foe {name!r}; there are {known}.")
            self.met += 1
            fields = {"name": f"{name} {self.met}", **self.campaign.foes[name]}
            foes.append(self._made(self.tables.game.foes, fields, self.tables.seat))
        for _ in range(MOST_ROUNDS):
            for mine, others in ((self.heroes, foes), (foes, self.heroes)):
                for one in mine:
                    self._act(partial(self.strikes, one, others))
            if not any(self._standing(state, self.heroes) and self._standing(state, foes) for state, _ in self.going):
                return

    def strikes(self, who: str, others: Sequence[str], state: State) -> Command | None:
        actor, target = self.attack
        facing = self._standing(state, others)
        if not facing or not self._standing(state, [who]):
            return None
        return ATTACK, {actor: who, target: min(facing, key=lambda one: self._left(state, one)[0])}

    def _standing(self, state: State, some: Iterable[str]) -> list[str]:
        known = [(one, state.characters.get(one)) for one in some]
        return [one for one, it in known if it and not self.duel.is_down(it.sheet) and not it.is_dead]

    def _left(self, state: State, who: str) -> Left:
        return self.duel.left(self.duel.of(state.characters[who].sheet, state.options))

    # ---------------------------------------------------------------- commands

    def _made(self, command: str, fields: Mapping[str, Any], seat: str) -> str:
        """Bring a character in, in every state; a file that does so wrongly is refused."""
        before = set(self.going[0][0].characters)
        self._act(lambda _: (command, fields), seat, strict=True)
        (made,) = set(self.going[0][0].characters) - before
        return made

    def _act(self, choose: Callable[[State], Command | None], seat: str = "", *, strict: bool = False) -> None:
        """Give each state the command that is chosen for it, and merge the states that are the same then."""
        self.tables.begin()
        after: dict[Any, tuple[State, int]] = {}
        for state, many in self.going:
            command = choose(state)
            up = self._standing(state, self.heroes)
            try:
                leads = list(self.tables.act(state, many, seat, command)) if command else [(state, many)]
            except refusals.Refusal as refusal:
                if strict:
                    raise
                leads = [(state, many)]
                self.refused[f"{command[0] if command else ''}: {refusal}"] += many
            for lead, count in leads:
                key = self.tables.key(lead)
                after[key] = lead, after.get(key, (lead, 0))[1] + count
                if fallen := len(set(up) - set(self._standing(lead, up))):
                    self.felled[self.title] += fallen * count
        self.going = list(after.values())


class EngineRun:
    """One run on the engine itself: a table in memory, with seeded dice."""

    def __init__(self, tables: Tables, campaign: Campaign, seed: int) -> None:
        self.game, self._greedy = tables.game(), campaign.play == "greedy"
        dice, chance = SeededDice(seed), Random(seed)  # noqa: S311 - a rehearsal that can be played again
        self._host = Host(tables.store(), [self.game], dice=lambda _: dice, clock=lambda: 0, entropy=chance.randbytes)
        opened = self._host.open(
            self.game.id, name="A campaign", game_master=GAME_MASTER, options=campaign.options, house=TRUSTING
        )
        self._table, self.seat = opened.table, opened.seat
        seated = self._host.act(self._table, self.seat, ("take_seat", {"name": PLAYERS}))
        self.players = seated.events[0].fields["seat"]["id"]
        self.start = self._host.look(self._table, self.seat)

    def begin(self) -> None:
        pass

    def key(self, _: State) -> Any:
        """Return None: there is only one run."""
        return None

    def act(self, _: State, many: int, seat: str, command: Command) -> list[tuple[State, int]]:
        self._host.act(self._table, seat or self.seat, (command[0], dict(command[1])))
        while waiting := self._waiting():
            decides, decision = waiting
            notable = [choice.answer for choice in decision.choices[1:] if choice.words]
            answer = notable[0] if notable and self._greedy else decision.choices[0].answer
            self._host.act(self._table, decides, ("answer", {"act": decision.act, "answer": answer}))
        return [(self._host.look(self._table, self.seat), many)]

    def _waiting(self) -> tuple[str, pending.OpenDecision] | None:
        for seat in (self.seat, self.players):
            for decision in self._host.decisions(self._table, seat):
                if decision.choices:
                    return seat, decision
        return None


class BatchRun:
    """All runs together: a command's verdict is drawn from its exact odds, then told and folded as the engine does."""

    def __init__(self, tables: Tables, campaign: Campaign, seed: int) -> None:
        self.game = tables.game()
        self._book, self._policy = registry.Book.of(self.game), _spend if campaign.play == "greedy" else decline
        self._dice, self._fresh = np.random.default_rng(seed), 0
        self.seat, self.players = "gm", "players"
        options = plain(validation.read(self.game.options, campaign.options))
        opened = registry.TableOpened(
            table="campaign",
            name="A campaign",
            ruleset=self.game.id,
            version=self.game.version,
            options=options,
            house=validation.read(HouseOptions, TRUSTING),
            skin="",
            terms={},
        )
        self._history = self._book.history(opened)
        people = ((self.seat, GAME_MASTER, Role.GAME_MASTER), (self.players, PLAYERS, Role.PLAYER))
        taken = [SeatTaken(seat=Seat(id=one, name=name, role=role)) for one, name, role in people]
        self.start = settle(self._book, self._history, taken)[0][-1]

    def begin(self) -> None:
        """Begin a new command: what it brings in has the same id in every state."""
        self._fresh += 1

    def key(self, state: State) -> Any:
        """Encode everything that a campaign changes at a table."""
        changing = {name: part for name, part in parts_of(state).items() if part is not getattr(self.start, name)}
        return msgspec.msgpack.encode(changing, order="deterministic")

    def act(self, state: State, many: int, seat: str, command: Command) -> Iterator[tuple[State, int]]:
        viewer = state.viewer(seat or self.seat)
        checked = parse.understood(self._book, state, viewer, (command[0], dict(command[1])), lambda: state)
        allow(state, viewer, checked)
        call = Call(state, viewer, f"{self._fresh:032x}", Sight.OPEN)
        invocation = Invocation(self._book, call, self._book.action(command[0]), checked)
        self._history.state = state
        question = invocation.question()
        drawn: list[tuple[Any, int]] = [(None, many)]
        if question is not None:
            verdicts, chances = _weighed(question, self._policy)
            drawn = list(zip(verdicts, self._dice.multinomial(many, chances).tolist(), strict=True))
        for verdict, count in drawn:
            if not count:
                continue
            states, _ = settle(self._book, self._history, list(invocation.action.tell(call, checked, verdict)))
            yield states[-1] if states else state, count


@lru_cache(maxsize=4096)
def _weighed(question: Question[Any], policy: Policy) -> tuple[list[Any], Any]:
    found = odds(question, policy)
    return list(found.weights), np.array([weight / found.total for weight in found.weights.values()])


def _spend(offer: Offer[Any]) -> Any:
    """Answer with the first notable option, else the default."""
    notable = {note.answer for note in offer.notable}
    return next((answer for answer in offer.options[1:] if answer in notable), offer.options[0])


# ---------------------------------------------------------------- many runs


class Outcome(Value):
    """Distributions over all runs that were played."""

    runs: int
    wanted: int
    names: tuple[str, ...]
    standing: tuple[tuple[float, ...], ...]
    """Share of parties of which nobody stands, one hero, two …, for each evening."""
    left: tuple[tuple[float, ...], ...]
    """Average numbers that a hero has left, for each evening."""
    felled: Mapping[str, float]
    """The steps that bring heroes down, and how often in a campaign."""
    refused: Mapping[str, int]

    @property
    def lost(self) -> float:
        """Share of parties of which nobody stands at the end."""
        return self.standing[-1][0] if self.standing else 0.0


def play_some(tables: Tables, campaign: Campaign, seed: int, numbers: Sequence[int]) -> list[Run]:
    """Play some of the runs on the engine, in any process. The same seed and number give the same run."""
    played = []
    for number in numbers:
        mixed = int.from_bytes(sha256(f"{seed}/{number}".encode()).digest()[:8], "big")
        played.append(_Party(campaign, EngineRun(tables, campaign, mixed), 1).play(number))
    return played


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
    """Play all runs that are not done yet, in any order. Each is passed to `keep` as soon as it is done."""
    known = {run.number for run in done}
    missing = [number for number in range(runs) if number not in known]
    work = [(tables, campaign, seed, missing[at : at + PIECE]) for at in range(0, len(missing), PIECE)]
    if executor is None:
        pieces: Iterator[list[Run]] = starmap(play_some, work)
    else:
        waiting: list[Future[list[Run]]] = [executor.submit(play_some, *piece) for piece in work]
        pieces = (one.result() for one in as_completed(waiting))
    yield from done
    for piece in pieces:
        for run in piece:
            keep(run)
            yield run


def summed_up(tables: Tables, campaign: Campaign, runs: Iterable[Run], wanted: int) -> Outcome:
    """Sum runs up as distributions, whatever their order."""
    played = sorted(runs, key=lambda run: run.number)
    count = sum(run.many for run in played)
    evenings = [[run.evenings[place] for run in played] for place in range(campaign.evenings if played else 0)]
    felled, refused = Counter[str](), Counter[str]()
    for run in played:
        felled.update(run.felled)
        refused.update(run.refused)
    return Outcome(
        runs=count,
        wanted=wanted,
        names=duel_of(tables.game()).names,
        standing=tuple(_mean((one.standing for one in some), count) for some in evenings),
        left=tuple(_mean((one.left for one in some), count) for some in evenings),
        felled={what: often / count for what, often in felled.most_common()},
        refused=dict(refused),
    )


def _mean(rows: Iterable[Sequence[float]], count: int) -> tuple[float, ...]:
    """Average the rows, added up exactly so that the order makes no difference."""
    return tuple(fsum(column) / count for column in zip(*rows, strict=True))


def digest(campaign: Campaign, seed: int) -> str:
    """Hash a campaign with its seed, so that stored runs of another are not taken for its own."""
    return sha256(msgspec.json.encode((campaign, seed), order="sorted")).hexdigest()[:16]
