"""`astragal roll`."""

from collections.abc import Sequence
from typing import Any

from astragal.chance import SeededDice, SystemDice
from astragal.chance.notation import Expression, Roll, parse, roll
from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.output.progress import counted
from astragal.surfaces.cli.output.terminal import Paper

DROPPED = r"\([\d!+→]+\)"


def show_rolls(notation: str, *, times: int = 1, seed: int | str | None = None, as_json: bool = False) -> None:
    expression = parse(notation)
    dice = SystemDice() if seed is None else SeededDice(seed)
    rolls = [roll(expression, dice) for _ in counted(range(times), "Rolling", times)]
    if as_json:
        Paper().write(_json(expression, rolls, seed))
    else:
        _write_rolls(Paper(), rolls, seed)


def _write_rolls(paper: Paper, rolls: list[Roll], seed: int | str | None) -> None:
    for one in rolls:
        said = f"{one.label}: {one.breakdown}" if one.label else one.breakdown
        if paper.colourful:
            _write_in_colour(paper, said, one.total)
        else:
            paper.write(said)
    if seed is not None:
        paper.write(f"(seeded with {seed}: a rehearsal, not a roll)", "dim")


def _write_in_colour(paper: Paper, said: str, total: int) -> None:
    from rich.text import Text

    text = Text(said)
    text.highlight_regex(DROPPED, "dim")
    text.stylize("bold green", len(said) - len(str(total)))
    paper.console.print(text, soft_wrap=True)


def _json(expression: Expression, rolls: list[Roll], seed: int | str | None) -> str:
    import json

    document = {
        "expression": str(expression),
        "label": expression.label,
        "seed": seed,
        "rolls": [{"total": one.total, "breakdown": one.breakdown, "dice": _dice(one)} for one in rolls],
    }
    return json.dumps(document, ensure_ascii=False)


def _dice(one: Roll) -> list[dict[str, Any]]:
    return [{"sides": die.sides, "face": die.face, "fate": die.fate.value, "source": die.source} for die in one.rolled]


def notation(words: Sequence[str]) -> str:
    """The words as one notation; an option that does not exist is no part of one."""
    if not words:
        raise BadCall("Which dice? For example: 1d20+7")
    if strange := [word for word in words if word.startswith("--") and word[2:3].isalpha()]:
        raise BadCall(f"There is no option {strange[0]} here.\nastragal --help says what there is.")
    return " ".join(words)
