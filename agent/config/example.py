"""`.env.example`, made from the settings: python -m plainloop.agent.config.example"""

from __future__ import annotations

from inspect import cleandoc
from itertools import groupby
from pathlib import Path
from textwrap import wrap

from .describing import to_text
from .settings import list_known_settings

HEAD = """\
# Every setting, as an environment variable, with its default. All of them are optional: without a
# key the service answers from rules ("offline"). Each can also stand in plainloop.toml under the
# key given in brackets. A name that is not on this list is refused. Empty counts as unset. A file
# .env in the folder that the service is started in is read; the real environment wins over it.

# The providers' own keys; the first one found decides when AGENT_PROVIDER is unset.
# ANTHROPIC_API_KEY=
# OPENAI_API_KEY=
# GEMINI_API_KEY=
# DEEPSEEK_API_KEY=
# KIMI_API_KEY=
# GLM_API_KEY=
# MINIMAX_API_KEY=
# OLLAMA_HOST=http://localhost:11434

# Which file to read; unset: plainloop.toml in the current folder, when it is there.
# AGENT_CONFIG=
"""


def build_example() -> str:
    """One line of help and one commented variable for each setting; the packs' come last."""
    sections = [HEAD]
    for owner, rows in groupby(list_known_settings(("worker",)), lambda row: row.owner):
        said = cleandoc(owner.__doc__ or "").partition("\n\n")[0].replace("\n", " ")
        lines = wrap(said, 100, initial_indent="# ", subsequent_indent="# ")
        for row in rows:
            default = "" if isinstance(row.default, Path) else to_text(row.default)
            lines += [f"# [{row.key}] {row.help_text}", f"# {row.env}={default}"]
        sections.append("\n".join(lines) + "\n")
    return "\n".join(sections)


if __name__ == "__main__":
    print(build_example(), end="")
