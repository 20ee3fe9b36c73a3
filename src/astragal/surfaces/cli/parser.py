"""The command-line parser, set up from the signature, annotations and docstring of the command called.

Some options that a call doesn't give are read from the environment or from a settings file.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from inspect import Parameter as Declared
from inspect import cleandoc, signature
from types import NoneType
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, get_args, get_origin, get_type_hints

from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.terminal import in_two_columns, wrapped

FORMAT = "Format"
"""The group of output formats, of which a call may give one."""


class Parameter(NamedTuple):
    """Metadata beside a parameter's type: its help, and what differs from the defaults."""

    help: str
    name: str = ""
    """Its name on the command line, if that is not derived from the parameter's own name."""
    limits: tuple[int, int] | None = None
    one_of: str = ""
    """The group of options that exclude each other."""
    hyphens: bool = False
    """True if words such as -3 are arguments; otherwise they are unknown options."""
    fields: bool = False
    """True if the command itself parses `--field value` of a game, and answers --help about it."""
    setting: str = ""
    """Its key in a settings file, if it can also be set there and in the environment."""
    secret: bool = False
    """True if it is a setting only, because everyone on a machine can read command lines."""


Game: TypeAlias = Annotated[str, Parameter("The game: astragal games lists them.")]

Table: TypeAlias = Annotated[str, Parameter("The table, by its name; by its id where two share a name.")]

AsSeat: TypeAlias = Annotated[str | None, Parameter("The seat, by its name; default: the game master's.", "--as")]

AsJson: TypeAlias = Annotated[bool, Parameter("Print JSON.")]


Tables: TypeAlias = Annotated[Context, "opens tables"]
"""Context of a command that opens tables. It adds the options --db and --game-file."""
DB = "The store: a file, or postgresql://…; default: ASTRAGAL_DB, or a file in your home folder."
GAME_FILE = "A game in a Python file, in addition to those installed; can be repeated."


# ---------------------------------------------------------------- parsing


HELP = frozenset({"--help", "-h"})
END_OF_OPTIONS = "--"
Command = Callable[..., Any]


class Argument(NamedTuple):
    """A parameter of a command as it is typed: an option or a positional argument."""

    name: str
    types: tuple[Any, ...]
    """The types of its value, without None, which only says that it may be left out."""
    default: Any
    kind: Any
    says: Parameter

    @property
    def is_option(self) -> bool:
        return bool(self.kind is Declared.KEYWORD_ONLY)

    @property
    def required(self) -> bool:
        return self.default is Declared.empty and self.kind is not Declared.VAR_POSITIONAL

    @property
    def typed(self) -> str:
        """Its name on the command line: --game-file, or GAME."""
        dashed = self.name.replace("_", "-")
        return self.says.name or (f"--{dashed}" if self.is_option else dashed.upper())

    @property
    def repeats(self) -> bool:
        return get_origin(self.types[0]) is tuple

    @property
    def takes_value(self) -> bool:
        return self.types != (bool,)

    @property
    def value_words(self) -> str:
        """Placeholder for its value in help: NUMBER, TEXT, FILE, or its choices."""
        if self._choices:
            return "|".join(self._choices)
        if self.types == (int,):
            return "NUMBER"
        return "TEXT" if str in self.types or self.repeats else "FILE"

    @property
    def in_usage(self) -> str:
        """Its place in the usage line: TABLE, or [TABLE] if it may be left out."""
        words = f"{self.typed} …" if self.kind is Declared.VAR_POSITIONAL else self.typed
        return words if self.required else f"[{words}]"

    @property
    def in_list(self) -> str:
        """Its place in the list of options: --port NUMBER, or --lan, --no-lan."""
        if self.takes_value and self.repeats:
            return f"{self.typed} {self.value_words} …"
        if self.takes_value:
            return f"{self.typed} {self.value_words}"
        return self.typed if self.default is False else f"{self.typed}, {_negated(self)}"

    @property
    def help(self) -> str:
        """What it is for, with its limits and default."""
        remarks: list[str] = []
        if self.says.secret:
            remarks.append(f"only as {variable(self.says.setting)}")
        if self.says.limits:
            least, most = self.says.limits
            remarks.append(f"{least} to {most}")
        if self.default not in (None, False, "", (), Declared.empty):
            remarks.append(f"default: {self.default}")
        return f"{self.says.help} [{'; '.join(remarks)}]" if remarks else self.says.help

    def read(self, text: str) -> Any:
        """Parse a text into a value. Raises `BadCall`."""
        choices = self._choices
        if choices and text not in choices:
            raise BadCall(f"{self.typed} takes {', '.join(choices[:-1])} or {choices[-1]}, not {text!r}.")
        if int in self.types:
            return self._number_or_text(text)
        if str in self.types or self.repeats or choices:
            return text
        return self.types[0](text)

    def _number_or_text(self, text: str) -> int | str:
        """Parse a whole number within the limits; or a text, if the argument takes texts too."""
        try:
            number = int(text)
        except ValueError:
            if str in self.types:
                return text
            raise BadCall(f"{self.typed} takes a whole number, not {text[:40]!r}.") from None
        if self.says.limits:
            least, most = self.says.limits
            if not least <= number <= most:
                raise BadCall(f"{self.typed} takes a whole number from {least} to {most}, not {number}.")
        return number

    @property
    def _choices(self) -> tuple[str, ...]:
        return get_args(self.types[0]) if get_origin(self.types[0]) is Literal else ()


