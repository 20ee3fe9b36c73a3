"""`astragal roll`."""

from typing import Annotated

from astragal.surfaces.cli import errors, terminal
from astragal.surfaces.cli.parser import Parameter

MOST_TIMES = 10_000
DROPPED = r"\([\d!+→]+\)"


def roll(
    *words: Annotated[str, Parameter("Dice notation, in one word or several.", "EXPR", hyphens=True)],
    times: Annotated[int, Parameter("Roll this many times.", limits=(1, MOST_TIMES))] = 1,
    seed: Annotated[
        int | str | None, Parameter("The same seed gives the same dice. Such rolls are marked as seeded.")
    ] = None,
    json: Annotated[bool, Parameter("Print JSON, with every die.")] = False,
) -> None:
    """Roll dice, and show each of them.

    astragal roll 1d20+7             one die and a number
    astragal roll 2d20kl1            the lowest of two (kh1: the highest)
    astragal roll 4d6dl1             four, without the lowest
    astragal roll '10d6>=5'          how many show 5 or more
    astragal roll '1d20+7>=15'       1 if the sum reaches it, else 0
    astragal roll d20adv+5           the better of two (dis: the worse)
    astragal roll '5d6!'             sixes explode (!o: once)
    astragal roll 2d6r1              ones are rerolled ('2d6ro<=2': once)
    astragal roll '(1d4+2)*2'        + - * / and brackets; / rounds down
    astragal roll '1d20+7 # to hit'  with a label
    astragal roll 2d6 - 1 --times 3

    > < ! * # and brackets mean something to a shell: quote them.
    """
    from astragal.chance import SeededDice, SystemDice
    from astragal.chance import notation as dice_notation

    if not words:
        raise errors.BadCall("Which dice? For example: astragal roll 1d20+7")
    expression = dice_notation.parse(" ".join(words))
    dice = SystemDice() if seed is None else SeededDice(seed)
    rolls = [dice_notation.roll(expression, dice) for _ in terminal.counted(range(times), "Rolling", times)]
    paper = terminal.Output()
    if json:
        lines = []
        for rolled in rolls:
            dice_shown = [
                {"sides": die.sides, "face": die.face, "fate": die.fate.value, "source": die.source}
                for die in rolled.rolled
            ]
            lines.append({"total": rolled.total, "breakdown": rolled.breakdown, "dice": dice_shown})
        paper.report("", as_json=True, expression=str(expression), label=expression.label, seed=seed, rolls=lines)
        return
    for rolled in rolls:
        line = f"{rolled.label}: {rolled.breakdown}" if rolled.label else rolled.breakdown
        if paper.colourful:
            from rich.text import Text

            text = Text(terminal.harmless(line))
            text.highlight_regex(DROPPED, "dim")
            text.stylize("bold green", len(line) - len(str(rolled.total)))
            paper.console.print(text, soft_wrap=True)
        else:
            paper.write(line)
    if seed is not None:
        paper.write(f"(seeded with {seed}: a rehearsal, not a roll)", "dim")
