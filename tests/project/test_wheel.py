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
# The command where all that is installed can be imported, but no distribution tells of what it
# brings (its entry points).
ALONE = """
from importlib import metadata
metadata.entry_points = lambda **group: metadata.EntryPoints()
from plainloop.agent.cli import main
main()
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel in it, as an installer lays it out; what it needs is here already."""
    pytest.importorskip("hatchling", reason="the build backend is not installed")
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    for name in ("agent", "server", "migrations", "plainloop"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    build(source, folder)
    shutil.rmtree(source)
    return folder / "site"


def build(source: Path, folder: Path) -> None:
    """The wheel of a source tree, unpacked into the folder's `site`."""
    wheels = folder / "wheels"
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels)], source)
    (wheel,) = wheels.glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        files.extractall(folder / "site")
    shutil.rmtree(wheels)


def run(command: Sequence[str], folder: Path, environ: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_installs_no_other_top_level_module(site: Path):
    assert {path.name.partition("-")[0] for path in site.iterdir()} == {"plainloop"}


def test_the_wheel_contains_the_console(site: Path):
    ours = [*(ROOT / "server/console/static").iterdir()]

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


def test_a_wheel_without_a_pack_says_how_to_get_one(site: Path, tmp_path: Path):
    environ = without_packs(make_environ(tmp_path)) | {"PYTHONPATH": str(site)}
    program = [sys.executable, "-P", "-c", ALONE, "ask", "hello"]
    done = subprocess.run(program, cwd=tmp_path, env=environ, capture_output=True, text=True)
    assert (done.returncode, "plainloop new NAME" in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize("path", sorted(ROOT.glob("packages/*")), ids=lambda path: path.name)
def test_each_wheel_contains_exactly_its_packages_files(path: Path, tmp_path: Path):
    pytest.importorskip("hatchling", reason="the build backend is not installed")
    source = tmp_path / "source"
    shutil.copytree(path, source, ignore=shutil.ignore_patterns("__pycache__", "dist"))
    build(source, tmp_path)
    home = path / f"plainloop_{path.name}"
    ours = {
        str(file.relative_to(path))
        for file in home.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    brought = {
        str(file.relative_to(tmp_path / "site"))
        for file in (tmp_path / "site").rglob("*")
        if file.is_file() and "dist-info" not in str(file)
    }
    assert brought == ours
