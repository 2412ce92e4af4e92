"""`.env.example`, made from the settings: python -m plainloop.agent.config.example"""

from __future__ import annotations

from inspect import cleandoc
from itertools import groupby
from pathlib import Path
from textwrap import wrap

from .describing import to_text
from .settings import list_known_settings

HEAD = """\
# All settings as environment variables, with their defaults. Every setting is optional: without a
# key the service answers from rules ("offline"). A setting can also be written in plainloop.toml,
# under the key in brackets. Unknown names are refused. An empty value counts as unset. The service
# reads .env in the folder where it is started; real environment variables take precedence.

# API keys of the providers. If AGENT_PROVIDER is unset, the first provider with a key is used.
# ANTHROPIC_API_KEY=
# OPENAI_API_KEY=
# GEMINI_API_KEY=
# DEEPSEEK_API_KEY=
# KIMI_API_KEY=
# GLM_API_KEY=
# MINIMAX_API_KEY=
# OLLAMA_HOST=http://localhost:11434

# Path of the settings file; unset: plainloop.toml in the current folder, if present.
# AGENT_CONFIG=
"""


def build_example() -> str:
    """Build the text of `.env.example`, which lists every setting as a commented variable."""
    sections = [HEAD]
    for owner, rows in groupby(list_known_settings(("worker",)), lambda row: row.owner):
        said = cleandoc(owner.__doc__ or "").partition("\n\n")[0].replace("\n", " ")
        lines = wrap(said, 100, initial_indent="# ", subsequent_indent="# ")
        for row in rows:
            # A path differs from machine to machine, and the file is in the repository
            # (test_the_example_lists_exactly_the_known_settings_with_their_defaults).
            default = "" if isinstance(row.default, Path) else to_text(row.default)
            lines += [f"# [{row.key}] {row.help_text}", f"# {row.env}={default}"]
        sections.append("\n".join(lines) + "\n")
    return "\n".join(sections)


if __name__ == "__main__":
    print(build_example(), end="")
