"""The tools that tell the story: scene and narrate. They accept, warn or refuse.

A scene is a hook, an action and a consequence, with two to four ways on. Narration that tells a result cites its act:
a wrong citation is refused, a number without one brings a warning.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context, ElicitationResult, Resolve
from mcp_types import CallToolResult
from pydantic import BaseModel, Field, model_validator

from astragal.surfaces.mcp import elicitation, results, secrets, table_view
from astragal.surfaces.mcp.execute import CommandRunner
from astragal.surfaces.mcp.session import ROLLED, McpSession, digest_of, id_for
from astragal.surfaces.mcp.tools.schema import Offered, answered, offered, tried
from astragal.surfaces.mcp.untrusted_text import clean
from astragal.table.chapters.drafts import FEWEST_WORDS, MOST_WORDS
from astragal.table.refusals import NotAllowed, Refusal
from astragal.table.visibility.events import SeenEvent

# ---------------------------------------------------------------- scenes


HOW = (
    "A scene is a hook that draws the heroes in, an action that goes on, and a consequence left tense; then 2 to 4 "
    'options as {"words": …, "way": "open" | "risky" | "hidden"}, one of them risky or hidden. An ending has none.'
)


class Way(BaseModel):
    """A way on. One that is open can be given as its words alone."""

    words: str
    way: Literal["open", "risky", "hidden"] = "open"
    leads_to: str | None = Field(default=None, description="id of a written scene")

    @model_validator(mode="before")
    @classmethod
    def read(cls, data: Any) -> Any:
        return {"words": data} if isinstance(data, str) else data


PARTS = ("hook", "action", "consequence")
ECHOED = 80
"""Characters of each line of its own words that a model is given back."""


def set_scene(
    session: McpSession,
    runner: CommandRunner,
    fields: Mapping[str, Any],
    options: Sequence[Way],
    *,
    begin: bool,
    keep: list[str] | None,
) -> results.Done:
    """Write the scene and, unless it is to stay a draft, begin it."""
    if missing := [name for name in PARTS if not fields[name].strip()]:
        raise Refusal(f"The scene has no {' and no '.join(missing)}. {HOW}", code="form")
    if len(options) == 1 or len(options) > 4:
        raise Refusal(f"The scene has {len(options)} options. {HOW}", code="form")
    if options and all(option.way == "hidden" for option in options):
        raise Refusal(f"Players see none of these options. {HOW}", code="form")
    if begin:
        session.check_says_what_opens(keep)
        texts = [fields["title"], *(fields[name] for name in PARTS)]
        texts += [option.words for option in options if option.way != "hidden"]
        secrets.check_keeps_secrets(session, texts)
    fields = {**fields, "options": [option.model_dump() for option in options]}
    command_id = id_for(session, digest_of(session, "scene", fields), commands=2)
    outcome = session.act("write_scene", fields, command_id=command_id)
    scene_fields = next(event for event in outcome.events if event.name == "scene_written").fields
    warnings: tuple[str, ...] = ()
    scene = str(scene_fields["scene"])
    length = scene_fields["length"]
    if not FEWEST_WORDS <= length <= MOST_WORDS:
        best = f"{FEWEST_WORDS} to {MOST_WORDS} in hook, action and consequence read best."
        warnings = (f"It has {length} words; {best}",)
    if scene_fields["options"] and not scene_fields["perils"]:
        warnings = (*warnings, "None of its options is risky or hidden; one should be.")
    if not begin:
        return runner.done(outcome, warnings=warnings, handle=f"scene:{scene}")
    once = digest_of(session, "begin", {"scene": scene, "written": outcome.act})  # one for each writing
    beginning: dict[str, Any] = {"scene": scene}
    if keep is not None:
        beginning["keep"] = [handle.removeprefix("act:") for handle in keep]
    began = session.act("begin_scene", beginning, command_id=id_for(session, once, intent=once))
    return _echoed(runner.done(began, warnings=warnings, handle=f"scene:{scene}"))


def _echoed(result: results.Done) -> results.Done:
    """Shorten what the model itself has written to its beginning: it knows the rest."""
    result.events = [event.model_copy(update={"words": clean(event.words, ECHOED)}) for event in result.events]
    return result


def scene_tool(session: McpSession, runner: CommandRunner) -> Offered:
    def consent(*, title: str, hook: str, action: str, consequence: str, ctx: Context) -> Any:
        text = (title, hook, action, consequence)
        return tried(session, lambda: elicitation.consent_to(session, ctx, "begin_scene", {}, text=text))

    def scene(
        *,
        title: Annotated[str, Field(min_length=1, max_length=60)],
        hook: str,
        action: str,
        consequence: str,
        reply: Annotated[ElicitationResult[BaseModel], Resolve(consent)],
        options: Annotated[list[Way], Field(max_length=8)] = [],  # noqa: B006 - never changed
        save_node: bool = False,
        begin: Annotated[bool, Field(description="false keeps it as a draft, unseen by players")] = True,
        keep: Annotated[
            list[str] | None,
            Field(max_length=64, description="closed rolls that stay sealed; all others open when the last scene ends"),
        ] = None,
    ) -> Annotated[CallToolResult, results.Done]:
        """Set a scene: hook, action, consequence (200 to 500 words in all), then 2 to 4 options, one risky or hidden;
        none for an ending. Warns, or refuses and says how. Leave it by act take_option."""

        def work() -> results.Done | Refusal:
            if stop := elicitation.stopped_by(reply):
                return stop
            parts = {"title": title, "hook": hook, "action": action, "consequence": consequence}
            return set_scene(session, runner, {**parts, "save_node": save_node}, options, begin=begin, keep=keep)

        return answered(session, work)

    return offered(scene)


# ---------------------------------------------------------------- narration and its citations


RESULT = re.compile(
    r"\b(?:roll(?:s|ed|ing)?|natural|nat|margin|damage|harm|hits?|misses?|critical|success(?:es)?|fail(?:s|ed|ure)?|"
    r"d\d+|total|result|score[sd]?|points?)\b[^.!?\n]{0,24}?(?<![\w.])(\d{1,4})(?![\w.%]*%)"
    r"|(?<![\w.])(\d{1,4})\s+(?:damage|harm|points?|hits?|success(?:es)?|on the (?:die|dice)|against|versus|vs\.?)\b"
    r"|\b(?:a|an)\s+(?:natural\s+)?(\d{1,3})\s+(?:on|beats?|is enough|falls short)\b",
    re.IGNORECASE,
)
"""Numbers that read like something rolled."""


def check_cited(session: McpSession, words: str, cites: Sequence[str]) -> list[str]:
    """Refuse words that repeat secrets or cite wrongly; return warnings of numbers that no citation proves."""
    secrets.check_keeps_secrets(session, [words])
    by_act = session.journal().by_act
    for cite in cites:
        events = by_act.get(cite)
        if events is None:
            wrong = f"There was no act {cite[:40]!r}."
        elif all(event.abandoned for event in events):
            wrong = f"Act {cite} was undone by a rewind."
        elif _is_hidden(session, cite):
            wrong = f"Act {cite} is hidden: its result can't be told before it is revealed."
        else:
            continue
        raise Refusal(f"{wrong} {_right_one(session)}", code="wrong_citation")
    numbers = _results_in(words)
    if not numbers:
        return []
    if not cites:
        return [f"{', '.join(numbers)} reads like a result, and nothing is cited. {_right_one(session)}"]
    shown_events = session.journal(session.window).by_act
    cited: list[SeenEvent] = []
    proved: set[str] = set()
    for cite in cites:
        cited += shown_events.get(cite, ())
    for event in cited:
        proved.update(map(str, _numbers(event.fields)))
    unproved = [number for number in numbers if number not in proved]
    if not unproved:
        return []
    return [f"{', '.join(unproved)} is not among the numbers of what you cite: {_summary(cited)}."]


def _results_in(words: str) -> list[str]:
    """Return the numbers in a text that read like something rolled, each once."""
    numbers = []
    for match in RESULT.finditer(words):
        numbers += [group for group in match.groups() if group][:1]
    return list(dict.fromkeys(numbers))


def with_citations(session: McpSession, words: str, cites: Sequence[str]) -> str:
    """Return the words as they are stored: with what they cite below them."""
    sentences = []
    for cite in dict.fromkeys(cites):  # what everyone may read of an open roll: its dice, or what it is called
        events = session.journal().by_act[cite]
        rolled = "; ".join(event.words for event in events if event.name == ROLLED)
        sentences.append(clean(rolled or events[0].name.replace("_", " "), 160))
    return f"{words}\n\n— told of: {'; '.join(sentences)}" if sentences else words


def _right_one(session: McpSession) -> str:
    """Name the act that was probably meant: the newest with dice that everyone sees."""
    shown_events = session.journal(session.window).by_act
    for act, events in reversed(shown_events.items()):
        if _is_roll(events) and not events[0].abandoned and not _is_hidden(session, act):
            return f"The newest roll is {act}: {_summary(events)}."
    return "Nothing has been rolled yet that can be told: leave cites empty, or roll first with act."


def _is_hidden(session: McpSession, cite: str) -> bool:
    """Return whether the players see a closed card, or no card at all."""
    state = session.look()
    if cite in state.revealed or not session.is_game_master():
        return False
    other_seats = [seat.id for seat in state.seats.values() if seat.id != session.here.seat]
    if not other_seats:
        return False
    seen_events = session.journal(other_seats[0]).by_act.get(cite, ())
    return _is_roll(session.journal().by_act.get(cite, ())) and all(event.closed for event in seen_events)


def _is_roll(events: Sequence[SeenEvent]) -> bool:
    return any(event.name == ROLLED for event in events)


def _summary(events: Sequence[SeenEvent]) -> str:
    return clean("; ".join(event.words for event in events if event.name != "decision_opened"), 160).rstrip(".")


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        yield abs(value)
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _numbers(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _numbers(part)


def narrate_tool(session: McpSession, runner: CommandRunner) -> Offered:
    def consent(words: str, ctx: Context) -> Any:
        return tried(session, lambda: elicitation.consent_to(session, ctx, "narrate", {}, text=[words]))

    def narrate(
        words: Annotated[str, Field(min_length=1, max_length=3500)],
        reply: Annotated[ElicitationResult[BaseModel], Resolve(consent)],
        cites: Annotated[list[str], Field(max_length=8, description="act ids of what it tells of")] = [],  # noqa: B006
    ) -> Annotated[CallToolResult, results.Done]:
        """Tell the story on, for all to read. Cite the act whose result you tell; a wrong citation is refused.
        Example: {"words": "Kira leaps, and makes it.", "cites": ["3f…"]}"""

        def work() -> results.Done | Refusal:
            if stop := elicitation.stopped_by(reply):
                return stop
            if not session.is_game_master():
                return NotAllowed("The game master narrates. Speak by act say, or tell what a hero does by act emote.")
            warnings = check_cited(session, words, cites)
            fields = {"words": with_citations(session, words, cites)}
            command_id = id_for(session, digest_of(session, "narrate", fields))
            outcome = session.act("narrate", fields, command_id=command_id)
            result = _echoed(runner.done(outcome, warnings=tuple(warnings)))
            result.due = table_view.due_now(session)
            return result

        return answered(session, work)

    return offered(narrate)
