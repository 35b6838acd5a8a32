"""What SETUP.md says of each model backend, and words that are safe in a shell."""

import shlex
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.settings import Settings
from melleafy_tui.generators.markdown_text import one_line


class BackendGuide(Struct, frozen=True):
    """How to get a backend ready: a sentence, shell commands with `{model}`, and what to check."""

    title: str
    needs: str
    commands: tuple[str, ...] = ()


_GUIDES: Final[dict[str, BackendGuide]] = {
    "ollama": BackendGuide(
        "Ollama",
        "Install Ollama (https://ollama.com), start it, and pull the model once:",
        ("ollama pull {model}",),
    ),
    "openai": BackendGuide(
        "OpenAI or a server that speaks its interface",
        "Set the key, and the address of the server where it is not OpenAI's own:",
        ("export OPENAI_API_KEY=your-key", "# export OPENAI_BASE_URL=http://localhost:8000/v1"),
    ),
    "huggingface": BackendGuide(
        "Hugging Face",
        "Install Mellea's extra; the weights are downloaded at the first run:",
        ('pip install "mellea[hf]>=0.8,<0.9"',),
    ),
    "watsonx": BackendGuide(
        "watsonx.ai",
        "Install Mellea's extra, and set address, project and key:",
        (
            'pip install "mellea[watsonx]>=0.8,<0.9"',
            "export WATSONX_URL=your-address",
            "export WATSONX_PROJECT_ID=your-project",
            "export WATSONX_API_KEY=your-key",
        ),
    ),
    "litellm": BackendGuide(
        "LiteLLM",
        "Install Mellea's extra, and set the key of the provider behind it:",
        ('pip install "mellea[litellm]>=0.8,<0.9"',),
    ),
}
_ALIASES: Final = {"hf": "huggingface"}
_OTHER: Final = BackendGuide("the backend", "See Mellea's documentation for what this backend needs.")


def backend_guide(settings: Settings) -> BackendGuide:
    """Return the guide for the chosen backend, the model filled in."""
    name = _ALIASES.get(settings.backend, settings.backend)
    guide = _GUIDES.get(name, _OTHER)
    model = shell_word(settings.model_id)
    return BackendGuide(
        guide.title, guide.needs, tuple(line.replace("{model}", model) for line in guide.commands)
    )


def shell_word(text: str) -> str:
    """Return the text as one word of a shell command, hidden characters as signs."""
    return shlex.quote(one_line(text))
