"""Somebody who follows the guide literally, in a folder of their own, without a network."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from tests.guide.reading import REPOSITORY, Block

LEFT_OUT = {
    "python3 -m venv .venv": "the test has an environment of its own",
    ". .venv/bin/activate": "the same",
    "python -m pip install .": "needs a network; the tests have it installed",
    "python -m pip install httpx": "needs a network; the tests have it installed",
    "results serve": "runs until it is ended; tests/cli/test_serve.py asks it for pages",
}
"""Lines that are not run, with the reason for each."""

ENDPOINT = "http://127.0.0.1:8080/v1"
"""What the guide takes for the address of a model; a server of the test stands in for it."""

ROW = "ROW"
"""What the guide writes for the id of a row."""

IDENTITY = {
    "GIT_AUTHOR_NAME": "A Reader",
    "GIT_AUTHOR_EMAIL": "reader@example.org",
    "GIT_COMMITTER_NAME": "A Reader",
    "GIT_COMMITTER_EMAIL": "reader@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}
"""A name for git, and nothing of the git configuration of whoever runs the tests."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Whoever follows the guide; what they remember lies on the disk."""

    home: Path
    """What is theirs: their programs, their folders, and what their shell remembers."""

    endpoint: str
    """The address of a model that they may ask."""

    @classmethod
    def starting(cls, home: Path, endpoint: str) -> "Reader":
        """Somebody at the very beginning, in an empty folder, with the program installed."""
        reader = cls(home, endpoint)
        (home / "bin").mkdir(parents=True)
        for name, words in (("python", ()), ("python3", ()), ("results", ("-m", "generator"))):
            program = home / "bin" / name
            program.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, *words])} "$@"\n')
            program.chmod(0o755)
        (home / "clone").mkdir()
        reader.go_to(home / "clone")
        return reader

    def copy(self, home: Path) -> "Reader":
        """Somebody who has come as far."""
        other = Reader.starting(home, self.endpoint)
        place = home / self.here.name
        shutil.copytree(self.here, place, symlinks=True)
        other.go_to(place)
        return other

    @property
    def here(self) -> Path:
        """The folder that they are in."""
        return Path((self.home / "here").read_text("utf-8").strip())

    def go_to(self, folder: Path) -> None:
        """Change the folder that they are in."""
        (self.home / "here").write_text(str(folder), encoding="utf-8")

    def follow(self, block: Block) -> None:
        """Do what a block asks for: save it, add it somewhere, or run it."""
        if block.saved:
            (self.here / block.saved).write_text(block.text, encoding="utf-8")
        elif block.added:
            with (self.here / block.added).open("a", encoding="utf-8") as file:
                file.write(f"\n{block.text}")
        elif block.language == "sh":
            self.run(block.text)

    def run(self, text: str) -> str:
        """Run commands, each of which must succeed; the next ones go on where they end."""
        commands = "\n".join(line for line in text.splitlines() if line.strip() not in LEFT_OUT)
        for word, to in self._stand_ins().items():
            commands = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", to, commands)
        memory = self.home / "memory"
        before = f". {memory}\n" if memory.exists() else ""
        done = subprocess.run(
            [
                *("bash", "-c"),
                f"{before}set -eu\n{commands}\npwd >{self.home}/here\nexport -p >{memory}\n",
            ],
            cwd=self.here,
            env=self._environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, f"{commands}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def _stand_ins(self) -> Mapping[str, str]:
        """What stands in for what the guide can't know."""
        rows = sorted(path.stem for path in self.here.glob("results/registry/*/*.json"))
        return {ENDPOINT: self.endpoint, ROW: rows[-1] if rows else ROW}

    def _environment(self) -> dict[str, str]:
        return {
            **IDENTITY,
            "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "PYTHONPATH": str(REPOSITORY),
            "NO_MKDOCS_2_WARNING": "1",
        }


class _Model(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = {"role": "assistant", "content": "Hello!"}
        reply = {
            "model": f"{asked['model']}-2026-11",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 9, "completion_tokens": 2},
        }
        content = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Nothing: the tests listen to the commands."""


@contextmanager
def model() -> Iterator[str]:
    """The address of a chat model on this machine that says the same whatever it is asked."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Model) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
