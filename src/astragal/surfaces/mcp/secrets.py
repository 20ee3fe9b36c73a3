"""Secrets as handles: listed without their content, read one at a time, revealed for good."""

from collections.abc import Iterator, Sequence

from astragal.surfaces.mcp.session import McpSession
from astragal.surfaces.mcp.untrusted_text import clean, same_words
from astragal.table.fields.lookup import ID
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.state.table import State
from astragal.table.state.things import Audience, Face, Way

LONGEST = 4000
RUN = 7
"""Words of a secret in a row that count as a repetition."""
LONG_WORD = 6
"""Least letters of a secret of one word: shorter ones are everyday words, and are not checked."""
REVEALED_BY = {"note": "reveal_note", "act": "reveal", "scene": "begin_scene", "clock": "show_clock"}
HIDDEN_ROLL = "closed roll or sealed roll"
NO_HANDLE = (
    "There is no such handle; secret with do=list shows them. A handle is note:ID, scene:ID, clock:ID or act:ID."
)


def handles(session: McpSession) -> list[str]:
    """Return every secret that this seat holds, by handle and title."""
    state = session.look()
    listed: list[str] = []
    for note in state.notes.values():
        if note.audience is not Audience.ALL:
            listed.append(f"note:{note.id} {clean(note.title, 60)}")
    if not session.is_game_master():
        return listed
    for scene in state.scenes.values():
        if not scene.entered:
            listed.append(_named(session, f"scene:{scene.id}", scene.title))
    for clock in state.clocks.values():
        if clock.face is not Face.PUBLIC:
            listed.append(_named(session, f"clock:{clock.id}", clock.name))
    if session.spoiler_safe:
        listed += [f"act:{act}" for act in hidden_commands(session)]
    else:
        name_by_act = session.view.things(HIDDEN_ROLL) or {}
        listed += [f"act:{act} {name}" for act, name in name_by_act.items()]
    return listed


def _named(session: McpSession, handle: str, name: str) -> str:
    """Add the name to a handle, unless a person could read it: it was not chosen to be harmless, as a title is."""
    return handle if session.spoiler_safe else f"{handle} {clean(name, 60)}"


def hidden_commands(session: McpSession) -> list[str]:
    """Return ids of commands whose dice this seat knows and players don't: those whose dice the window hides."""
    revealed = set(session.look().revealed)
    rolled = {event.act for event in session.journal().rolls if not event.abandoned}
    shown_commands = {event.act for event in session.journal(session.window).rolls if not event.closed}
    return sorted(rolled - shown_commands - revealed)


def read_secret(session: McpSession, handle: str) -> list[str]:
    """Return the content of the secret with this handle."""
    kind, _, key = handle.strip().partition(":")
    key = key.split(" ")[0]
    state = session.look()
    if kind == "note" and key in state.notes:
        return [state.notes[key].title, state.notes[key].words]
    if kind == "scene" and key in state.scenes:
        scene = state.scenes[key]
        options = [f"{option.number}. {option.words} ({option.way.value})" for option in scene.options]
        return [scene.title, scene.hook, scene.action, scene.consequence, *options]
    if kind == "clock" and key in state.clocks:
        clock = state.clocks[key]
        return [f"{clock.name}: {clock.hands.ticks}/{clock.hands.size}, {clock.face.value}"]
    if kind == "act":
        words = [event.words for event in session.journal().by_act.get(key, ())]
        if words:
            return words
    raise NoSuchThing(NO_HANDLE)


def revealing(handle: str) -> tuple[str, dict[str, str]]:
    """Return the command, with its fields, that reveals the secret with this handle."""
    kind, _, key = handle.strip().partition(":")
    if kind not in REVEALED_BY:
        raise NoSuchThing(NO_HANDLE)
    first = key.split(" ")[0]
    return REVEALED_BY[kind], {kind: first if ID.fullmatch(first) else key}


# ---------------------------------------------------------------- what must not be told


def check_keeps_secrets(session: McpSession, texts: Sequence[str]) -> None:
    """Refuse words for all that repeat a secret. The refusal names the secret by its handle and doesn't quote it."""
    spoken = f" {same_words(' '.join(texts))} "
    for handle, secret in _unrevealed(session, session.look()):
        if any(f" {part} " in spoken for part in _parts(secret)):
            raise Refusal(
                f"That repeats {handle} word for word, and it is not revealed. Tell it in other words, only hint at "
                'it, or reveal it first: secret with do="reveal".',
                code="secret",
            )


def _unrevealed(session: McpSession, state: State) -> Iterator[tuple[str, str]]:
    for note in state.notes.values():
        if note.audience is not Audience.ALL:
            yield f"note:{note.id}", note.words
    for prompt in state.prompts.values():
        if prompt.secret and prompt.told:
            yield f"the secret answer to prompt {prompt.id}", prompt.told
    if not session.is_game_master():
        return
    for scene in state.scenes.values():
        for option in scene.options:
            if option.way is Way.HIDDEN:
                yield f"a hidden option of scene:{scene.id}", option.words


def _parts(secret: str) -> Iterator[str]:
    """Yield a short secret as a whole, or every run of `RUN` words of a long one."""
    words = same_words(secret).split()
    if len(words) <= RUN:
        if len(words) > 1 or (words and len(words[0]) >= LONG_WORD):
            yield " ".join(words)
        return
    for start in range(len(words) - RUN + 1):
        yield " ".join(words[start : start + RUN])
