"""The tools that change nothing: look, actions, odds, advise, recap, verify."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from mcp_types import CallToolResult
from pydantic import Field

from astragal import fair
from astragal.chance import ChanceError, Odds, Offer, Together, advise
from astragal.chance.pictures import verdict_words, words
from astragal.surfaces.mcp import elicitation, execute, results, table_view, untrusted_text
from astragal.surfaces.mcp.session import McpSession
from astragal.surfaces.mcp.tools.schema import CommandName, Given, Offered, answered, offered
from astragal.surfaces.shared.explained import parts_of
from astragal.surfaces.shared.odds import ANY_SUCCESS, SUCCESS, case_words, exact, exact_preview, read_chance, summary
from astragal.surfaces.shared.words import first_sentence
from astragal.table.authoring.chapter import Action
from astragal.table.commands import handlers
from astragal.table.commands.execute import waiting_of
from astragal.table.fields import definitions, json_schema
from astragal.table.log.codec import RuleHasChanged
from astragal.table.preview import Preview, span_words
from astragal.table.refusals import DependsOnHidden, NotAllowed, NotAnOption, NotYours, Refusal, UnknownCommand
from astragal.table.state.table import Decision


def reading_tools(session: McpSession) -> list[Offered]:
    def look(
        what: Literal["all", "story", "people", "waiting", "news"] = "all", who: str = ""
    ) -> Annotated[CallToolResult, results.TableDescription]:
        """Show the table now: story, people and their sheets, what waits for whom, what is new, handles of secrets.
        Example: {"what": "people", "who": "Kira"}"""
        return answered(session, lambda: table_view.describe_table(session, what, who))

    def actions(command: str = "") -> Annotated[CallToolResult, results.Commands]:
        """List what your seat can do by act: all commands, or one with its fields, limits and an example. Rewind, undo,
        reveal, save nodes, clocks, rests, notes and overrides are commands too. Example: {"command": "rewind"}"""
        return answered(session, lambda: commands(session, command))

    def odds(
        command: CommandName,
        fields: Given,
        reach: Annotated[str, Field(description="a chance, such as 75%: what it costs to reach it")] = "",
    ) -> Annotated[CallToolResult, results.OddsFound]:
        """The exact chances of a command before it is given, for every legal spend. Nothing is rolled.
        Example: {"command": "ask_oracle", "fields": {"question": "Is it open?"}}"""
        return answered(session, lambda: odds_of(session, command, fields, reach))

    def advise(
        id: Annotated[str, Field(description="a decision that waits")] = "",  # noqa: A002 - as it is shown by look
        command: str = "",
        fields: Given = {},  # noqa: B006 - never changed
        aim: Annotated[str, Field(description="the outcome to make likeliest, as odds has it; none is success")] = "",
    ) -> Annotated[CallToolResult, results.Advised]:
        """Find the best answer to an open decision, or the best spend before a command, for an aim, and what each is
        worth, exactly. Example: {"id": "3f…", "aim": "yes"}"""

        def work() -> results.Advised | Refusal:
            if bool(id) == bool(command):
                return Refusal("Give id (a decision that waits), or command with fields.", code="no_choice")
            return advice_on(session, id, aim) if id else best_spend(session, command, fields, aim)

        return answered(session, work)

    def recap(
        more: Literal["", "story", "people", "open", "promised", "beats"] = "",
    ) -> Annotated[CallToolResult, results.Recap]:
        """All you need if you forgot everything, in at most 1,500 tokens; more gives one part the whole room."""
        return answered(session, lambda: table_view.recap(session, more))

    def verify() -> Annotated[CallToolResult, results.Proof]:
        """Check the table's public ledger: that no roll was altered, dropped or retried."""

        def work() -> results.Proof:
            report = fair.verify(list(session.house.host.ledger(session.here.table, session.here.seat)))
            return results.Proof(sound=report.sound, head=report.head, sentences=list(report.sentences()))

        return answered(session, work)

    return [offered(tool, reads_only=True) for tool in (look, actions, odds, advise, recap, verify)]


# ---------------------------------------------------------------- commands


