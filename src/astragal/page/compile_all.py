"""Compile the packages of the page to bytecode. Runs in the page's own interpreter, in Node, when the page is built."""

import json
import py_compile
import sys
from pathlib import Path

SOURCES = Path("/sources")
SITE, LIBRARY = Path("/site"), Path("/library")
READ_THEIR_SOURCE = ("site/anyio/",)
"""Packages that look into their own source, so that it is kept beside the bytecode."""
WITH_DOCSTRINGS = "site/astragal/"
"""Our own docstrings are read out: in forms, in the rules."""


def compile_sources() -> None:
    """Put bytecode in the place of each source, and copy everything else."""
    for path in sorted(path for path in SOURCES.rglob("*") if path.is_file()):
        name = path.relative_to(SOURCES).as_posix()
        target = Path("/", name)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix != ".py":
            target.write_bytes(path.read_bytes())
        elif name.startswith(READ_THEIR_SOURCE):
            target.write_bytes(path.read_bytes())
            _compile(path, target.parent / "__pycache__" / f"{path.stem}.{sys.implementation.cache_tag}.pyc", name)
        else:
            _compile(path, target.with_suffix(".pyc"), name)
    sys.path.insert(0, str(SITE))
    sys.dont_write_bytecode = False  # templates are compiled when they are first used


def _compile(path: Path, target: Path, name: str) -> None:
    py_compile.compile(
        str(path),
        str(target),
        f"/{name}",
        doraise=True,
        optimize=0 if name.startswith(WITH_DOCSTRINGS) else 2,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )


def compiled_files() -> list[str]:
    """List all files to be packed, and beside them in `/site/imported.json` which modules have been imported so far."""
    (SITE / "imported.json").write_text(json.dumps(sorted(sys.modules)))
    return [str(path) for folder in (SITE, LIBRARY) for path in folder.rglob("*") if path.is_file()]
