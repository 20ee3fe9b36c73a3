"""Games in files: a Python file with one game in it, loaded by its path and reloaded when it has changed."""

import sys
import traceback
from hashlib import sha256
from pathlib import Path
from types import ModuleType

from astragal.table.authoring.ruleset import Ruleset
from astragal.table.contract.manifest import grave_faults, place_of
from astragal.table.declarations import replace
from astragal.table.refusals import Refusal


class BadGameFile(Refusal):
    """A file has no game in it, or can't be run. The sentence names the line."""

    code = "bad_game_file"


def read_game(path: Path) -> Ruleset:
    """Load the game in a file. Its `renewed` reloads the file once it has changed."""
    path = path.absolute()
    try:
        text = path.read_bytes()
    except OSError as fault:
        raise BadGameFile(f"{path.name} can't be read: {fault.strerror}.") from fault
    module = _run(path, text, f"astragal_game_{path.stem}_{sha256(bytes(path) + text).hexdigest()[:12]}")
    ruleset_by_identity = {id(value): value for value in vars(module).values() if isinstance(value, Ruleset)}
    if len(ruleset_by_identity) != 1:
        raise BadGameFile(
            f"{path.name} has {len(ruleset_by_identity) or 'no'} games in it; it needs one, such as GAME = game(…)."
        )
    (game,) = ruleset_by_identity.values()
    for wrong, kind in grave_faults(game):
        raise BadGameFile(f"{place_of(kind) if kind else path.name}: {wrong}.")

    def renewed() -> Ruleset | None:
        return None if not path.exists() or path.read_bytes() == text else read_game(path)

    return replace(game, renewed=renewed)


def _run(path: Path, text: bytes, name: str) -> ModuleType:
    """Run the file as a module with a name of its own, so that another version of it is another module.

    It is compiled from the text: Python matches cached bytecode by the second, which is stale after a quick change.
    """
    if name in sys.modules:
        return sys.modules[name]
    module = sys.modules[name] = ModuleType(name)
    module.__file__ = str(path)
    try:
        exec(compile(text, str(path), "exec"), vars(module))  # noqa: S102 - to play a game in a file is to run it
    except Exception as fault:
        del sys.modules[name]
        frames = traceback.extract_tb(fault.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == str(path)]
        line = (fault.lineno if isinstance(fault, SyntaxError) else lines[-1] if lines else None) or 1
        raise BadGameFile(f"{path.name}, line {line}: {type(fault).__name__}: {fault}") from fault
    return module
