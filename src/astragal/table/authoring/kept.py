"""Kept things: quests, threats, promises and other things that lie on the table for a while, declared once.

QUESTS = Kept(PURGING, Quest, name="objective", board="Quests", row=("{objective}", "{who}"))

@QUESTS.put("quest_set", says="a quest: {quest.objective}")
class QuestSet(Event):
    quest: Quest  # the event holds the thing; its fold puts it on the table, or replaces the one before

@QUESTS.taken("quest_done", says="the quest is done: {quest.objective}")
class QuestDone(Event):
    quest: Quest  # its fold takes it off the table

quest = QUESTS.find(call, self.quest)  # by id or name; the refusal lists what there is
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeAlias, TypeVar

from astragal.fields import field_names
from astragal.table.authoring.chapter import Board, Chapter, Due, Guarded, Proposals, TableCall
from astragal.table.authoring.chapter import Moves as ChapterMoves
from astragal.table.authoring.display import Choices, Piece, Proposal
from astragal.table.authoring.log_lines import Teller, template
from astragal.table.declarations import Nature, Seen, Value, Viewer, copied_into, replace
from astragal.table.fields.lookup import Named, find, labels
from astragal.table.refusals import DependsOnHidden, Refusal
from astragal.table.state.setting import MoveKind
from astragal.table.state.table import State

__all__ = ["Kept"]

T = TypeVar("T")
E = TypeVar("E", bound=Value)

InWords: TypeAlias = str | Callable[[T, Teller], str]
"""Words for a thing: a template with its fields in braces, or a function. Empty words are left out."""


class Kept(Generic[T]):
    """Things of one kind that lie on the table. Only the chapter and the kind are required.

    `kept_in` names the field of the game's state that holds them, a mapping; if they are `shared`, it is a field of the
    table's own state. `called` is the word for one of them, and the name of the field of events that hold one. For a
    `Quest`, the defaults are “quests” and “quest”. `key` is the field that they are stored by, `name` the one that
    people know them by. Only things of the `book` and things that are `listed` can be found.

    `board` is the title of their rows, `row` the words of each, and `newest` limits how many are shown. `due` is a
    reminder for each, `proposes` yields proposals about it, and `moves` has, by kind of move, what a game master can
    make of it when the players stall.
    """

    def __init__(
        self,
        chapter: Chapter,
        kind: type[T],
        kept_in: str = "",
        called: str = "",
        *,
        key: str = "id",
        name: str = "name",
        shared: bool = False,
        book: Mapping[str, T] | None = None,
        listed: Callable[[T], bool] = lambda thing: True,
        board: str = "",
        row: tuple[InWords[T], InWords[T]] = ("", ""),
        newest: int | None = None,
        due: InWords[T] = "",
        proposes: Callable[[T, Teller], Iterable[Proposal]] | None = None,
        moves: Mapping[MoveKind, InWords[T]] | None = None,
    ) -> None:
        self.kind = kind
        self.called = called or kind.__name__.lower()
        self.kept_in = kept_in or f"{self.called}s"
        self.shared = shared
        self._chapter = chapter
        self._key = key
        self._name = name
        self._owner = "who" if "who" in field_names(kind) else ""
        self._book = book or {}
        self._listed = listed
        chapter.names(self.called)(self.named)
        if board:
            chapter.board(self._rows(board, row, newest))
        if due:
            chapter.due(self._reminders(due))
        if proposes:
            chapter.proposes(self._proposals(proposes))
        if moves:
            chapter.moves.append(self._moves(moves))

    # ------------------------------------------------------------ what the chapter shows of them

    def _rows(self, title: str, row: tuple[InWords[T], InWords[T]], newest: int | None) -> Board:
        left_words, right_words = map(in_words, row)

        def rows(state: State) -> list[Piece]:
            teller = Teller(state, state.terms)
            things = list(self.each(state))
            if newest:
                things = things[-newest:]
            if not things:
                return []
            return [Choices(title, tuple((left_words(thing, teller), right_words(thing, teller)) for thing in things))]

        return rows

    def _reminders(self, words: InWords[T]) -> Due:
        words_for = in_words(words)

        def reminders(state: State, teller: Teller) -> Iterator[str]:
            for thing in self.each(state):
                line = words_for(thing, teller)
                if line:
                    yield line

        return reminders

    def _proposals(self, proposes: Callable[[T, Teller], Iterable[Proposal]]) -> Proposals:
        def proposals(state: State, teller: Teller) -> Iterator[Proposal]:
            for thing in self.each(state):
                yield from proposes(thing, teller)

        return proposals

    def _moves(self, words_by_kind: Mapping[MoveKind, InWords[T]]) -> ChapterMoves:
        words_for = {kind: in_words(words) for kind, words in words_by_kind.items()}

        def moves(state: State, kind: MoveKind, teller: Teller) -> Iterator[str]:
            if kind not in words_for:
                return
            for thing in self.each(state):
                line = words_for[kind](thing, teller)
                if line:
                    yield line

        return moves

    # ------------------------------------------------------------ look-up

    def all(self, state: State) -> Mapping[str, T]:
        """Things on the table, by their key."""
        things: Mapping[str, T] = getattr(state if self.shared else state.game, self.kept_in)
        return things

    def each(self, state: State) -> Iterable[T]:
        return self.all(state).values()

    def get(self, state: State, key: str | None) -> T | None:
        return None if key is None else self.all(state).get(key)

    def known(self, state: State) -> dict[str, T]:
        """Things that can be found: those of the book, and those on the table that are listed."""
        things = dict(self._book)
        for key, thing in self.all(state).items():
            if self._listed(thing):
                things[key] = thing
        return things

    def find(self, call: TableCall[Any], words: str) -> T:
        """Find a thing by its id or a part of its name, or refuse. Things that the viewer may not see are not found."""
        things = self._known_to(call)
        key = find(labels(self._each_named(things), call.state), words, self.called)
        return things[key]

    def named(self, state: State) -> Iterator[Named]:
        """All things that can be found, for the fields that name one."""
        return self._each_named(self.known(state))

    def _each_named(self, things: Mapping[str, T]) -> Iterator[Named]:
        for key, thing in things.items():
            who: str | None = getattr(thing, self._owner) if self._owner else None
            yield Named(key, getattr(thing, self._name, ""), who)

    def name_of(self, thing: T) -> str:
        return str(getattr(thing, self._name, ""))

    def _known_to(self, call: TableCall[Any]) -> dict[str, T]:
        return {key: thing for key, thing in self.known(call.state).items() if is_for(thing, call.viewer)}

    def check_free(self, call: TableCall[Any], name: str) -> None:
        """Refuse a name that is taken. Things that the viewer may not see don't count: a refusal would reveal them."""
        names = [self.name_of(thing).casefold() for thing in self._known_to(call).values()]
        if name.strip().casefold() in names:
            raise Refusal(f"There is “{name}” among the {self.kept_in} already.", code="name_taken")

    def new(self, call: TableCall[Any], command: Any, **fields: Any) -> T:
        """Make a new thing with a fresh id, the command's fields of the same names, and these.

        A thing that is stored by its name has it in lower case; a name that is taken is refused.
        """
        if self._key == "name":
            self.check_free(call, command.name)
            fields = {"name": command.name.strip().casefold()} | fields
        elif "id" in field_names(self.kind):
            fields = {"id": call.fresh} | fields
        return copied_into(self.kind, command, **fields)

    # ------------------------------------------------------------ changes

    def put_on(self, state: State, *things: T) -> State:
        """Return the state with these things on the table. Each replaces the one with the same key."""
        new_things = {getattr(thing, self._key): thing for thing in things}
        return self._with_things(state, {**self.all(state), **new_things})

    def take_off(self, state: State, *keys: str | None) -> State:
        """Return the state without the things of these keys."""
        return self._with_things(state, {key: thing for key, thing in self.all(state).items() if key not in keys})

    def changed(self, state: State, key: str, **parts: Any) -> State:
        """Return the state with these parts of a thing changed, or unchanged if there is no such thing."""
        thing = self.all(state).get(key)
        if thing is None:
            return state
        return self.put_on(state, replace(thing, **parts))

    def _with_things(self, state: State, things: Mapping[str, T]) -> State:
        parts: Any = {self.kept_in: things}
        if self.shared:
            return replace(state, **parts)
        return state.with_game(**parts)

    def put(
        self,
        name: str,
        *,
        says: str = "",
        seen: Seen | None = None,
        owner: str | None = None,
        nature: Nature = Nature.STORY,
    ) -> Callable[[type[E]], type[E]]:
        """Declare an event that puts the thing it holds on the table, or replaces the one before.

        The event is shown to those who may see the thing, unless it has an `is_for` of its own. If it has a `fold` of
        its own, that runs afterwards.
        """
        return self._event(self.put_on, name, says=says, seen=seen, owner=owner, nature=nature)

    def taken(
        self,
        name: str,
        *,
        says: str = "",
        seen: Seen | None = None,
        owner: str | None = None,
        nature: Nature = Nature.STORY,
    ) -> Callable[[type[E]], type[E]]:
        """Declare an event that takes the thing it holds off the table. It holds the thing as it was."""

        def take(state: State, thing: T) -> State:
            return self.take_off(state, getattr(thing, self._key))

        return self._event(take, name, says=says, seen=seen, owner=owner, nature=nature)

    def _event(self, change: Callable[[State, T], State], name: str, **declared: Any) -> Callable[[type[E]], type[E]]:
        def declare(cls: type[E]) -> type[E]:
            kind: Any = cls
            fold_of_class = kind.fold

            def fold(event: Any, state: State) -> State:
                changed = change(state, getattr(event, self.called))
                return fold_of_class(event, changed)  # type: ignore[no-any-return]

            kind.fold = fold
            if issubclass(self.kind, Guarded) and not issubclass(cls, Guarded):
                kind.is_for = lambda event, viewer: getattr(event, self.called).is_for(viewer)
            return self._chapter.event(name, **declared)(cls)

        return declare


def in_words(words: InWords[T]) -> Callable[[T, Teller], str]:
    return template(words) if isinstance(words, str) else words


def is_for(thing: Any, viewer: Viewer) -> bool:
    """Return whether this viewer may see a thing. If that can't be decided in a redacted view, they may."""
    try:
        return not isinstance(thing, Guarded) or bool(thing.is_for(viewer))
    except DependsOnHidden:
        return True