def arguments_of(command: Command) -> list[Argument]:
    """The parameters of a command that are read from the command line."""
    hints = get_type_hints(command, include_extras=True)
    arguments: list[Argument] = []
    for name, declared in signature(command).parameters.items():
        if hints[name] == Tables:
            arguments.append(Argument("db", (str,), None, Declared.KEYWORD_ONLY, Parameter(DB, setting="db")))
            game_file = Parameter(GAME_FILE)
            arguments.append(Argument("game_file", (tuple[str, ...],), (), Declared.KEYWORD_ONLY, game_file))
        elif hints[name] is not Context:
            arguments.append(_argument(name, hints[name], declared))
    return arguments


def _argument(name: str, hint: Any, declared: Declared) -> Argument:
    says = Parameter("")
    if get_origin(hint) is Annotated:
        hint, says = get_args(hint)
    alternatives = () if get_origin(hint) in (tuple, Literal) else get_args(hint)
    types = tuple(alternative for alternative in alternatives if alternative is not NoneType)
    return Argument(name, types or (hint,), declared.default, declared.kind, says)


def wants_help(command: Command, words: Sequence[str]) -> bool:
    """Return whether --help is about this command, and not about a game's command or rule named before it."""
    if any(argument.says.fields for argument in arguments_of(command)):
        return bool(HELP & set(words[:1]))
    return bool(HELP & set(words[: _end_of_options(words)]))


def _end_of_options(words: Sequence[str]) -> int:
    """Return the place of `--`, after which no word is an option; the end if there is none."""
    return words.index(END_OF_OPTIONS) if END_OF_OPTIONS in words else len(words)


def parse(command: Command, name: str, words: Sequence[str], context: Context) -> Callable[[], Any]:
    """Parse the words after a command's name, and bind the command's function to the result. Raises `BadCall`."""
    arguments = arguments_of(command)
    try:
        values_by_name, texts = _split(arguments, words)
        values = [argument.read(text) for argument, text in _in_their_places(arguments, name, texts)]
        _require_options(arguments, name, values_by_name)
    except BadCall as error:
        raise BadCall(f"{error}\nastragal {name} --help says more.") from error
    for parameter, hint in get_type_hints(command, include_extras=True).items():
        if hint == Tables:
            context.db = values_by_name.pop("db", None)
            context.game_files = values_by_name.pop("game_file", ())
        if hint in (Tables, Context):
            values_by_name[parameter] = context
    return partial(command, *values, **values_by_name)


