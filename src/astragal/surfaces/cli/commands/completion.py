"""`astragal completion`: the scripts with which shells call `astragal complete`."""

from __future__ import annotations

from typing import Annotated, Literal

from astragal.surfaces.cli.input.options import AsJson, Parameter
from astragal.surfaces.cli.output.terminal import Paper

SCRIPTS = {
    "bash": """_astragal() {
    local IFS=$'\\n'
    COMPREPLY=($(astragal complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _astragal astragal
""",
    "zsh": """#compdef astragal
_astragal() {
    local -a found
    found=(${(f)"$(astragal complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
    compadd -Q -a found
}
compdef _astragal astragal
""",
    "fish": """complete -c astragal -f -a '(astragal complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
""",
}


def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], Parameter("Your shell: bash, zsh or fish.")],
    *,
    json: AsJson = False,
) -> None:
    """Print the script that makes a shell complete commands, tables, people and fields.

    Write it to where your shell looks for completions, for example with
    astragal completion fish > ~/.config/fish/completions/astragal.fish

    bash:  ~/.local/share/bash-completion/completions/astragal
    zsh:   "${fpath[1]}/_astragal"
    fish:  ~/.config/fish/completions/astragal.fish
    """
    Paper().report(SCRIPTS[shell].removesuffix("\n"), as_json=json, shell=shell, script=SCRIPTS[shell])
