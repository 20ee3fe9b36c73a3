"""The real program, started as a user starts it, in a home of its own, with a stranger's game installed."""

import io
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest

from astragal.wiring import main
from tests.patience import LONG

ROOT = Path(__file__).parent.parent.parent.parent
SOURCE = ROOT / "src"
PROGRAM = (sys.executable, "-m", "astragal")
STRANGER = "dare = tests.surfaces.cli.daring:DARING"

Answer = subprocess.CompletedProcess[str]
Run = Callable[..., Answer]
Terminal = Callable[..., "pexpect.spawn[str]"]


def our_games() -> dict[str, str]:
    found: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"][
        "astragal.rulesets"
    ]
    return found


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a package of games is installed: ours as the project names them, and a stranger's."""
    folder = tmp_path_factory.mktemp("installed")
    info = folder / "games-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: games\nVersion: 1\n", encoding="utf-8")
    lines = [f"{name} = {place}" for name, place in our_games().items()]
    text = "\n".join(["[astragal.rulesets]", *lines, STRANGER, ""])
    (info / "entry_points.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def environment(installed: Path, tmp_path: Path) -> dict[str, str]:
    """Ours, from the source, with nothing said about colours, and tables in a place of their own."""
    silent = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}}
    return silent | {
        "PYTHONPATH": os.pathsep.join(map(str, (SOURCE, ROOT, installed))),
        "PYTHONIOENCODING": "utf-8",
        "TERM": "xterm-256color",
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "ASTRAGAL_DB": str(tmp_path / "tables.db"),
        "PROMPT_TOOLKIT_NO_CPR": "1",  # nobody reads the terminal's answers here
    }


@pytest.fixture
def astragal(environment: dict[str, str], tmp_path: Path) -> Run:
    def run(*words: str, said: str = "") -> Answer:
        return subprocess.run(
            [*PROGRAM, *words],
            env=environment,
            cwd=tmp_path,
            input=said,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=LONG,
        )

    return run


@pytest.fixture
def here(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> Run:
    """The same program without a process of its own, which takes a second to start."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    for folder in environment["PYTHONPATH"].split(os.pathsep):
        monkeypatch.syspath_prepend(folder)

    def run(*words: str, said: str = "") -> Answer:
        monkeypatch.setattr(sys, "argv", ["astragal", *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO(said))
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        told = capfd.readouterr()
        assert isinstance(ended.value.code, int)
        return Answer(words, ended.value.code, told.out, told.err)

    return run


@pytest.fixture(scope="session")
def laid_cliff(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the program has written when the cliff is laid; nothing before the first test that wants it."""
    return tmp_path_factory.mktemp("cliff")


@pytest.fixture
def cliff(here: Run, laid_cliff: Path, tmp_path: Path) -> Run:
    """The program beside a table: Ada runs The Cliff, Bo plays Kira, Cy plays Lund."""
    if any(laid_cliff.iterdir()):
        shutil.copytree(laid_cliff, tmp_path, dirs_exist_ok=True)
        return here
    here("table", "new", "dare", "The Cliff", "--gm", "Ada", "--player", "Bo", "--player", "Cy")
    here("do", "cliff", "join", "--name", "Kira", "--as", "Bo")
    here("do", "cliff", "join", "--name", "Lund", "--as", "Cy")
    shutil.copytree(tmp_path, laid_cliff, dirs_exist_ok=True)
    return here


@pytest.fixture
def terminal(environment: dict[str, str], tmp_path: Path) -> Terminal:
    """The program on a real terminal, to be talked to."""

    def start(*words: str, **further: str) -> "pexpect.spawn[str]":
        variables = [f"{name}={value}" for name, value in (environment | further).items()]
        return pexpect.spawn(
            "env",
            ["-i", *variables, *PROGRAM, *words],
            encoding="utf-8",
            use_poll=True,
            dimensions=(40, 90),
            timeout=LONG,
            cwd=str(tmp_path),
        )

    return start
