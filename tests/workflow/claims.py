"""Claims for tests: a proposal about the first row of the sound run, and how far it may come."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.workflow.claims import Outcome, promote, propose, validate
from generator.workflow.render import render
from tests.conftest import Kit

NAME = "greets-everybody"


@dataclass(frozen=True, slots=True)
class Claims:
    """A project with two rows, and what is done to claims in it."""

    kit: Kit

    @property
    def row(self) -> str:
        """The row of the system that has every case right."""
        return self.kit.row_files()[0].stem

    @property
    def file(self) -> Path:
        """The claim."""
        return self.kit.project.candidates / f"{NAME}.json"

    @property
    def promotion(self) -> Path:
        """What the page shows of it."""
        return self.kit.project.candidates / f"{NAME}.promoted.json"

    def proposal(self, edit: Callable[[dict[str, Any]], object] = lambda _: None) -> Path:
        """A sound proposal, spoilt by a function that changes its object."""
        said: dict[str, Any] = {
            "name": NAME,
            "description": "The parser greets back in every case.",
            "applicability": "Short greetings in English.",
            "claim": "It greets back whoever greets.",
            "holds": [
                {"measure": "passed", "min": "0.75"},
                {"measure": "wrong", "max": "0"},
            ],
            "evidence": {"row": self.row},
        }
        edit(said)
        path = self.kit.root.parent / "proposal.json"
        path.write_text(json.dumps(said), encoding="utf-8")
        return path

    def proposed(self) -> Outcome:
        """Propose it."""
        return sound(propose(self.kit.project, self.proposal()))

    def validated(self) -> Outcome:
        """Propose it, and let another run bear it out."""
        self.proposed()
        return sound(validate(self.kit.project, NAME, self.kit.again()))

    def promoted(self) -> Outcome:
        """Bring it onto its page, as the command does."""
        self.validated()
        done = sound(promote(self.kit.project, NAME))
        render(self.kit.project)
        return done


def sound(outcome: Outcome) -> Outcome:
    """An outcome that nothing speaks against."""
    assert outcome.refusals == ()
    return outcome


def kinds(outcome: Outcome) -> list[str]:
    """By what a claim is refused; each reason says what to do about it."""
    for refusal in outcome.refusals:
        assert refusal.what
        assert refusal.remedy
    return [refusal.id for refusal in outcome.refusals]
