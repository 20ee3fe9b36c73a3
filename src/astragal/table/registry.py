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
        chapters = chapters_of(ruleset)
        event_specs = [spec for chapter in chapters for spec in chapter.event_specs]
        actions = [action for chapter in chapters for action in chapter.actions]
        _check_different([spec.name for spec in event_specs])
        commands = _commands_by_name([*BUILTIN_COMMANDS, *(action.command for action in actions)])

        things_by_kind: dict[str, Things] = {}
        reactions: defaultdict[type, list[Reaction[Any]]] = defaultdict(list)
        for chapter in chapters:
            things_by_kind.update(chapter.named)
            for reaction in chapter.reactions:
                reactions[reaction.event].append(reaction)
        rolls = [action.name for action in actions if action.gather is not None]
        things_by_kind["price"] = lambda _: [Named(name, name) for name in ruleset.prices]
        things_by_kind["roll"] = lambda _: [Named(name, name) for name in rolls]

        rules: tuple[Rule[..., Any], ...] = (oracle.deal_move, chat.free_roll, *oracle.RULES, *ruleset.rules)
        return cls(
            ruleset=ruleset,
            commands=commands,
            actions={action.name: action for action in actions},
            event_specs={spec.event: spec for spec in event_specs},
            reactions={event: tuple(reactions_to_event) for event, reactions_to_event in reactions.items()},
            kinds=things_by_kind,
            codec=Codec(event_specs, rules, ruleset.sheet),
            rules={rule.name: rule for rule in ruleset.rules},
            by_role=_commands_by_role(ruleset, commands),
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
        action = self.actions.get(command)
        listed = self.ruleset.everyday.get(command)
        if not listed and action is not None:
            listed = action.everyday
        listed = listed or EVERYDAY.get(command, "")
        phrases = (phrase.strip() for phrase in listed.split(","))
        return tuple(phrase for phrase in phrases if phrase)

    def meant(self, text: object, names: Iterable[str]) -> str:
        """Suggest commands: " Did you mean …?" with those that share a word with the text in their name or everyday
        words, else those that begin with it, else the one with the closest spelling. Empty if none is close.
        """
        typed = normalised(str(text)[:40])
        all_names = list(dict.fromkeys(names))
        suggestions = self._sharing_a_word(typed, all_names)
        if not suggestions and len(typed) > 2:
            suggestions = [name for name in all_names if normalised(name).startswith(typed)][:MOST_MEANT]
        if not suggestions:
            suggestions = get_close_matches(typed.replace(" ", "_"), all_names, 1, ALIKE)
        return f" Did you mean {' or '.join(suggestions)}?" if suggestions else ""

    def _sharing_a_word(self, typed: str, names: Iterable[str]) -> list[str]:
        """Return the commands that share a word of some length with what was typed, the most alike first."""
        typed_words = {word for word in typed.split() if len(word) > 2}
        matches = []
        for name in names:
            words = {*normalised(name).split(), *map(str.casefold, self.everyday(name))}
            if typed_words & words:
                matches.append(name)
        return get_close_matches(typed, matches, MOST_MEANT, 0)

    def fold(self, state: State, event: Any) -> State:
        fold = self.event_specs[type(event)].fold
        return state if fold is None else fold(state, event)

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
            **(_ready_parts(adventure) if adventure else {}),
        )

    def history(self, opened: TableOpened) -> History:
        return History(self.begin(opened), {event: spec.fold for event, spec in self.event_specs.items()})


def chapters_of(ruleset: Ruleset) -> tuple[Chapter, ...]:
    """Return every chapter of a game's tables: those that all games have, those made for this game, and its own."""
    made_for_game = (
        prompts.requesting(ruleset.difficulties, ruleset.asked_otherwise),
        cast.overriding(ruleset.overrides),
        cast.sampling(ruleset),
        oracle.dealing((*SHARED, *ruleset.chapters)),
    )
    decisions = decision_chapter(ruleset.answer_words)
    return (OPENING, decisions, HISTORY, LEDGER, *SHARED, *made_for_game, *ruleset.chapters)


def _commands_by_name(kinds: Iterable[type]) -> dict[str, type]:
    named_kinds = [(kind_of_command(kind).name, kind) for kind in kinds]
    _check_different([name for name, _ in named_kinds])
    return dict(named_kinds)


def _commands_by_role(ruleset: Ruleset, commands: Mapping[str, type]) -> dict[Role, dict[str, type]]:
    """Return the commands that each role may give, the game's own first."""
    names_of_game = [action.name for chapter in ruleset.chapters for action in chapter.actions]
    in_order = {name: commands[name] for name in (*names_of_game, *commands)}
    by_role: dict[Role, dict[str, type]] = {role: {} for role in Role}
    for name, kind in in_order.items():
        for role, commands_of_role in by_role.items():
            if role in kind_of_command(kind).may:
                commands_of_role[name] = kind
    return by_role


def _ready_parts(adventure: Adventure) -> dict[str, Any]:
    """Return the parts of a new table's state that an adventure fills, for the game master alone."""
    notes = {}
    for number, secret in enumerate(adventure.secrets, 1):
        note_id = f"secret-{number}"
        notes[note_id] = Note(
            id=note_id,
            title=secret.title,
            words=secret.words,
            author="",
            audience=Audience.GAME_MASTER,
            seat=None,
        )
    handouts = {}
    for prop in adventure.props:
        handouts[prop.id] = Handout(id=prop.id, title=prop.title, words=prop.words, picture=prop.picture)
    return {
        "scenes": {scene.id: scene for scene in adventure.scenes},
        "clocks": {clock.id: clock for clock in adventure.clocks},
        "notes": notes,
        "handouts": handouts,
    }


def _check_different(names: list[str]) -> None:
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise ValueError(f"declared twice: {', '.join(sorted(repeated))}")
