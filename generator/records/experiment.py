"""A paired experiment: two arms on the same tasks, as its operator's manifest has it.

The names of fields are those of the manifest, in camel case. Everything in it is trusted: commands
and oracles are run as they stand.
"""

from collections.abc import Iterable
from typing import Annotated, Self

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    field_validator,
    model_validator,
)
from pydantic.alias_generators import to_camel

from generator.records.base import Name, Record, digest_of_json

MANIFEST_LIMIT = 8_000_000
"""How many bytes a manifest may have."""

ARGUMENT_LIMIT = 100_000
"""How many bytes a prompt, an oracle or an argument may have: a program is started with it."""

TASKS = 100
"""The most tasks of an experiment."""

PROMPT = "{prompt}"
"""An argument that is just this stands for the prompt, which otherwise is the standard input."""

ROOT = "{root}/"
"""An argument that begins with this names a file below the project, or beside the manifest."""

NODE = "node"
"""What runs an oracle that is JavaScript."""

_NEVER = frozenset({"", ".", "..", ".git"})
_PART_LIMIT = 255
"""How many bytes a file system takes for one part of a path."""


def _fits(text: str) -> str:
    if "\0" in text:
        message = "it has a NUL, which no program can be started with"
        raise ValueError(message)
    if len(text.encode()) > ARGUMENT_LIMIT:
        message = f"it has more than {ARGUMENT_LIMIT} bytes, which no program is started with"
        raise ValueError(message)
    return text


def _names_a_program(command: tuple[str, ...]) -> tuple[str, ...]:
    if not command[0]:
        message = "its first part, the program, is empty"
        raise ValueError(message)
    return command


def _inside(path: str) -> str:
    """The path, if it names a file in a folder whatever that is; raises ValueError."""
    parts = path.split("/")
    for part in parts:
        if part.lower() in _NEVER:
            message = f"{path!r} has the part {part!r}: a path is relative, and stays inside"
            raise ValueError(message)
        if len(part.encode()) > _PART_LIMIT or not part.isprintable():
            message = f"{path!r} has a part that is no name of a file: {part[:40]!r}"
            raise ValueError(message)
    return path


ArmName = Annotated[str, StringConstraints(pattern=r"^[a-zA-Z0-9_-]{1,64}$")]
"""The name of an arm, or the id of a task."""

Argument = Annotated[str, AfterValidator(_fits)]
Text = Annotated[str, StringConstraints(min_length=1), AfterValidator(_fits)]
Command = Annotated[
    tuple[Argument, ...],
    Field(min_length=1, max_length=1_000),
    AfterValidator(_names_a_program),
]
"""A program and its arguments; no shell reads them."""


class Part(Record):
    """What a manifest is made of."""

    model_config = ConfigDict(alias_generator=to_camel)


class File(Part):
    """A file of a workspace, as it is at the start."""

    path: Annotated[str, StringConstraints(min_length=1, max_length=1_000), AfterValidator(_inside)]
    content: str


class Task(Part):
    """What both arms are asked, and the oracle that says whether it was done."""

    id: ArmName
    prompt: Text
    files: tuple[File, ...]
    oracle: Text | None = None
    """JavaScript that Node runs; `process.argv[1]` is the workspace."""

    oracle_command: Command | None = None
    """Any program; its last argument will be the workspace."""

    @model_validator(mode="after")
    def _one_oracle(self) -> Self:
        if (self.oracle is None) == (self.oracle_command is None):
            message = "a task has either an `oracle` or an `oracleCommand`"
            raise ValueError(message)
        return self

    @field_validator("files")
    @classmethod
    def _each_file_once(cls, files: tuple[File, ...]) -> tuple[File, ...]:
        paths = [file.path for file in files]
        _each_once("the path", paths)
        folders = {
            "/".join(parts[:depth])
            for parts in (path.split("/") for path in paths)
            for depth in range(1, len(parts))
        }
        both = sorted(folders.intersection(paths))
        if both:
            message = f"{both[0]!r} is a file and a folder"
            raise ValueError(message)
        return files

    @property
    def judge(self) -> tuple[str, ...]:
        """The oracle's program and arguments, but for the workspace."""
        return self.oracle_command or (NODE, "-e", self.oracle or "")


class Arm(Part):
    """One of the two ways in which the tasks are tried."""

    name: ArmName
    features: dict[Name, JsonValue] = {}
    """Switches of the command, which reads them from its configuration."""

    tool_profile: Name | None = None
    """Which set of tools it is to work with; it reads that there, too."""

    command: Command | None = None
    """What is run, where it is not the experiment's own command."""


class Experiment(Part):
    """The whole manifest."""

    model: Annotated[str, StringConstraints(pattern=r"^[^/\s]+/\S+$", max_length=300)]
    """`provider/model` that both arms ask; `none/none` where they ask none."""

    runtime_revision: Name
    """What both arms run on, as its operator names it."""

    command: Command | None = None
    repetitions: Annotated[int, Field(ge=1, le=50)] = 3
    timeout_ms: Annotated[int, Field(ge=100, le=600_000)] = 120_000
    arms: tuple[Arm, ...]
    """The baseline, and the candidate."""

    tasks: tuple[Task, ...]

    @field_validator("arms")
    @classmethod
    def _two_arms(cls, arms: tuple[Arm, ...]) -> tuple[Arm, ...]:
        if len(arms) != 2:  # noqa: PLR2004  a pair
            message = f"an experiment has exactly two arms, not {len(arms)}"
            raise ValueError(message)
        _each_once("the arm", [arm.name for arm in arms])
        return arms

    @field_validator("tasks")
    @classmethod
    def _some_tasks(cls, tasks: tuple[Task, ...]) -> tuple[Task, ...]:
        if not 1 <= len(tasks) <= TASKS:
            message = f"an experiment has 1 to {TASKS} tasks, not {len(tasks)}"
            raise ValueError(message)
        _each_once("the task", [task.id for task in tasks])
        return tasks

    @model_validator(mode="after")
    def _each_arm_has_a_command(self) -> Self:
        for arm in self.arms:
            if arm.command is None and self.command is None:
                message = f"the arm {arm.name!r} has no `command`, nor has the experiment"
                raise ValueError(message)
        return self

    def command_of(self, arm: Arm) -> tuple[str, ...]:
        """What an arm runs."""
        return arm.command or self.command or ()

    @property
    def cohort(self) -> str:
        """Digest of the manifest with its defaults filled in: what runs must share to be paired."""
        return digest_of_json(self.plain())

    @property
    def seconds(self) -> float:
        """The time limit of an attempt."""
        return self.timeout_ms / 1_000


def _each_once(what: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            message = f"{what} {name!r} stands twice"
            raise ValueError(message)
        seen.add(name)
