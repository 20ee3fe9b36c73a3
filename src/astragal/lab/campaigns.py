"""Campaign simulation: a party through tests, fights, rests and the other steps of a file, evening by evening.

Every step is a command of the game, run by the engine itself, so no rule is written twice. A run is played at a table
in memory, with dice that depend on the seed and on its number alone: which process plays it makes no difference. Or all
runs are played side by side, and those in the same state draw together from exact odds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, as_completed
from functools import lru_cache, partial
from hashlib import sha256
from math import fsum
from random import Random
from typing import Annotated, Any, Literal, NamedTuple, Protocol

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
from .turns import Array

MOST_ROUNDS = 60
"""Rounds after which a fight is broken off."""
PIECE = 4
"""Runs that are sent to a worker at a time."""
ATTACK = "attack"
GAME_MASTER = "The lab"
PLAYERS = "The players"
TRUSTING = {"trusting": True}


class Command(NamedTuple):
    """A command by its name, with its fields as plain values."""

    name: str
    fields: Mapping[str, Any]


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


class Parties(NamedTuple):
    """Parties whose tables are in the same state."""

    state: State
    runs: int
    """How many there are."""


Choice = Callable[[State], Command | None]
"""Chooses a command for the tables in one state; None if nothing happens there."""


class _Party:
    """Plays a campaign step by step for all runs at once: the states that they are in, and how many are in each."""

    def __init__(self, campaign: Campaign, tables: EngineRun | BatchRun, runs: int) -> None:
        self.campaign = campaign
        self.tables = tables
        self.duel = duel_of(tables.game)
        self.groups: list[Parties] = [Parties(tables.start, runs)]
        self.attack = _attack_fields(tables.game)
        self.heroes: list[str] = []
        self.step_title = ""
        self.foes_met = 0
        self.felled = Counter[str]()
        self.refused = Counter[str]()

    def play(self, number: int) -> Run:
        game = self.tables.game
        make = game.heroes.make if game.heroes else ""
        self.heroes = [self._brought_in(Command(make, hero), self.tables.players) for hero in self.campaign.heroes]
        evenings = tuple(self.evening(evening) for evening in range(1, self.campaign.evenings + 1))
        count = sum(group.runs for group in self.groups)
        return Run(number=number, many=count, evenings=evenings, felled=self.felled, refused=self.refused)

    def evening(self, number: int) -> Evening:
        self._act(lambda _: Command("begin_evening", {}))
        for step in self.campaign.evening:
            if number % step.every == 0:
                self.step_title = step.title
                self.step(step)
        self._act(lambda _: Command("end_evening", {}))
        return self._summary()

    def _summary(self) -> Evening:
        """Count who stands, and add up what the heroes who stand have left."""
        standing = Counter[int]()
        left = np.zeros(len(self.duel.names))
        for state, count in self.groups:
            heroes = self._standing(state, self.heroes)
            standing[len(heroes)] += count
            left_of_party = np.zeros(len(self.duel.names))
            for hero in heroes:
                left_of_party += np.array(self._left(state, hero))
            left += count / len(self.heroes) * left_of_party
        counts = tuple(standing[number] for number in range(len(self.heroes) + 1))
        return Evening(standing=counts, left=tuple(left.tolist()))

    # ---------------------------------------------------------------- steps

    def step(self, step: Step) -> None:
        """Let a step happen: a fight, a command for each hero who stands, or one if anybody stands."""
        if step.fight:
            self.fight(step)
        elif step.each:
            for hero in self.heroes:
                self._act(partial(self._if_standing, [hero], Command(step.do, {**step.fields, step.each: hero})))
        else:
            self._act(partial(self._if_standing, self.heroes, Command(step.do, step.fields)))

    def _if_standing(self, heroes: Sequence[str], command: Command, state: State) -> Command | None:
        return command if self._standing(state, heroes) else None

    def fight(self, step: Step) -> None:
        """Let both sides attack in turn, each fighter the opponent who has least left."""
        if not any(self._standing(group.state, self.heroes) for group in self.groups):
            return
        if not all(self.attack):
            raise refusals.NoSuchThing(
                f"{self.tables.game.name} has no attack to fight with: give the steps as commands."
            )
        foes = [self._foe(name) for name in step.fight]
        for _ in range(MOST_ROUNDS):
            for hero in self.heroes:
                self._act(partial(self.strikes, hero, foes))
            for foe in foes:
                self._act(partial(self.strikes, foe, self.heroes))
            if not any(self._both_stand(group.state, foes) for group in self.groups):
                return

    def _both_stand(self, state: State, foes: Sequence[str]) -> bool:
        return bool(self._standing(state, self.heroes) and self._standing(state, foes))

    def _foe(self, name: str) -> str:
        """Bring in a foe of the campaign's file, numbered, since several may have the same name."""
        if name not in self.campaign.foes:
            listed = ", ".join(self.campaign.foes) or "none"
            raise refusals.NoSuchThing(f"The campaign has no foe {name!r}; there are {listed}.")
        self.foes_met += 1
        fields = {"name": f"{name} {self.foes_met}", **self.campaign.foes[name]}
        return self._brought_in(Command(self.tables.game.foes, fields), self.tables.seat)

    def strikes(self, fighter: str, opponents: Sequence[str], state: State) -> Command | None:
        facing = self._standing(state, opponents)
        if not facing or not self._standing(state, [fighter]):
            return None
        target = min(facing, key=lambda opponent: self._left(state, opponent)[0])
        return Command(ATTACK, {self.attack.actor: fighter, self.attack.target: target})

    def _standing(self, state: State, ids: Iterable[str]) -> list[str]:
        """Return those of these characters who are there, and neither down nor dead."""
        standing = []
        for character_id in ids:
            character = state.characters.get(character_id)
            if character and not self.duel.is_down(character.sheet) and not character.is_dead:
                standing.append(character_id)
        return standing

    def _left(self, state: State, character_id: str) -> Left:
        return self.duel.left(self.duel.of(state.characters[character_id].sheet, state.options))

    # ---------------------------------------------------------------- commands

    def _brought_in(self, command: Command, seat: str) -> str:
        """Bring a character in, in every state, and return its id; a file that does so wrongly is refused."""
        ids_before = set(self.groups[0].state.characters)
        self._act(lambda _: command, seat, strict=True)
        (new_id,) = set(self.groups[0].state.characters) - ids_before
        return new_id

    def _act(self, choose: Choice, seat: str = "", *, strict: bool = False) -> None:
        """Give each state the command that is chosen for it, and merge the states that are the same then."""
        self.tables.begin()
        groups: dict[bytes | None, Parties] = {}
        for group in self.groups:
            heroes_up = self._standing(group.state, self.heroes)
            for result in self._results(group, choose(group.state), seat, strict=strict):
                key = self.tables.key(result.state)
                count = groups[key].runs if key in groups else 0
                groups[key] = Parties(result.state, count + result.runs)
                fallen = len(heroes_up) - len(self._standing(result.state, heroes_up))
                if fallen:
                    self.felled[self.step_title] += fallen * result.runs
        self.groups = list(groups.values())

    def _results(self, group: Parties, command: Command | None, seat: str, *, strict: bool) -> list[Parties]:
        """Give the parties in one state a command. If the rules refuse it, nothing happens, and that is counted."""
        if command is None:
            return [group]
        try:
            return list(self.tables.act(group.state, group.runs, seat, command))
        except refusals.Refusal as refusal:
            if strict:
                raise
            self.refused[f"{command.name}: {refusal}"] += group.runs
            return [group]


