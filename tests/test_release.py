"""The release: the built package works in a clean environment, and what is shipped beside it fits the program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from configparser import ConfigParser
from email import message_from_bytes
from importlib.metadata import distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import pytest
import yaml

from astragal import __version__
from astragal.surfaces.cli.app import COMMANDS, FOR_SHELLS
from astragal.surfaces.cli.parser import FILE, SETTINGS, variable
from tests.patience import LONG

ROOT = Path(__file__).parent.parent
UV = Path(sys.executable).parent / "uv"

CALLS = """
roll 1d20 --seed 7
odds 4d6dl1
games
tables six_pool
convert six_pool dc=15
completion bash
demo
table new sinew_steel Gorge --gm Ada --player Bo
table list
table seats Gorge
do Gorge make_hero Kira scores=MGT=12,REF=11 --as Bo
do Gorge make_npc Guard tier=10
preview Gorge attack guard --as Bo
answer Gorge
table show Gorge
table log Gorge
table export Gorge evening.jsonl
verify evening.jsonl
table backup all.db
table restore all.db --yes
table delete Gorge --yes
table import evening.jsonl
hero random sinew_steel --seed 3 --out kira.json
hero check kira.json
hero show kira.json
hero advance kira.json
hero new new_shoes --name Kira --body 4 --mind 3 --will 3
skin list sinew_steel
skin show sinew_steel plain
skin new sinew_steel mine.toml
skin check sinew_steel mine.toml
skin schema sinew_steel
table recap Gorge
lab duel new_shoes dice=3
lab explore six_pool check dc=15
lab worth new_shoes dice=4
lab luck evening.jsonl
lab lint new_shoes
doctor
""".strip().splitlines()
"""A call of every command that needs nobody at the keyboard, in an order in which each has what it needs."""
END = "\x1e"
IN_TURN = f"""
import sys
from astragal.wiring import main

for call in sys.argv[1:]:
    sys.argv = ["astragal", *call.split()]
    try:
        main()
    except SystemExit as ended:
        print(end=f"{END}{{ended.code}}{END}", flush=True)
