"""Reads the code blocks of a Markdown document and performs them, so that documentation cannot go stale.

- `python` blocks of a document run in order in one namespace; a block with `>>>` is a doctest.
- An SVG right below a `python` block shows the block's `picture`; with `ASTRAGAL_REGENERATE` set it is drawn anew.
- `console` blocks hold `$ command` lines, each followed by what it prints. A line `...` stands for any lines.
- `sh` blocks are for what cannot run inside a test. They are not performed, only read: each line must begin with
  something that exists.
- Languages in `LEFT_ALONE` are for reading only. Any other language is a mistake in the document.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from astragal.wiring import main
from tests.forks import performed
from tests.patience import LONG

ROOT = Path(__file__).parent.parent
LEFT_ALONE = frozenset({"csv", "html", "json", "mermaid", "sql", "text", "toml", "yaml"})
SHELL_BEGINNINGS = ("./run", "git clone", "cd", "astragal", "uvx", "pipx")
ANY_LINES = "..."
SHELLS_OWN = frozenset("|<>$;&*?`\\")
"""Signs for which a command needs a shell."""

# At any indentation, since lists and admonitions indent their blocks; an unclosed block reaches to the end of the file.
FENCED = re.compile(
    r"^(?P<indent>[ ]*)(?P<fence>`{3,}|~{3,})(?P<info>.*)\n(?P<code>(?:.*\n)*?)(?:(?P=indent)(?P=fence)[ ]*$|\Z)",
    re.MULTILINE,
)


PICTURE = re.compile(r"\s*!\[[^\]]+\]\((?P<path>[^)]+\.svg)\)")


class Stale(AssertionError):
    """A document says something that is not so."""


@dataclass(frozen=True)
class Block:
    document: Path
    line: int
    """Of the opening fence, counted from 1."""
    language: str
    code: str
    picture: str = ""
    """The image right below it, by its path from the document."""

    def __str__(self) -> str:
        return f"{self.document.name}:{self.line}"


@dataclass(frozen=True)
class Exchange:
    """A command and what the document says it prints."""

    command: str
    printed: tuple[str, ...]


def read_blocks(document: Path) -> Iterator[Block]:
    text = document.read_text(encoding="utf-8")
    for fenced in FENCED.finditer(text):
        line = text.count("\n", 0, fenced.start()) + 1
        language = fenced["info"].split()[0] if fenced["info"].strip() else ""
        below = PICTURE.match(text, fenced.end())
        yield Block(document, line, language, textwrap.dedent(fenced["code"]), below["path"] if below else "")


def blocks_to_perform(document: Path) -> list[Block]:
    return [block for block in read_blocks(document) if block.language not in LEFT_ALONE]


class Sitting:
    """One document performed from its top: its blocks share a namespace and a home folder.

    A block is performed once, and after all those above it, whichever is asked for first.
    """

    def __init__(self, document: Path, home: Path) -> None:
        self.waiting = blocks_to_perform(document)
        self.home = home
        self.module = ModuleType(f"document_{document.stem}")
        # Dataclasses and type hints look their module up by its name.
        sys.modules[self.module.__name__] = self.module

    def perform(self, block: Block) -> None:
        while block in self.waiting:
            self.perform_one(self.waiting.pop(0))

    def perform_one(self, block: Block) -> None:
        match block.language:
            case "python" if ">>>" in block.code:
                run_doctest(block, self.module)
            case "python":
                run_python(block, self.module)
            case "console":
                run_console(block, self.home)
            case "sh":
                check_shell(block)
            case other:
                raise Stale(f"{block}: say python, console, sh or one of {sorted(LEFT_ALONE)}, not {other!r}")


def run_python(block: Block, module: ModuleType) -> None:
    # As many empty lines first as the document has above the block: tracebacks and inspect find the true lines.
    source = "\n" * block.line + block.code
    code = compile(source, str(block.document), "exec", dont_inherit=True)
    exec(code, module.__dict__)  # noqa: S102 - performing the project's own documents is the point
    if block.picture:
        check_picture(block, module.__dict__["picture"].svg())


def check_picture(block: Block, drawn: str) -> None:
    file = block.document.parent / block.picture
    if os.environ.get("ASTRAGAL_REGENERATE"):
        file.write_text(drawn, encoding="utf-8")
    elif not file.exists() or file.read_text(encoding="utf-8") != drawn:
        raise Stale(f"{block}: {block.picture} is not what the block draws; ASTRAGAL_REGENERATE=1 draws it anew")


def run_doctest(block: Block, module: ModuleType) -> None:
    examples = doctest.DocTestParser().get_doctest(
        block.code, module.__dict__, str(block), str(block.document), block.line
    )
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(examples, out=report.append, clear_globs=False)
    if report:
        raise Stale("".join(report))
    module.__dict__.update(examples.globs)


def run_console(block: Block, home: Path) -> None:
    for exchange in read_exchanges(block):
        printed = run_command(exchange.command, home)
        if not fits(exchange.printed, printed):
            raise Stale(
                f"{block}: $ {exchange.command}\n"
                + "\n".join(["--- the document says", *exchange.printed, "--- it prints", *printed])
            )


def read_exchanges(block: Block) -> Iterator[Exchange]:
    before, *commands = re.split(r"^\$ ", block.code, flags=re.MULTILINE)
    if before.strip() or not commands:
        raise Stale(f"{block}: a console block begins with `$ command`")
    for command in commands:
        first, *rest = lines(command)
        yield Exchange(first, tuple(rest))


def run_command(command: str, home: Path) -> list[str]:
    if command.startswith("astragal ") and not SHELLS_OWN & set(command):
        return lines(performed(run_program, shlex.split(command), surroundings(home))[1])
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=ROOT,
        env=surroundings(home),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=LONG,
        check=False,  # a document may show how a command refuses
    )
    return lines(done.stdout)


def run_program(words: list[str], environment: dict[str, str]) -> None:
    """What a shell would run for these words, in a process of its own."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(ROOT)
    sys.stderr, sys.argv = sys.stdout, words
    main()


def surroundings(home: Path) -> dict[str, str]:
    """The environment of a reader who has just installed the program."""
    inherited = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "ASTRAGAL_DB")}
    return inherited | {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "NO_COLOR": "1",
        "COLUMNS": "100",
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_STATE_HOME": str(home / "state"),
        "PYTHONIOENCODING": "utf-8",
    }


def lines(text: str) -> list[str]:
    """Without what no reader sees: blanks at the ends of lines, and empty lines at the end."""
    return [line.rstrip() for line in text.rstrip().split("\n")] if text.strip() else []


def fits(expected: Sequence[str], printed: Sequence[str]) -> bool:
    pattern = "".join(r"(?:.*\n)*" if line == ANY_LINES else re.escape(line) + r"\n" for line in expected)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


def check_shell(block: Block) -> None:
    for line in lines(block.code):
        if line and not line.startswith("#"):
            check_shell_line(block, line)


def check_shell_line(block: Block, line: str) -> None:
    if not any(line == known or line.startswith(known + " ") for known in SHELL_BEGINNINGS):
        raise Stale(f"{block}: {line!r} begins with none of {', '.join(SHELL_BEGINNINGS)}")
    words = line.split()
    if words[0] == "./run" and len(words) > 1 and words[1] not in words_of_run():
        raise Stale(f"{block}: ./run help does not know {words[1]!r}")


def words_of_run() -> set[str]:
    helped = subprocess.run([ROOT / "run", "help"], capture_output=True, text=True, check=True)
    return set(re.findall(r"^\./run ([a-z]+)", helped.stdout, re.MULTILINE))