class AttackFields(NamedTuple):
    """The fields of the command to attack that name attacker and target; empty if the game has none."""

    actor: str = ""
    target: str = ""


def _attack_fields(game: Ruleset) -> AttackFields:
    fields = AttackFields()
    for chapter in game.chapters:
        for action in chapter.actions:
            kind = kind_of_command(action.command)
            if action.card and kind.name == ATTACK:
                fields = AttackFields(kind.actor or "", action.card.target)
    return fields


class EngineRun:
    """One run on the engine itself: a table in memory, with seeded dice."""

    def __init__(self, tables: Tables, campaign: Campaign, seed: int) -> None:
        self.game = tables.game()
        self._spends = campaign.play == "greedy"
        dice = SeededDice(seed)
        chance = Random(seed)  # noqa: S311 - a rehearsal that can be played again
        self._host = Host(tables.store(), [self.game], dice=lambda _: dice, clock=lambda: 0, entropy=chance.randbytes)
        opened = self._host.open(
            self.game.id, name="A campaign", game_master=GAME_MASTER, options=campaign.options, house=TRUSTING
        )
        self._table = opened.table
        self.seat = opened.seat
        seated = self._host.act(self._table, self.seat, ("take_seat", {"name": PLAYERS}))
        self.players = seated.events[0].fields["seat"]["id"]
        self.start = self._host.look(self._table, self.seat)

    def begin(self) -> None:
        pass

    def key(self, _: State) -> None:
        """Return None: there is only one run."""

    def act(self, _: State, count: int, seat: str, command: Command) -> list[Parties]:
        self._host.act(self._table, seat or self.seat, (command.name, dict(command.fields)))
        while waiting := self._waiting():
            decider, decision = waiting
            answer = decision.choices[0].answer
            notable = [choice.answer for choice in decision.choices[1:] if choice.words]
            if notable and self._spends:
                answer = notable[0]
            self._host.act(self._table, decider, ("answer", {"act": decision.act, "answer": answer}))
        return [Parties(self._host.look(self._table, self.seat), count)]

    def _waiting(self) -> tuple[str, pending.OpenDecision] | None:
        """Return the first decision that is open, and the seat that makes it."""
        for seat in (self.seat, self.players):
            for decision in self._host.decisions(self._table, seat):
                if decision.choices:
                    return seat, decision
        return None


