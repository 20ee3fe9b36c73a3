"""Play two evenings of each game by the code of any version, and write what they leave into a folder.

A program of its own: `python tests/versions/evening.py FOLDER`, with the version's `src` and root as PYTHONPATH. It
imports only what has had the same name since the first tables, and takes each game's own script of that version.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from astragal.storage import open_store
from astragal.table.contract import GAME_MASTER, OTHER_PLAYER, PLAYER

# Where a refusal and a sight are defined has moved; here they could always be found.
from astragal.table.host import Host, Refusal, Sight  # type: ignore[attr-defined]

GAMES = ("narraject", "new_shoes", "sinew_steel", "six_pool")
RESTORED = "sinew_steel"
"""The game of whose table a player's export from a restored store is kept as well."""
BEGAN = 1_763_200_000_000
"""The time of the first event. The clock goes on by a millisecond each time that it is read."""
STEPS = 11
"""Steps of each game's script that are played: heroes, an opening and the first rolls. More would make large files."""
LONGEST_WAIT = 20
"""Decisions in a row that one command may bring."""

ROLLS: Mapping[str, Sequence[tuple[str, Mapping[str, Any]]]] = {
    "narraject": [
        ("attempt", {"who": "Kira", "stat": "agility", "goal": "a hit", "approach": "a shot", "difficulty": 2})
    ],
    "new_shoes": [
        ("describe", {"who": "Mara", "words": "listens at the door"}),
        ("call_approach", {"who": "Mara", "attribute": "body", "target": 8}),
        ("roll_approach", {"who": "Mara"}),
    ],
    "sinew_steel": [("test", {"who": "Kira", "attribute": "REF", "stakes": "the rope"})],
    "six_pool": [("check", {"who": "Kira", "skill": "athletics", "dc": 15})],
}
"""What brings about a roll in each game; the last command rolls."""


class Table:
    """A table of one game, at which people act until a version's rules refuse."""

    def __init__(self, host: Host, ruleset: Any, options: Mapping[str, Any]) -> None:
        self.host, self.ruleset, self.game = host, ruleset, ruleset.id
        game = self.game
        opening: dict[str, Any] = {"name": f"Two evenings of {game}", "game_master": GAME_MASTER, "options": options}
        try:
            opened = host.open(game, **opening, house={"trusting": True})
        except Refusal:  # a version that has no such house rule
            opened = host.open(game, **opening)
        self.id = opened.table
        self.seats = {GAME_MASTER: opened.seat}
        self.acts: list[str] = []
        self.receipts: dict[str, list[dict[str, Any]]] = {}
        for player in (PLAYER, OTHER_PLAYER):
            self._sit(player, "player")
        self._sit("Di", "spectator")

    def _sit(self, name: str, role: str) -> None:
        taken = self.host.act(self.id, self.seats[GAME_MASTER], ("take_seat", {"name": name, "role": role}))
        self.seats[name] = taken.events[0].fields["seat"]["id"]

    def act(self, seat: str, command: str, fields: Mapping[str, Any], **how: Any) -> str:
        """Give a command and answer what it waits for; return its id, empty if it was refused."""
        try:
            outcome = self.host.act(self.id, self.seats[seat], (command, self._resolved(fields)), **how)
        except Refusal:
            return ""
        self._keep_receipt(seat, outcome)
        return str(outcome.act)

    def answer_all(self, answers: Sequence[Any] = ()) -> None:
        wanted = iter(answers)
        for decision in self._waiting():
            offered = [choice.answer for choice in decision.choices]
            answer = next(wanted, offered[0] if offered else None)
            for one in (answer, *offered):
                if self.act(GAME_MASTER, "answer", {"act": decision.act, "answer": one}):
                    break

    def _waiting(self) -> Iterator[Any]:
        for _ in range(LONGEST_WAIT):
            waiting = self.host.decisions(self.id, self.seats[GAME_MASTER])
            if not waiting:
                return
            yield waiting[0]

    def roll(self, seat: str, sight: Sight = Sight.OPEN) -> str:
        """Roll whatever this game rolls; return the id of the command that rolled."""
        *before, (command, fields) = ROLLS[self.game]
        for name, given in before:
            self.act(PLAYER if name == "describe" else GAME_MASTER, name, given)
        act = self.act(seat, command, fields, sight=sight)
        self.answer_all()
        return act

    def _resolved(self, value: Any) -> Any:
        """Return a script's value; where it names a command by its step, the id that the command has here."""
        if isinstance(value, str) and (step := re.fullmatch(r"(?:act|deed)-(\d+)", value)):
            return self.acts[int(step[1]) - 1] if int(step[1]) <= len(self.acts) else value
        if isinstance(value, (list, tuple)):
            return [self._resolved(part) for part in value]
        if isinstance(value, Mapping):
            return {self._resolved(key): self._resolved(part) for key, part in value.items()}
        return value

    def _keep_receipt(self, seat: str, outcome: Any) -> None:
        receipt = outcome.receipt
        kept = receipt._asdict() if hasattr(receipt, "_asdict") else {"line": receipt.line, "head": receipt.head}
        self.receipts.setdefault(seat, []).append(kept)

    def export(self, seat: str) -> bytes:
        return b"".join(self.host.archive.export(self.id, self.seats[seat]))