def commands(session: McpSession, command: str = "") -> results.Commands:
    """List the commands of this seat, or describe one with its fields and an example."""
    allowed = session.book.commands_for(session.view.own.role)
    kind_by_name = {name: kind for name, kind in allowed.items() if name not in execute.NOT_BY_ACT}
    if not command:
        return results.Commands(commands={name: first_sentence(kind) for name, kind in kind_by_name.items()})
    if command not in kind_by_name:
        raise UnknownCommand(f"Your seat has no command {command[:40]!r}.{session.book.meant(command, kind_by_name)}")
    fields: dict[str, Any] = {}
    example: dict[str, Any] = {}
    for field in definitions.fields_of(kind_by_name[command]):
        schema = _schema_here(session, field)
        if field.required:
            example[field.name] = _example_value(field, schema, example)
        fields[field.name] = {**schema, "needed": field.required}
    doc = (kind_by_name[command].__doc__ or "").strip()
    heroes = session.book.ruleset.heroes
    if heroes and command == heroes.make:
        samples = heroes.samples(session.look().options)
        if samples:
            example = dict(next(iter(samples.values())))
    return results.Commands(commands={command: doc}, fields=fields, example={"command": command, "fields": example})


def _schema_here(session: McpSession, field: definitions.Field) -> dict[str, Any]:
    """Return the schema of a field, with the things at this table that it can name."""
    try:
        schema = json_schema.field_schema(field)
    except KeyError:  # a field that takes anything
        schema = {"description": field.doc}
    schema.pop("x-names", None)
    labels_by_id = session.shown_view.things(field.names) if field.names else None
    if labels_by_id is not None:
        schema["here"] = [untrusted_text.clean(label, 60) for label in labels_by_id.values()]
        return schema
    suggestions = session.shown_view.things(field.suggests) if field.suggests else None
    if suggestions:
        schema["suggested"] = [untrusted_text.clean(label, 60) for label in suggestions.values()]
    return schema


def _example_value(field: definitions.Field, schema: Mapping[str, Any], example: Mapping[str, Any]) -> Any:
    """Return an example of a field's value: something of this table if it names things, else whatever fits."""
    labels = schema.get("here") or schema.get("suggested")
    if not labels:
        return "somebody" if field.names == "character" else _fitting(schema)
    for label in labels:
        if label not in example.values():  # whoever is attacked is somebody else
            return label
    return labels[0]


def remedied(session: McpSession, command: str, refusal: Refusal) -> Refusal:
    """Add the fields that the command needs, and an example from this table, to a refusal of fields."""
    if refusal.code != "bad_fields":
        return refusal
    try:
        described = commands(session, command)
    except Refusal:
        return refusal
    needed = ", ".join(name for name, field in described.fields.items() if field["needed"]) or "no field"
    return results.Remedied(refusal, f"{command} needs {needed}. Example: {results.in_json(described.example)}.")


def _fitting(schema: Mapping[str, Any]) -> Any:
    """Return a value that fits a schema."""
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return _fitting(schema["anyOf"][0])
    match schema.get("type"):
        case "integer":
            return min(max(1, schema.get("minimum", 1)), schema.get("maximum", 1))
        case "boolean":
            return True
        case "array":
            return [_fitting(schema["items"])]
        case "object":
            properties = schema.get("properties", {})
            return {name: _fitting(properties[name]) for name in schema.get("required", ())}
        case _:
            return "…"


# ---------------------------------------------------------------- odds


MOST_CASES = 24
MOST_OUTCOMES = 16


def odds_of(session: McpSession, command: str, fields: Mapping[str, Any], wanted_chance: str = "") -> results.OddsFound:
    """Return the exact odds of a command for each spend, and the price of a chance; spans if something is hidden."""
    chance = read_chance(wanted_chance) if wanted_chance.strip() else None
    try:
        previewed = _previewed(session, command, fields)
    except Refusal as refusal:
        raise remedied(session, command, refusal) from None
    if previewed is None:
        return results.OddsFound()
    plain = exact_preview(previewed, chance, lambda odds: {"odds": exact(summary(odds, None, MOST_OUTCOMES))})
    cases: list[dict[str, Any]] = []
    for plain_case, case in zip(plain["cases"][:MOST_CASES], previewed.cases, strict=False):
        span = span_words(case.span) if case.span else ""
        cases.append({**plain_case, "when": case_words(case), "span_words": span})
    parts = dict(parts_of(session.book, session.shown_view.teller, previewed))
    return results.OddsFound(**untrusted_text.cleaned({**plain, "cases": cases, "parts": parts}))


