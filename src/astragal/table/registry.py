"""Registry of a game's commands, events, folds and rules: its ruleset joined with the chapters that every table has."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, Self

from msgspec import Struct

from astragal.chance import Rule
from astragal.table.authoring.chapter import Action, Chapter, Event, EventSpec, Reaction
from astragal.table.authoring.ruleset import PROTOCOL, Ruleset
from astragal.table.chapters import EVERYDAY, SHARED, cast, chat, oracle, prompts
from astragal.table.commands.builtin import BUILTIN_COMMANDS, HISTORY, decision_chapter
from astragal.table.declarations import Nature, Role, Seen, convert, kind_of_command
from astragal.table.fields.lookup import ALIKE, Named, Things, normalised
from astragal.table.ledger_writer import LEDGER
from astragal.table.log.codec import Codec
from astragal.table.log.history import History
from astragal.table.refusals import UnknownCommand
from astragal.table.state.setting import Adventure, Setting, renamed_words, with_terms
from astragal.table.state.table import HouseOptions, State, TableState
from astragal.table.state.things import Audience, Handout, Note

OPENING = Chapter(seen=Seen.ALL)
MOST_MEANT = 3
"""Most commands that a refusal suggests."""


@OPENING.event("table_opened", nature=Nature.LASTING, says="“{name}” is opened")
class TableOpened(Event):
    """A table was opened."""

    table: str
    name: str
    ruleset: str
    version: str
    options: Mapping[str, Any]
    house: HouseOptions
    skin: str
    terms: Mapping[str, str]
    setting: Setting = Setting()


class Book(Struct, frozen=True):
    """Registry of the commands, events, reactions and rules of one game."""

    ruleset: Ruleset
    commands: Mapping[str, type]
    actions: Mapping[str, Action[Any, Any]]
    event_specs: Mapping[type, EventSpec[Any]]
    reactions: Mapping[type, tuple[Reaction[Any], ...]]
    kinds: Mapping[str, Things]
    """Lookups of the things of each kind that a field can name."""
    codec: Codec
    rules: Mapping[str, Rule[..., Any]]
    """The game's own rules, by name."""
    by_role: Mapping[Role, Mapping[str, type]]
    """The commands that each role may give."""

    @classmethod
    def of(cls, ruleset: Ruleset) -> Self:
        moves = oracle.dealing((*SHARED, *ruleset.chapters))
        numbers = cast.overriding(ruleset.overrides)
        requests = prompts.requesting(ruleset.difficulties, ruleset.asked_otherwise)
        made = (requests, numbers, cast.sampling(ruleset), moves)
        chapters = (OPENING, decision_chapter(ruleset.answer_words), HISTORY, LEDGER, *SHARED, *made, *ruleset.chapters)
        event_specs = [one for chapter in chapters for one in chapter.event_specs]
        actions = [one for chapter in chapters for one in chapter.actions]
        _all_different([one.name for one in event_specs])
        kinds_of_commands: list[type] = [*BUILTIN_COMMANDS, *(one.command for one in actions)]
        _all_different([kind_of_command(one).name for one in kinds_of_commands])
        commands = {kind_of_command(one).name: one for one in kinds_of_commands}
        own = [action.name for chapter in ruleset.chapters for action in chapter.actions]
        ordered = {name: commands[name] for name in (*own, *commands)}
        kinds = {kind: things for chapter in chapters for kind, things in chapter.named.items()}
        kinds |= {
            "price": lambda _: [Named(name, name) for name in ruleset.prices],
            "roll": lambda _: [Named(one.name, one.name) for one in actions if one.gather is not None],
        }
        reactions: defaultdict[type, list[Reaction[Any]]] = defaultdict(list)
        for chapter in chapters:
            for reaction in chapter.reactions:
                reactions[reaction.event].append(reaction)
        return cls(
            ruleset,
            commands,
            {one.name: one for one in actions},
            {one.event: one for one in event_specs},
            {kind: tuple(some) for kind, some in reactions.items()},
            kinds,
            Codec(event_specs, (oracle.deal_move, chat.free_roll, *oracle.RULES, *ruleset.rules), ruleset.sheet),
            {rule.name: rule for rule in ruleset.rules},
            {role: {name: one for name, one in ordered.items() if role in kind_of_command(one).may} for role in Role},
        )

    @property
    def stamp(self) -> str:
        """Protocol, game and version that a snapshot must match."""
        return f"{PROTOCOL}/{self.ruleset.id}/{self.ruleset.version}"

    def action(self, name: str) -> Action[Any, Any]:
        if name not in self.actions:
            raise UnknownCommand(f"This table has no command {str(name)[:40]!r}.{self.meant(name, self.actions)}")
        return self.actions[name]

    def command(self, name: str) -> type:
        """Return the command of this name, the game's or a shared one. Raises `UnknownCommand`."""
        if name not in self.commands:
            raise UnknownCommand(f"This table has no command {str(name)[:40]!r}.{self.meant(name, self.commands)}")
        return self.commands[name]

    def commands_for(self, role: Role) -> Mapping[str, type]:
        """Return the commands that a role may give: the game's own first, then those that every table has."""
        return self.by_role[role]

    def everyday(self, command: str) -> tuple[str, ...]:
        """Return the words that people search for a command with, besides its name."""
        beside = self.actions[command].everyday if command in self.actions else ""
        said = self.ruleset.everyday.get(command) or beside or EVERYDAY.get(command, "")
        return tuple(filter(None, map(str.strip, said.split(","))))

    def meant(self, said: object, names: Iterable[str]) -> str:
        """Suggest commands: " Did you mean …?" with those that share a word with `said` in their name or everyday
        words, else those that begin with it, else the one with the closest spelling. Empty if none is close.
        """
        wanted = normalised(str(said)[:40])
        words = {word for word in wanted.split() if len(word) > 2}
        known = {name: {*normalised(name).split(), *(one.casefold() for one in self.everyday(name))} for name in names}
        near = get_close_matches(wanted, [name for name, called in known.items() if words & called], MOST_MEANT, 0)
        near = near or [name for name in known if len(wanted) > 2 and normalised(name).startswith(wanted)][:MOST_MEANT]
        near = near or get_close_matches(wanted.replace(" ", "_"), list(known), 1, ALIKE)
        return f" Did you mean {' or '.join(near)}?" if near else ""

    def fold(self, state: State, happened: Any) -> State:
        fold = self.event_specs[type(happened)].fold
        return state if fold is None else fold(state, happened)

    def begin(self, opened: TableOpened) -> State:
        """Return the state of a table that was just opened."""
        options: Any = convert(opened.options, self.ruleset.options)
        adventure = opened.setting.adventure
        return TableState(
            id=opened.table,
            name=opened.name,
            ruleset=self.ruleset.id,
            options=options,
            house=opened.house,
            game=self.ruleset.begin(options),
            skin=opened.skin,
            terms=with_terms(self.ruleset.terms, opened.terms),
            renamed=renamed_words(self.ruleset.terms, opened.terms),
            setting=opened.setting,
            **(_laid_ready(adventure) if adventure else {}),
        )

    def history(self, opened: TableOpened) -> History:
        return History(self.begin(opened), {kind: one.fold for kind, one in self.event_specs.items()})


def _laid_ready(adventure: Adventure) -> dict[str, Any]:
    """Return the parts of a new table's state that an adventure fills, for the game master alone."""
    secrets = [
        Note(
            id=f"secret-{number}",
            title=one.title,
            words=one.words,
            author="",
            audience=Audience.GAME_MASTER,
            seat=None,
        )
        for number, one in enumerate(adventure.secrets, 1)
    ]
    props = [Handout(id=one.id, title=one.title, words=one.words, picture=one.picture) for one in adventure.props]
    laid: dict[str, Any] = {"scenes": adventure.scenes, "clocks": adventure.clocks, "notes": secrets, "handouts": props}
    return {part: {one.id: one for one in things} for part, things in laid.items()}


def _all_different(names: list[str]) -> None:
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise ValueError(f"declared twice: {', '.join(sorted(twice))}")