def play(host: Host, ruleset: Any) -> Table:
    script = import_module(f"tests.rulesets.evenings.{ruleset.id}")
    table = Table(host, ruleset, script.OPTIONS)
    table.act(PLAYER, "say", {"words": "Who goes there? Ünïcode — “quoted”"})
    for step in script.EVENING[:STEPS]:
        act = table.act(step.seat, step.command, step.fields)
        table.acts.append(act)
        table.answer_all(step.answers)
    table.act(GAME_MASTER, "begin_evening", {})
    table.act(GAME_MASTER, "say", {"words": "The rain has not stopped for days."})
    hidden_things(table)
    rewinds(table)
    second_evening(table)
    return table


def hidden_things(table: Table) -> None:
    """Closed rolls that the end of their scene opens or that are kept, a secret one, and one that is revealed."""
    if table.game == "new_shoes":  # somebody whom the script has not knocked out
        table.act(PLAYER, "make_hero", {"name": "Mara", "body": 3, "mind": 3, "will": 4})
    table.act(GAME_MASTER, "improvise_scene", {"title": "The bridge", "hook": "Planks are missing."})
    table.roll(GAME_MASTER, Sight.HIDDEN)
    kept = table.roll(GAME_MASTER, Sight.HIDDEN)
    revealed = table.roll(GAME_MASTER, Sight.SECRET)
    table.roll(GAME_MASTER, Sight.SECRET)
    table.act(GAME_MASTER, "keep_sealed", {"act": kept})
    table.act(GAME_MASTER, "reveal", {"act": revealed})
    table.act(GAME_MASTER, "whisper", {"to": [table.seats[PLAYER]], "words": "It is a trap."})
    table.act(GAME_MASTER, "end_scene", {"keep": []}) or table.act(GAME_MASTER, "end_scene", {})


def rewinds(table: Table) -> None:
    """A rewind to a save node, at the first price that can be paid, and an undo."""
    node = table.act(GAME_MASTER, "mark_save_node", {"label": "the brink"})
    table.roll(PLAYER)
    table.act(PLAYER, "say", {"words": "Let us say that never happened."})
    any(table.act(GAME_MASTER, "rewind", {"node": node, "price": price}) for price in table.ruleset.prices)
    table.roll(PLAYER)
    table.act(GAME_MASTER, "undo", {})


def second_evening(table: Table) -> None:
    table.act(GAME_MASTER, "end_evening", {})
    table.act(GAME_MASTER, "begin_evening", {})
    table.act(GAME_MASTER, "improvise_scene", {"title": "The far bank"})
    table.act(GAME_MASTER, "write_note", {"title": "Who did it", "words": "Lund."})
    table.roll(PLAYER)
    table.roll(GAME_MASTER, Sight.HIDDEN)
    forgotten = table.act(PLAYER, "say", {"words": "Forget that I said this."})
    archive = table.host.archive
    forget = getattr(archive, "forget_words", None) or archive.blank  # type: ignore[attr-defined] # its first name
    forget(table.id, table.seats[PLAYER], forgotten)
    table.roll(PLAYER)


def export_from_backup(store: Any, table: Table, place: Path, clock: Callable[[], int]) -> bytes:
    """Return the player's export from a store that was restored from a backup of this one."""
    backup = place.with_suffix(".backup")
    store.backup(backup)
    restored = open_store(f"sqlite:///{place}")
    table.host = Host(restored, [table.ruleset], clock=clock, entropy=Random("restored").randbytes)
    table.host.archive.restore(backup)
    table.act(GAME_MASTER, "say", {"words": "Where were we?"})
    table.roll(PLAYER)
    exported = table.export(PLAYER)
    restored.close()
    for file in (backup, *place.parent.glob(f"{place.name}*")):
        file.unlink()
    return exported


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    store = open_store(f"sqlite:///{folder}/tables.db")
    clock: Callable[[], int] = count(BEGAN).__next__
    for game in GAMES:
        ruleset = getattr(import_module(f"astragal.rulesets.{game}"), game.upper())
        host = Host(store, [ruleset], clock=clock, entropy=Random(game).randbytes)
        table = play(host, ruleset)
        (folder / f"{game}.whole.jsonl").write_bytes(table.export(GAME_MASTER))
        (folder / f"{game}.seat.jsonl").write_bytes(table.export(PLAYER))
        receipts = [json.dumps(one, sort_keys=True, separators=(",", ":")) for one in table.receipts[PLAYER]]
        (folder / f"{game}.receipts.jsonl").write_text("".join(f"{one}\n" for one in receipts), encoding="ascii")
        if game == RESTORED:
            exported = export_from_backup(store, table, folder / "restored.db", clock)
            (folder / f"{game}.restored.jsonl").write_bytes(exported)
    store.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