def _previewed(session: McpSession, command: str, fields: Mapping[str, Any]) -> Preview | None:
    """Preview a command from the window, so that the result has nothing that the person at the client must not know."""
    try:
        return session.house.host.preview(session.here.table, session.window, (command, fields))
    except (NotAllowed, NotYours):  # the game master's own roll, which the person's seat could not give
        if not session.spoiler_safe:
            raise
        return session.house.host.preview(
            session.here.table, session.here.seat, (command, session.filled_in(command, fields))
        )


# ---------------------------------------------------------------- advice


def advice_on(session: McpSession, waiting: str, aim: str) -> results.Advised:
    """Find the best answer to a decision that is open, for the chance of an outcome."""
    decision = session.look().decisions.get(waiting)
    if decision is None:
        elicitation.open_wait(session, waiting)  # says what is open
        raise Refusal("Nothing is rolled there: that is for words, not for odds.", code="no_odds")
    if decision.hides and not (session.is_game_master() and not session.spoiler_safe):
        raise DependsOnHidden("The difficulty is hidden: what is best would tell it.")
    action = session.book.action(decision.command)
    try:
        played = waiting_of(session.book, decision)
        side = _side(session, decision)
        every = advise(played, lambda verdict: 0, side=side)
        aim_words, reached = _aim(every.odds.map(action.outcome), action, aim)
        advice = advise(played, lambda verdict: reached(action.outcome(verdict)), side=side)
        values = {words(answer): float(value) for answer, value in advice.next.values.items()}
        return results.Advised(best=words(advice.next.best), aim=aim_words, values=values, basis=advice.basis)
    except (ChanceError, RuleHasChanged) as fault:
        raise Refusal(f"The odds can't be calculated: {fault}", code="no_odds") from fault


def best_spend(session: McpSession, command: str, fields: Mapping[str, Any], aim: str) -> results.Advised:
    """Find the spend before a roll that makes an outcome likeliest; of equals the cheapest."""
    previewed = _previewed(session, command, fields)
    cases = [] if previewed is None else [case for case in previewed.cases if case.variant is None]
    if len(cases) < 2:
        raise Refusal("There is nothing to choose before that roll; odds shows its chances.", code="no_choice")
    aim_words, reached = _aim(cases[0].odds, session.book.action(command), aim)
    values = {case_words(case): float(case.odds.chance(reached)) for case in cases}
    best = max(values, key=lambda when: values[when])
    return results.Advised(best=best, aim=aim_words, values=values, basis="exact odds of each case")


def _aim(odds: Odds[Any], action: Action[Any, Any], aim: str) -> tuple[str, Callable[[Any], bool]]:
    """Return the aim in words, and a test of outcomes: success as the game has it, or one outcome by name."""
    outcome_by_words = {verdict_words(outcome): outcome for outcome in odds.weights}
    aim_text = aim.strip().casefold()
    if action.hopes is not None and aim_text in ("", SUCCESS, ANY_SUCCESS):
        return SUCCESS, action.hopes
    if not aim_text and all(isinstance(outcome, bool) for outcome in outcome_by_words.values()):
        return verdict_words(True), lambda outcome: outcome is True
    for name in outcome_by_words:
        if aim_text == name.casefold():
            return name, lambda outcome, name=name: verdict_words(outcome) == name
    aims = [SUCCESS, *outcome_by_words] if action.hopes is not None else list(outcome_by_words)
    listed = "; ".join(untrusted_text.clean(name, 80) for name in aims[:MOST_OUTCOMES])
    raise NotAnOption(f"Say which outcome to aim at, one of: {listed}.")


def _side(session: McpSession, decision: Decision) -> str:
    """Return the side that the model or its person answers for; a game master may ask for anyone."""
    state = session.look()
    need = waiting_of(session.book, decision).need
    offers: Sequence[Offer[Any]] = ()
    if isinstance(need, Together):
        offers = need.offers
    elif isinstance(need, Offer):
        offers = (need,)
    for offer in offers:
        owner = handlers.seat_of(state, decision.sides[offer.side])
        if session.is_game_master() or owner in (session.here.seat, session.here.person):
            return offer.side
    raise NotYours("That decision is somebody else's.")