"""
"""All of them in one process: to start takes longer than most of what they do."""
NOT_CALLED = {FOR_SHELLS, "lab builds", "lab campaign", "play", "skin import", "table forget", "table picture"}
"""They ask, or need files that only they know; tests of their own call them."""


@pytest.fixture(scope="module")
def wheel() -> Iterator[Path]:
    """A wheel that was built from the source archive, as a forge builds it. On the disk: what is installed is large."""
    words = ["build", "--quiet", "--python", sys.executable, "--no-build-isolation", "--out-dir"]
    forge = {"GITHUB_SERVER_URL": "https://forge.example", "GITHUB_REPOSITORY": "dice/astragal"}
    with TemporaryDirectory() as folder:
        subprocess.run([UV, *words, folder, str(ROOT)], check=True, timeout=LONG, env=os.environ | forge)
        (found,) = Path(folder).glob("*.whl")
        yield found


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """The program of the wheel, alone in a new environment."""
    folder, run = wheel.parent, subprocess.run
    run([UV, "venv", "--quiet", "--python", sys.executable, str(folder / "env")], check=True, timeout=LONG)
    into = [str(UV), "pip", "install", "--quiet", "--python", str(folder / "env" / "bin" / "python")]
    run([*into, "--require-hashes", "-r", str(ROOT / "requirements" / "runtime.txt")], check=True, timeout=LONG)
    run([*into, "--no-deps", str(wheel)], check=True, timeout=LONG)
    return folder / "env" / "bin" / "astragal"


@pytest.mark.slow
def test_every_command_of_the_built_package_runs(installed: Path, tmp_path: Path) -> None:
    kept = ("PATH", "LANG", "TERM")
    environment = {name: os.environ[name] for name in kept if name in os.environ} | {"HOME": str(tmp_path)}
    python = installed.parent / "python"
    done = ran([python, "-c", IN_TURN, *CALLS], tmp_path, environment)
    *told, rest = done.stdout.split(END)
    for call, printed, code in zip(CALLS, told[::2], told[1::2], strict=True):
        assert code == "0", (call, printed, done.stderr)
        assert printed, call
    assert (done.returncode, rest) == (0, ""), done.stderr
    assert ran([installed, *CALLS[0].split()], tmp_path, environment).stdout == told[0], "by its own name"
    called = {name for name in COMMANDS for call in CALLS if call.startswith(f"{name} ") or call == name}
    assert called | NOT_CALLED == set(COMMANDS)
    parts = "import astragal, astragal.surfaces.web.app, astragal.surfaces.mcp.server as s; print(s.__file__)"
    where = ran([python, "-c", parts], tmp_path, environment)
    assert str(installed.parent.parent) in where.stdout, where.stderr


@pytest.mark.slow
def test_a_released_package_names_the_addresses_of_its_project(wheel: Path) -> None:
    with ZipFile(wheel) as opened:
        (name,) = (name for name in opened.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = message_from_bytes(opened.read(name))
    addresses = dict(line.split(", ") for line in metadata.get_all("Project-URL", []))
    assert addresses["Homepage"] == "https://forge.example/dice/astragal"
    assert addresses["Issues"] == "https://forge.example/dice/astragal/issues"
    assert {"Changelog", "Documentation", "Source"} <= addresses.keys()


def ran(words: list[str | Path], folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=LONG, check=False)


# ---------------------------------------------------------------- the operator's kit


def test_the_container_sets_what_there_is_and_copies_what_is_there() -> None:
    text = (ROOT / "deploy" / "Containerfile").read_text("utf-8")
    assert settings_in(text) <= {variable(key) for key in SETTINGS}
    for line in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE):
        assert all((ROOT / name).exists() for name in line.split()), line
    assert all((ROOT / name).exists() for name in re.findall(r"requirements/\w+\.txt", text))
    assert text.index("USER 10001") < text.index("ENTRYPOINT")


def test_the_compose_file_sets_what_there_is_and_keeps_the_file_system_read_only() -> None:
    services = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))["services"]
    table = services["table"]
    assert {name for name in table["environment"] if name.startswith("ASTRAGAL_")} <= {
        variable(key) for key in SETTINGS
    }
    assert (table["read_only"], table["cap_drop"]) == (True, ["ALL"])
    assert "ports" not in table, "only the proxy is reached from outside"
    assert "reverse_proxy table:8000" in (ROOT / "deploy" / "Caddyfile").read_text("utf-8")


def test_the_unit_starts_the_program_with_settings_there_are() -> None:
    unit = ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(ROOT / "deploy" / "astragal.service")
    service = unit["Service"]
    assert settings_in(service["Environment"]) == {FILE}, "what the unit sets would override the file"
    assert "XDG_DATA_HOME=%S" in service["Environment"].split()
    assert service["ExecStart"].endswith("/astragal serve --no-open")
    assert service["DynamicUser"] == service["NoNewPrivileges"] == "yes"


def settings_in(text: str) -> set[str]:
    return set(re.findall(r"\bASTRAGAL_[A-Z_]+(?==)", text))


def test_workflows_call_commands_of_this_repository() -> None:
    script = (ROOT / "run").read_text("utf-8")
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        jobs = yaml.safe_load(path.read_text("utf-8"))["jobs"].values()
        steps = [step.get("run", "") for job in jobs for step in job["steps"]]
        called = re.findall(r"\./run (\w+)", "\n".join(steps))
        assert called
        assert all(f"    {word}) " in script for word in called), path


# ---------------------------------------------------------------- licences


def shipped() -> Iterator[str]:
    """Every distribution that an installation of everything brings along."""
    for line in (ROOT / "requirements" / "runtime.txt").read_text("utf-8").splitlines():
        if found := re.match(r"([\w.-]+)==", line):
            yield found[1]


def test_every_package_that_is_shipped_is_listed_with_its_licence() -> None:
    page = (ROOT / "docs" / "credits.md").read_text("utf-8").lower().replace("_", "-")
    missing = [name for name in shipped() if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", page)]
    assert not missing, f"docs/credits.md says nothing of {', '.join(sorted(missing))}"


def test_the_version_has_words_in_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"^## {re.escape(__version__)}\b", changelog, re.MULTILINE) or "## Unreleased" in changelog
    assert distribution("astragal").version == __version__