class BatchRun:
    """All runs together: a command's verdict is drawn from its exact odds, then told and folded as the engine does."""

    def __init__(self, tables: Tables, campaign: Campaign, seed: int) -> None:
        self.game = tables.game()
        self._book = registry.Book.of(self.game)
        self._policy: Policy = _spend if campaign.play == "greedy" else decline
        self._dice = np.random.default_rng(seed)
        self._commands = 0
        self.seat = "gm"
        self.players = "players"
        opened = registry.TableOpened(
            table="campaign",
            name="A campaign",
            ruleset=self.game.id,
            version=self.game.version,
            options=plain(validation.read(self.game.options, campaign.options)),
            house=validation.read(HouseOptions, TRUSTING),
            skin="",
            terms={},
        )
        self._history = self._book.history(opened)
        seats = [
            Seat(id=self.seat, name=GAME_MASTER, role=Role.GAME_MASTER),
            Seat(id=self.players, name=PLAYERS, role=Role.PLAYER),
        ]
        states, _ = settle(self._book, self._history, [SeatTaken(seat=seat) for seat in seats])
        self.start = states[-1]

    def begin(self) -> None:
        """Begin a new command: what it brings in has the same id in every state."""
        self._commands += 1

    def key(self, state: State) -> bytes:
        """Encode everything that a campaign changes at a table."""
        changed_parts = {}
        for name, part in parts_of(state).items():
            if part is not getattr(self.start, name):
                changed_parts[name] = part
        return msgspec.msgpack.encode(changed_parts, order="deterministic")

    def act(self, state: State, count: int, seat: str, command: Command) -> Iterator[Parties]:
        viewer = state.viewer(seat or self.seat)
        sent = (command.name, dict(command.fields))
        understood = parse.understood(self._book, state, viewer, sent, lambda: state)
        allow(state, viewer, understood)
        call = Call(state, viewer, f"{self._commands:032x}", Sight.OPEN)
        invocation = Invocation(self._book, call, self._book.action(command.name), understood)
        self._history.state = state
        for verdict, number in self._drawn(invocation.question(), count):
            if number:
                events = list(invocation.action.tell(call, understood, verdict))
                states, _ = settle(self._book, self._history, events)
                yield Parties(states[-1] if states else state, number)

    def _drawn(self, question: Question[Any] | None, count: int) -> list[tuple[Any, int]]:
        """Draw the verdicts of a command for all parties in one state: each verdict, and how many come to it."""
        if question is None:
            return [(None, count)]
        verdicts, chances = _weighed(question, self._policy)
        numbers = self._dice.multinomial(count, chances).tolist()
        return list(zip(verdicts, numbers, strict=True))


