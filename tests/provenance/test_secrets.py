"""What must never be published is known by its shape; what only looks a little like it is not."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.provenance.secrets import SHAPES, found

# Put together here, so that no file of this repository holds anything of a secret's shape.
A, D = "Ab3" * 30, "0123456789abcdef" * 4
SECRETS = {
    "private key": ["-----BEGIN " + "OPENSSH PRIVATE KEY-----", "-----BEGIN " + "PRIVATE KEY-----"],
    "credentials in a URL": ["https://" + "bob:hunter2@db.example/x", "postgres://" + "u:p@h/d"],
    "AWS access key": ["AKIA" + "ABCDEFGHIJ234567"],
    "Anthropic key": ["sk-ant-" + "api03-" + A],
    "OpenAI key": ["sk-" + A[:48], "sk-proj-" + A],
    "OpenRouter key": ["sk-or-v1-" + D],
    "Google key": ["AIza" + A[:35]],
    "Google OAuth token": ["ya29." + A],
    "Hugging Face token": ["hf_" + A[:34]],
    "Groq key": ["gsk_" + A[:52]],
    "xAI key": ["xai-" + A[:80]],
    "Replicate token": ["r8_" + A[:37]],
    "Perplexity key": ["pplx-" + A[:48]],
    "GitHub token": ["ghp_" + A[:36], "github_pat_" + A[:82]],
    "GitLab token": ["glpat-" + A[:20]],
    "npm token": ["npm_" + A[:36]],
    "PyPI token": ["pypi-AgE" + A],
    "Slack token": ["xoxb-" + "123456789012-abcdef"],
    "Slack webhook": ["https://hooks.slack.com/services/" + "T0000/B0000/abc"],
    "Discord token": ["M" + A[:23] + "." + A[:6] + "." + A[:27]],
    "Telegram token": ["123456789:AA" + A[:33]],
    "Stripe key": ["sk_live_" + A[:24]],
    "SendGrid key": ["SG." + A[:22] + "." + A[:43]],
    "Twilio key": ["SK" + D[:32]],
    "Azure storage key": ["AccountKey=" + A[:88]],
    "JSON web token": ["eyJ" + A[:20] + ".eyJ" + A[:20] + "." + A[:20]],
    "bearer token": ["Authorization: Bearer " + A[:30]],
    "home path": [
        "/home/" + "bob/run",
        "C:\\Users\\" + "Bob\\run",
        "/Users/" + "bob",
        "/ro" + "ot/run",
    ],
}
HARMLESS = (
    "see https://example.org/a/b@c",
    "12:30 at http://example.org",
    "the task-force of 2026",
    "sk-learn and hf_transfer",
    "/usr/home and /var/roots",
    "a root/leaf, a Users guide",
    "git@example.org:team/project.git",
    "sha256 " + "0123456789abcdef" * 4,
)


@pytest.mark.parametrize(
    ("kind", "secret"), [(kind, secret) for kind, all_ in SECRETS.items() for secret in all_]
)
@pytest.mark.parametrize("times", [0, 1, 2])
def test_a_secret_is_found_however_often_it_is_escaped(kind: str, secret: str, times: int) -> None:
    """Bare, in a JSON string, or in JSON that is itself in a JSON string."""
    text = secret
    for _ in range(times):
        text = json.dumps({"said": text})
    assert list(found(text.encode())) == [kind]


def test_every_kind_has_an_example() -> None:
    """No shape is there that nothing was ever tried against."""
    assert {shape.kind for shape in SHAPES} == set(SECRETS)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_a_secret_is_none(text: str) -> None:
    """Prose, plain addresses and digests pass."""
    assert list(found(text.encode())) == []


@given(st.text(max_size=200), st.text(max_size=200))
def test_a_secret_is_found_among_anything(before: str, after: str) -> None:
    """Whatever stands around a private key, it is found."""
    text = f"{before} -----BEGIN " + f"RSA PRIVATE KEY----- {after}"
    assert "private key" in found(text.encode("utf-8", "replace"))


def test_no_text_holds_the_search_up() -> None:
    """Time grows with the length only: a hundred times the text takes no thousand times as long."""
    hostile = b"https://" + b"a:" * 500
    started = time.perf_counter()
    list(found(hostile))
    short = time.perf_counter() - started
    started = time.perf_counter()
    list(found(hostile * 100))
    assert time.perf_counter() - started < max(short, 1e-4) * 10_000
