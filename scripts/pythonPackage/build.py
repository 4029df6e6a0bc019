"""Builds and tests the package for Python: `python3 scripts/pythonPackage/build.py [folder]`.

Generates the operations from openapi.json, checks all types, writes wheel and sdist into the folder
(dist/python), and runs the tests on what is installed from it, by each `--python`. Needs Python 3.11
or newer and the registry. With PARLEY_URL, PARLEY_TOKEN and
PARLEY_PUBLIC_ID the tests also talk to a running service.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TOOLS = ("openapi-python-client==0.29.1", "mypy==2.4.1", "pytest==9.0.1", "build==1.3.0", "hatchling==1.28.0")
USED = ("attrs", "httpx", "httpx-sse", "python-dateutil", "standardwebhooks", "typing_extensions")


def build(folder: Path, pythons: list[str]) -> None:
    """Writes the package, and runs the tests on the installed package, by each Python."""
    with tempfile.TemporaryDirectory(prefix="parley-python-") as work:
        package = Path(work) / "package"
        shutil.copytree(HERE, package, ignore=shutil.ignore_patterns("__pycache__", "build.py"))
        version = json.loads((ROOT / "package.json").read_text())["version"]
        (package / "parley_client/version.py").write_text(
            f'"""Version of the service that the package was made for."""\n\n__version__ = "{version}"\n'
        )
        run = programs(sys.executable, Path(work) / "build", package)
        run("pip", "install", "--quiet", *TOOLS, *USED)
        config = Path(work) / "generator.yml"
        config.write_text("literal_enums: true\npost_hooks: []\n")
        words = ["--path", str(ROOT / "openapi.json"), "--config", str(config), "--meta", "none"]
        target = str(package / "parley_client/rest")
        run("openapi-python-client", "generate", *words, "--output-path", target)
        # `Self` came to `typing` with Python 3.11.
        client = package / "parley_client/rest/client.py"
        old, new = "from typing import Any, Self", "from typing import Any\n\nfrom typing_extensions import Self"
        client.write_text(client.read_text().replace(old, new))
        run("mypy", "--python-version", "3.10", "parley_client", "tests")
        folder.mkdir(parents=True, exist_ok=True)
        run("python", "-m", "build", "--no-isolation", "--outdir", str(folder))
        wheel = str(folder / f"parley_client-{version}-py3-none-any.whl")
        tests = shutil.copytree(HERE / "tests", Path(work) / "tests")
        for index, python in enumerate(pythons or [sys.executable]):
            run = programs(python, Path(work) / str(index), tests)
            run("python", "--version")
            run("pip", "install", "--quiet", "pytest==9.0.1", wheel)
            run("python", "-m", "pytest", "-q")


def programs(python: str, environment: Path, folder: Path) -> Callable[..., None]:
    """Makes an environment, and returns what runs its programs in a folder."""
    subprocess.run([python, "-m", "venv", str(environment)], check=True)
    tools = environment / ("Scripts" if os.name == "nt" else "bin")

    def run(program: str, *words: str) -> None:
        subprocess.run([str(tools / program), *words], cwd=folder, check=True)

    return run


if __name__ == "__main__":
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist/python")
    given.add_argument("--python", action="append", default=[], help="runs the tests; repeatable")
    options = given.parse_args()
    build(options.folder.resolve(), options.python)
