"""The scenes of a run: one set a surface of the benchmark's subject, each seen to stand."""

import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from generator.errors import CorpusError, UsageError
from generator.families.family import Question, Scene
from generator.records import bundle
from generator.records.benchmark import Benchmark, Subject, Surface
from generator.runners.scene import Scenes, require_client
from generator.runners.stage import Player, Served
from generator.runners.system import Level, Observed, System, Terms
from generator.store.project import Project


@dataclass(frozen=True, slots=True)
class Staging:
    """Scenes of one surface, and what they offer; none where questions are only asked."""

    scene: tuple[Scenes, Served] | None = None

    def described(self, spec: str, system: System, level: Level | None) -> bundle.System:
        """A system's entry in the manifest there; raises UsageError."""
        if self.scene is None:
            return system.described(level)
        return _player(spec, system).staged(level, self.scene[1])

    def put(
        self, spec: str, system: System, terms: Terms
    ) -> Callable[[Question], Awaitable[Observed]] | None:
        """How a system is put a question there, where that is not all."""
        if self.scene is None:
            return None
        scenes, player = self.scene[0], _player(spec, system)
        return lambda question: scenes.attempt(player, question, terms)


async def stagings(
    project: Project, benchmark: Benchmark, questions: Sequence[Question], named: Sequence[str]
) -> list[Staging]:
    """One for each surface that is named, or for all of the subject's; raises AssayError."""
    scene = next((one.scene for one in questions if one.scene is not None), None)
    if scene is None:
        if named:
            raise UsageError(
                f"The benchmark {benchmark.id!r} has no surfaces.", "Leave out --surface."
            )
        return [Staging()]
    subject = _subject(benchmark)
    surfaces = _surfaces(subject, scene, named)
    require_client()
    found = []
    for surface in surfaces:
        scenes = Scenes(subject, surface, project.root, os.environ)
        found.append(Staging((scenes, await scenes.served(scene))))
    return found


def subject_of(benchmark: Benchmark) -> bundle.Subject | None:
    """What a manifest says of the subject; none where there is none."""
    subject = benchmark.subject
    if subject is None:
        return None
    return bundle.Subject(name=subject.name, version=subject.version, repository=subject.repository)


def _subject(benchmark: Benchmark) -> Subject:
    if benchmark.subject is None:
        raise CorpusError(
            f"The cases of {benchmark.id!r} are about a server, and its benchmark.toml declares "
            "none.",
            "Declare how it is started and kept, in [subject].",
        )
    return benchmark.subject


def _surfaces(subject: Subject, scene: Scene, named: Sequence[str]) -> list[Surface]:
    """The surfaces that are named, or all, in their order."""
    known = [surface.id for surface in subject.surfaces]
    for name in named:
        if name not in known:
            raise UsageError(
                f"The subject has no surface {name!r}.", f"Declared: {', '.join(known)}."
            )
    for name in known:
        if name not in scene.turns:
            raise CorpusError(
                f"benchmark.toml declares the surface {name!r}, which the cases do not know.",
                "Add it to the catalogue, or remove it from [subject].",
            )
    return [surface for surface in subject.surfaces if not named or surface.id in named]


def _player(spec: str, system: System) -> Player:
    if isinstance(system, Player):
        return system
    raise UsageError(
        f"{spec} can't be asked this benchmark: a program has no way to call the subject's tools.",
        "Name a model, such as openai:MODEL, or a simulated system.",
    )