def _split(arguments: Sequence[Argument], words: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Parse the options, also those from settings. Return their values by name, and the words that are no options."""
    options = [argument for argument in arguments if argument.is_option and not argument.says.secret]
    places = [argument for argument in arguments if not argument.is_option]
    end = _end_of_options(words)
    values_by_name, texts = _read_options(options, words[:end])
    for number, word in enumerate(texts):
        says = places[min(number, len(places) - 1)].says if places else Parameter("")
        sign = "--" if says.hyphens else "-"
        if word.startswith(sign) and word != "-" and not says.fields:
            raise no_such_option(word, [option.typed for option in options])
    from_settings = _from_settings([argument for argument in arguments if argument.name not in values_by_name])
    return from_settings | values_by_name, [*texts, *words[end + 1 :]]


def _read_options(options: Sequence[Argument], words: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Read `--name value`, `--name=value`, `--flag` and `--no-flag`. Return the values, and the words that are none."""
    option_by_word = {option.typed: option for option in options}
    option_by_word |= {_negated(option): option for option in options if not option.takes_value}
    values: dict[str, Any] = {}
    option_by_group: dict[str, Argument] = {}
    texts: list[str] = []
    place = 0
    while place < len(words):
        word = words[place]
        place += 1
        typed, equals, text = word.partition("=")
        option = option_by_word.get(typed)
        if option is None:
            texts.append(word)
            continue
        if option.says.one_of:
            chosen = option_by_group.setdefault(option.says.one_of, option)
            if chosen is not option:
                raise BadCall(f"{option.typed}: not allowed with argument {chosen.typed}.")
        if not option.takes_value:
            if equals:
                raise BadCall(f"{option.typed}: ignored explicit argument {text!r}.")
            values[option.name] = typed == option.typed
            continue
        if not equals:
            if place == len(words) or _looks_like_option(words[place]):
                raise BadCall(f"{option.typed}: expected one argument.")
            text = words[place]
            place += 1
        value = option.read(text)
        values[option.name] = (*values.get(option.name, ()), value) if option.repeats else value
    return values, texts


def _negated(option: Argument) -> str:
    """The word that switches a flag off, for scripts: --no-lan."""
    return f"--no-{option.typed[2:]}"


def _looks_like_option(word: str) -> bool:
    """Return whether a word is meant as an option: neither - alone, nor a negative number, nor several words in one."""
    return word.startswith("-") and word != "-" and " " not in word and not re.fullmatch(r"-\d+|-\d*\.\d+", word)


def _from_settings(arguments: Sequence[Argument]) -> dict[str, Any]:
    """Read options that the call doesn't give from the environment or the settings file."""
    settings = Settings()
    values_by_name: dict[str, Any] = {}
    for argument in arguments:
        texts = settings.texts(argument.says.setting) if argument.says.setting else ()
        if not texts:
            continue
        try:
            values = [argument.read(text) if argument.takes_value else boolean(text) for text in texts]
        except BadCall as fault:
            raise BadCall(f"{settings.source(argument.says.setting)}: {fault}") from fault
        values_by_name[argument.name] = tuple(values) if argument.repeats else values[-1]
    return values_by_name


def no_such_option(word: str, options: Sequence[str]) -> BadCall:
    """Refuse a word that is no option, and suggest the option that is spelled most like it."""
    from difflib import get_close_matches

    message = f"There is no option {word} here."
    similar = get_close_matches(word.partition("=")[0], options, n=1)
    return BadCall(f"{message} Did you mean {similar[0]}?" if similar else message)


def _in_their_places(arguments: Sequence[Argument], name: str, texts: Sequence[str]) -> list[tuple[Argument, str]]:
    """Pair each text with the positional argument that it is for."""
    places = [argument for argument in arguments if not argument.is_option]
    single = [argument for argument in places if argument.kind is not Declared.VAR_POSITIONAL]
    repeated = [argument for argument in places if argument.kind is Declared.VAR_POSITIONAL]
    missing = [argument.typed for argument in single[len(texts) :] if argument.required]
    if missing:
        raise BadCall(f"{name} needs {missing[0]}.")
    if len(texts) > len(single) and not repeated:
        accepted = " and ".join(argument.typed for argument in single) or "no arguments"
        raise BadCall(f"{name} takes {accepted}; {texts[len(single)]!r} is one too many.")
    return list(zip([*single, *repeated * len(texts)], texts, strict=False))


def _require_options(arguments: Sequence[Argument], name: str, values: Mapping[str, Any]) -> None:
    for argument in arguments:
        if argument.is_option and argument.required and argument.name not in values:
            raise BadCall(f"{name} needs {argument.typed}.")


def help_on(command: Command, name: str, width: int) -> str:
    """Format a help page: the usage, the docstring, and each argument and option."""
    arguments = arguments_of(command)
    places = [argument for argument in arguments if not argument.is_option]
    options = [argument for argument in arguments if argument.is_option and not argument.says.secret]
    usage = ["Usage: astragal", name, *(place.in_usage for place in places)]
    if options:
        usage.append("[OPTIONS]")
    help_by_group = {"Arguments": {place.typed: place.help for place in places}}
    for option in options:
        title = f"{option.says.one_of}, one at a time" if option.says.one_of else "Options"
        help_by_group.setdefault(title, {})[option.in_list] = option.help
    lines = [" ".join(usage), "", wrapped(cleandoc(command.__doc__ or ""), width)]
    for title, help_by_argument in help_by_group.items():
        if help_by_argument:
            lines += ["", f"{title}:", *in_two_columns(help_by_argument, width)]
    return "\n".join(lines)


# ---------------------------------------------------------------- settings


PREFIX = "ASTRAGAL_"
FILE = "ASTRAGAL_SETTINGS"
"""The environment variable that names the settings file."""
SETTINGS = (
    "db",
    "games",
    "lan",
    "listen",
    "log_format",
    "log_level",
    "metrics",
    "owner_key",
    "port",
    "public",
    "workers",
)
"""Every key of a settings file. In the environment each is ASTRAGAL_ and the key in capitals."""
BOOLEANS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


class Settings:
    """Settings from the environment, else from the settings file, as the texts that a call would give."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._environment = environment

    def texts(self, key: str) -> Sequence[str]:
        """Return the values of a setting as texts: none if it is not set, one, or those of a list."""
        text = self._environment.get(variable(key))
        if text is not None:
            return text.split(os.pathsep) if key == "games" else [text]
        value = self._in_file.get(key, [])
        values = value if isinstance(value, list) else [value]
        return [_as_text(value) for value in values]

    @property
    def file(self) -> str:
        """The path of the settings file, or "" if there is none."""
        return self._environment.get(FILE, "")

    def overridden(self) -> list[str]:
        """Return the keys of the settings file that the environment overrides."""
        return [key for key in SETTINGS if key in self._in_file and variable(key) in self._environment]

    def source(self, key: str) -> str:
        """Name the source of a setting's value, for error messages."""
        return variable(key) if variable(key) in self._environment else f"{key} in {self.file}"

    @cached_property
    def _in_file(self) -> Mapping[str, Any]:
        """The settings file's values by key. The file is read once, for all options of a call."""
        name = self.file
        if not name:
            return {}
        import tomllib
        from difflib import get_close_matches
        from pathlib import Path

        try:
            settings = tomllib.loads(Path(name).read_text("utf-8"))
        except OSError as fault:
            raise BadCall(f"The settings file {name} can't be read: {fault.strerror}.") from fault
        except ValueError as fault:
            raise BadCall(f"The settings file {name} is not TOML: {fault}.") from fault
        for key in settings.keys() - set(SETTINGS):
            similar = get_close_matches(key, SETTINGS, n=1)
            hint = f"Did you mean {similar[0]}?" if similar else f"There are {', '.join(SETTINGS)}."
            raise BadCall(f"The settings file {name} has no setting {key!r}. {hint}")
        return settings


def _as_text(value: Any) -> str:
    """Return a value of the settings file as it would be typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def variable(key: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + key.upper()


def boolean(text: str) -> bool:
    try:
        return BOOLEANS[text.casefold()]
    except KeyError:
        raise BadCall(f"it is true or false, not {text[:40]!r}.") from None
