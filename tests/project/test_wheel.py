"""The wheel, installed: everything is below `plainloop`, so a folder `server` is one's own."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.conftest import make_environ
from tests.project.conftest import without_packs

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel in it, as an installer lays it out; what it needs is here already."""
    pytest.importorskip("hatchling", reason="the build backend is not installed")
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    kept = ("agent", "server", "migrations", "plainloop")
    for name in kept:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, source / name, symlinks=True, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], source)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        files.extractall(folder / "site")
    shutil.rmtree(source)
    return folder / "site"


def run(command: Sequence[str], folder: Path, environ: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_nothing_but_plainloop_is_installed(site: Path):
    assert {path.name.partition("-")[0] for path in site.iterdir()} == {"plainloop"}


def test_the_console_comes_with_it_the_packs_pages_too(site: Path):
    ours = [*(ROOT / "server/console/static").iterdir(), *ROOT.glob("agent/packs/*/screens/*.js")]

    assert len(ours) > 20
    for path in ours:
        assert (site / "plainloop" / path.relative_to(ROOT)).read_bytes() == path.read_bytes()


def test_a_project_beside_a_folder_server_runs(site: Path, tmp_path: Path):
    environ = without_packs(make_environ(tmp_path)) | {"PYTHONPATH": str(site)}
    program = [sys.executable, "-P", "-m", "plainloop"]
    (tmp_path / "server").mkdir()
    (tmp_path / "server/__init__.py").write_text("raise RuntimeError('not yours')")
    (tmp_path / "agent.py").write_text("raise RuntimeError('not yours')")

    asked = [sys.executable, "-P", "-c", "import plainloop; print(plainloop.__file__)"]
    assert run(asked, tmp_path, environ).strip() == str(site / "plainloop/__init__.py")
    run([*program, "new", "shop"], tmp_path, environ)
    shutil.copytree(tmp_path / "server", tmp_path / "shop/server")
    said = run([*program, "ask", "add a task: water the plants"], tmp_path / "shop", environ)
    assert said == "Added #1 water the plants (open).\n"