@lru_cache(maxsize=4096)
def _weighed(question: Question[Any], policy: Policy) -> tuple[list[Any], Array]:
    """Return the verdicts of a question and their chances. Cached, since most commands of a campaign are asked again.

    Of 4,096, the least recently used goes.
    """
    verdict_odds = odds(question, policy)
    chances = [weight / verdict_odds.total for weight in verdict_odds.weights.values()]
    return list(verdict_odds.weights), np.array(chances)


def _spend(offer: Offer[Any]) -> Any:
    """Answer with the first notable option, else the default."""
    notable = {note.answer for note in offer.notable}
    for answer in offer.options[1:]:
        if answer in notable:
            return answer
    return offer.options[0]


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
    runs = []
    for number in numbers:
        seed_of_run = int.from_bytes(sha256(f"{seed}/{number}".encode()).digest()[:8], "big")
        runs.append(_Party(campaign, EngineRun(tables, campaign, seed_of_run), 1).play(number))
    return runs


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
    numbers_done = {run.number for run in done}
    numbers = [number for number in range(runs) if number not in numbers_done]
    pieces = [numbers[start : start + PIECE] for start in range(0, len(numbers), PIECE)]
    yield from done
    for played in _played_pieces(partial(play_some, tables, campaign, seed), pieces, executor):
        for run in played:
            keep(run)
            yield run


def _played_pieces(
    play: Callable[[Sequence[int]], list[Run]], pieces: Sequence[Sequence[int]], executor: Executor | None
) -> Iterator[list[Run]]:
    """Play pieces of the work one after the other, or in the executor, and yield each when it is done."""
    if executor is None:
        yield from map(play, pieces)
        return
    futures = [executor.submit(play, piece) for piece in pieces]
    for future in as_completed(futures):
        yield future.result()


def summed_up(tables: Tables, campaign: Campaign, runs: Iterable[Run], wanted: int) -> Outcome:
    """Sum runs up as distributions, whatever their order."""
    runs = sorted(runs, key=lambda run: run.number)
    count = sum(run.many for run in runs)
    standing = []
    left = []
    for number in range(campaign.evenings if runs else 0):
        evenings = [run.evenings[number] for run in runs]
        standing.append(_mean((evening.standing for evening in evenings), count))
        left.append(_mean((evening.left for evening in evenings), count))
    felled = Counter[str]()
    refused = Counter[str]()
    for run in runs:
        felled.update(run.felled)
        refused.update(run.refused)
    return Outcome(
        runs=count,
        wanted=wanted,
        names=duel_of(tables.game()).names,
        standing=tuple(standing),
        left=tuple(left),
        felled={title: number / count for title, number in felled.most_common()},
        refused=dict(refused),
    )


def _mean(rows: Iterable[Sequence[float]], count: int) -> tuple[float, ...]:
    """Average the rows, added up exactly so that the order makes no difference."""
    return tuple(fsum(column) / count for column in zip(*rows, strict=True))


def digest(campaign: Campaign, seed: int) -> str:
    """Hash a campaign with its seed, so that stored runs of another are not taken for its own."""
    return sha256(msgspec.json.encode((campaign, seed), order="sorted")).hexdigest()[:16]
