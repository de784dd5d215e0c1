"""Keys, tokens and home paths of known shapes, in everything that would be published.

Each shape is one line in `SHAPES`. All of them are looked for at once by google-re2, whose time
grows with the length of the text only, since the texts come from strangers. What is found is told
by kind and place, never by itself.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import re2


@dataclass(frozen=True, slots=True)
class Shape:
    """What secrets of one kind look like."""

    kind: str
    """Its name, the same in every language."""

    pattern: str
    """In re2's dialect, over text that may be escaped as JSON once or twice."""


_KEY = r"[A-Za-z0-9_-]"
_SLASH = r"(?:\\*/|\\+)"
"""A slash or backslash, as it stands or escaped."""

_NAME = r"[A-Za-z0-9._-]"

SHAPES: tuple[Shape, ...] = (
    Shape("private key", r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"),
    Shape("private key", r"PuTTY-User-Key-File-[0-9]"),
    Shape("private key", r"\bAGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    Shape(
        "credentials in a URL",
        r"\b[a-z][a-z0-9+.-]{1,20}:" + _SLASH + r"{2}[^\s/?#\"\\:@]*:[^\s/?#\"\\@]+@",
    ),
    Shape("AWS access key", r"\b(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[0-9A-Z]{16}\b"),
    Shape("Anthropic key", r"\bsk-ant-[a-z0-9]+-" + _KEY + r"{20,}"),
    Shape(
        "OpenAI key",
        r"\bsk-(?:(?:proj|svcacct|admin|None)-" + _KEY + r"{32,}|[A-Za-z0-9]{32,})",
    ),
    Shape("OpenRouter key", r"\bsk-or-v1-[a-f0-9]{32,}"),
    Shape("Google key", r"\bAIza" + _KEY + r"{35}"),
    Shape("Google OAuth token", r"\bya29\." + _KEY + r"{20,}"),
    Shape("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}\b"),
    Shape("Groq key", r"\bgsk_[A-Za-z0-9]{40,}\b"),
    Shape("xAI key", r"\bxai-[A-Za-z0-9]{40,}\b"),
    Shape("Replicate token", r"\br8_[A-Za-z0-9]{30,}\b"),
    Shape("Perplexity key", r"\bpplx-[A-Za-z0-9]{40,}\b"),
    Shape("GitHub token", r"\b(?:gh[opsru]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{50,})"),
    Shape("GitLab token", r"\bgl(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|oas)-" + _KEY + r"{20,}"),
    Shape("npm token", r"\bnpm_[A-Za-z0-9]{36}\b"),
    Shape("PyPI token", r"\bpypi-AgE[A-Za-z0-9_-]{50,}"),
    Shape("Slack token", r"\bxox[abeoprs]-[0-9A-Za-z-]{10,}"),
    Shape("Slack webhook", r"hooks\.slack\.com" + _SLASH + r"services" + _SLASH + r"T[A-Za-z0-9]+"),
    Shape("Discord token", r"\b[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}"),
    Shape("Telegram token", r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}"),
    Shape("Stripe key", r"\b[rs]k_live_[0-9A-Za-z]{20,}"),
    Shape("SendGrid key", r"\bSG\." + _KEY + r"{22}\." + _KEY + r"{43}"),
    Shape("Twilio key", r"\bSK[a-f0-9]{32}\b"),
    Shape("Azure storage key", r"AccountKey=[A-Za-z0-9+/=]{80,}"),
    Shape("JSON web token", r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    Shape(
        "bearer token",
        r"(?i)\bauthorization[\"'\\]*\s*[:=]\s*[\"'\\]*(?:bearer|basic)\s+[A-Za-z0-9._~+/-]{16,}",
    ),
    Shape("home path", _SLASH + r"(?:home|Users)" + _SLASH + _NAME + r"+"),
    Shape("home path", r"(?:^|[\s\"'=:(,])\\*/root\\*/" + _NAME + r"+"),
)


def found(text: bytes) -> Iterator[str]:
    """The kinds of secrets in a text of UTF-8 bytes, each once, in the order of `SHAPES`."""
    matched = _all_at_once().Match(text)
    if matched:
        yield from dict.fromkeys(SHAPES[number].kind for number in sorted(matched))


@cache
def _all_at_once() -> Any:  # noqa: ANN401  re2 has no types
    shapes = re2.Set.SearchSet()
    for shape in SHAPES:
        shapes.Add(shape.pattern)
    shapes.Compile()
    return shapes
