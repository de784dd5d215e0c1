"""The cases of a paired experiment: its manifest, and its tasks, which may be folders.

`experiment.json` is a manifest as `results run` takes it. What else there is belongs to a task:

    <id>/task.json    what is asked
    <id>/files/…      the workspace at the start
    <id>/oracle.py    or `oracle.js`, where `task.json` has no `oracleCommand`

All of it comes to one `Experiment`, whose digest is the cohort.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, TypeVar

from generator.families.family import CorpusFault
from generator.records.base import Record, canonical_json, fault_in, slug, strict_json
from generator.records.benchmark import PYTHON, Benchmark
from generator.records.experiment import Command, Experiment, File, Part, Task, Text

MANIFEST = "experiment.json"
TASK = "task.json"
FILES = "files"
IN_PYTHON = "oracle.py"
IN_JAVASCRIPT = "oracle.js"

REMEDY = "Mend it; the guide on writing a benchmark of the family paired shows its form."
_LONGEST_SLUG = 100
_BENCHMARK = "../benchmark.toml"

_PYTHON_ALONE = (PYTHON, "-I", "-B", "-c")
"""How an oracle in Python is run, with its text and the workspace after it: nothing that lies about
takes part in it, and it leaves no compiled modules in a workspace from which it imports."""

Shape = TypeVar("Shape", bound=Record)


class Manifest(Experiment):
    """The manifest as its file has it: all of its tasks may stand elsewhere."""

    tasks: tuple[Task, ...] = ()


class TaskFile(Part):
    """What `task.json` says of a task that is a folder."""

    prompt: Text
    oracle_command: Command | None = None


class OracleFile(Part):
    """The text of an oracle that is a file."""

    text: Text


@dataclass(frozen=True, slots=True)
class PairedCorpus:
    """An experiment, and its tasks by id, in the order of their ids."""

    experiment: Experiment
    by_id: Mapping[str, Task]

    @property
    def cases(self) -> AbstractSet[str]:
        """Ids of the tasks, in their order."""
        return self.by_id.keys()


@dataclass(frozen=True, slots=True)
class Placed:
    """A task, and the file that is named where something is wrong with it."""

    file: str
    task: Task


@dataclass(slots=True)
class Reading:
    """What could be read, and everything that is wrong."""

    manifest: Manifest | None = None
    placed: dict[str, Placed] = field(default_factory=dict)
    """By id, in the order of the ids."""

    faults: list[CorpusFault] = field(default_factory=list)
    corpus: PairedCorpus | None = None
    """None where anything is wrong."""


def read_corpus(files: Mapping[str, bytes], benchmark: Benchmark) -> PairedCorpus:
    """Read manifest and tasks, by POSIX path; raises CorpusFault for the first fault."""
    reading = read_all(files, benchmark)
    if reading.corpus is None:
        raise reading.faults[0]
    return reading.corpus


def read_all(files: Mapping[str, bytes], benchmark: Benchmark) -> Reading:
    """Read on after a fault, so that all of them can be told."""
    reading = Reading()
    plain = _read_manifest(reading, files, benchmark)
    inline = () if reading.manifest is None else reading.manifest.tasks
    placed = [Placed(MANIFEST, task) for task in inline]
    known = {task.id for task in inline}
    for folder, own in _folders(reading, files).items():
        task = _read_task(reading, folder, own)
        if folder in known:
            what = f"a task of {MANIFEST} has the id {folder!r} too"
            _fault(reading, f"{folder}/{TASK}", what, "Give each task an id of its own.")
        elif task is not None:
            placed.append(Placed(f"{folder}/{TASK}", task))
    reading.placed = {one.task.id: one for one in sorted(placed, key=lambda one: one.task.id)}
    if not reading.faults:
        _compile(reading, plain)
    reading.faults.sort(key=lambda fault: fault.file)
    return reading


def _fault(reading: Reading, file: str, what: str, remedy: str) -> None:
    reading.faults.append(CorpusFault(file, what, remedy))


def _parsed(reading: Reading, file: str, shape: type[Shape], content: bytes) -> Shape | None:
    """A file as that shape; none, and a fault, where it is something else."""
    try:
        return shape.parse(content.decode())
    except (ValueError, RecursionError) as fault:
        _fault(reading, file, fault_in(content, fault), REMEDY)
        return None


def _read_manifest(
    reading: Reading, files: Mapping[str, bytes], benchmark: Benchmark
) -> dict[str, Any]:
    """The manifest as plain values, each arm with the command that is declared for it."""
    if benchmark.scoring:
        found = ", ".join(sorted(benchmark.scoring))
        what = f"[scoring] has {found}, and no such thing changes a score of the family paired"
        _fault(reading, _BENCHMARK, what, "Leave [scoring] out.")
    if MANIFEST not in files:
        remedy = "Write it: `model`, `runtimeRevision`, two `arms`."
        _fault(reading, MANIFEST, "there is no manifest", remedy)
        return {}
    plain = _object(reading, files[MANIFEST])
    _refuse_two_commands(reading, plain, benchmark)
    plain = _with_commands(plain, benchmark)
    if plain:
        reading.manifest = _parsed(reading, MANIFEST, Manifest, canonical_json(plain))
    _refuse_names(reading)
    return plain


def _object(reading: Reading, content: bytes) -> dict[str, Any]:
    """The manifest as it stands; nothing, and a fault, where it is no JSON object."""
    try:
        plain = strict_json(content.decode())
        canonical_json(plain)  # no half surrogate pairs
    except (ValueError, RecursionError) as fault:
        _fault(reading, MANIFEST, fault_in(content, fault), REMEDY)
        return {}
    if not isinstance(plain, dict) or not plain:
        _fault(reading, MANIFEST, "it holds no JSON object with the fields of a manifest", REMEDY)
        return {}
    return plain


def _arms(plain: Mapping[str, Any]) -> list[Any]:
    arms = plain.get("arms")
    return arms if isinstance(arms, list) else []


def _declared(arm: object, benchmark: Benchmark) -> list[str] | None:
    """The command of the system that an arm is called after."""
    name = arm.get("name") if isinstance(arm, dict) else None
    return next((list(known.command) for known in benchmark.systems if known.id == name), None)


def _with_commands(plain: dict[str, Any], benchmark: Benchmark) -> dict[str, Any]:
    arms = []
    for arm in _arms(plain):
        command = _declared(arm, benchmark)
        arms.append(arm if command is None else {"command": command, **arm})
    return {**plain, "arms": arms} if arms else plain


def _refuse_two_commands(reading: Reading, plain: dict[str, Any], benchmark: Benchmark) -> None:
    """A row says of an arm what is declared, which then has to be what was run."""
    for arm in _arms(plain):
        declared = _declared(arm, benchmark)
        if declared is not None and arm.get("command", declared) != declared:
            what = (
                f"the arm {arm['name']!r} has a `command`, and [[systems]] of benchmark.toml "
                "declares another for a system of that id"
            )
            remedy = "Leave one of them out, or give the arm another name."
            _fault(reading, MANIFEST, what, remedy)


def _refuse_names(reading: Reading) -> None:
    """An arm is called in a row as in the manifest."""
    for arm in () if reading.manifest is None else reading.manifest.arms:
        if slug(arm.name, limit=_LONGEST_SLUG) != arm.name:
            what = f"the arm {arm.name!r} can't be called so in a row of a benchmark"
            remedy = "Take lower-case letters, digits, and single hyphens between them."
            _fault(reading, MANIFEST, what, remedy)


def _folders(reading: Reading, files: Mapping[str, bytes]) -> dict[str, dict[str, bytes]]:
    """By folder: the content of its files by their path in it."""
    found: dict[str, dict[str, bytes]] = {}
    for path, content in sorted(files.items()):
        folder, _, name = path.partition("/")
        if path == MANIFEST:
            continue
        if name in (TASK, IN_PYTHON, IN_JAVASCRIPT) or name.startswith(f"{FILES}/"):
            found.setdefault(folder, {})[name] = content
            continue
        remedy = (
            f"Remove it. A task is a folder with {TASK}, its workspace in {FILES}/, and "
            f"{IN_PYTHON} or {IN_JAVASCRIPT}."
        )
        _fault(reading, path, "it is no part of a task", remedy)
    return found


def _read_task(reading: Reading, folder: str, own: Mapping[str, bytes]) -> Task | None:
    """The task of a folder; none, and faults, where something is wrong with it."""
    before = len(reading.faults)
    path = f"{folder}/{TASK}"
    if TASK not in own:
        remedy = f"Write it: `prompt`, and `oracleCommand` where there is no {IN_PYTHON}."
        _fault(reading, path, "it is missing", remedy)
        return None
    said = _parsed(reading, path, TaskFile, own[TASK])
    command = None if said is None else said.oracle_command
    oracles = _oracles(reading, folder, own)
    if command is not None:
        oracles["oracleCommand"] = list(command)
    if said is not None:
        _refuse_oracles(reading, path, own, command)
    workspace = _workspace(reading, folder, own)
    if said is None or len(reading.faults) > before:
        return None
    task = {"id": folder, "prompt": said.prompt, "files": workspace, **oracles}
    return _parsed(reading, folder, Task, canonical_json(task))


def _refuse_oracles(
    reading: Reading, path: str, own: Mapping[str, bytes], command: tuple[str, ...] | None
) -> None:
    found = [name for name in (IN_PYTHON, IN_JAVASCRIPT) if name in own]
    found += ["`oracleCommand`"] if command is not None else []
    if len(found) != 1:
        what = f"a task has one oracle; this one has {' and '.join(found) or 'none'}"
        remedy = f"Keep one of {IN_PYTHON}, {IN_JAVASCRIPT} and `oracleCommand`."
        _fault(reading, path, what, remedy)


def _oracles(reading: Reading, folder: str, own: Mapping[str, bytes]) -> dict[str, Any]:
    """The oracles that are files, as a manifest has them."""
    found: dict[str, Any] = {}
    for name in (IN_PYTHON, IN_JAVASCRIPT):
        source = _text(reading, f"{folder}/{name}", own[name]) if name in own else None
        if source is None:
            continue
        text = canonical_json({"text": source})
        if _parsed(reading, f"{folder}/{name}", OracleFile, text) is None:
            continue
        if name == IN_PYTHON:
            found["oracleCommand"] = [*_PYTHON_ALONE, source]
        else:
            found["oracle"] = source
    return found


def _workspace(reading: Reading, folder: str, own: Mapping[str, bytes]) -> list[dict[str, str]]:
    files = []
    for name, content in own.items():
        path = name.removeprefix(f"{FILES}/")
        text = None if path == name else _text(reading, f"{folder}/{name}", content)
        if text is not None:
            file = {"path": path, "content": text}
            if _parsed(reading, f"{folder}/{name}", File, canonical_json(file)) is not None:
                files.append(file)
    return files


def _text(reading: Reading, path: str, content: bytes) -> str | None:
    try:
        return content.decode()
    except UnicodeDecodeError as fault:
        remedy = "Save it as UTF-8: a manifest holds texts only."
        _fault(reading, path, f"it is no text: {fault}", remedy)
        return None


def _compile(reading: Reading, plain: Mapping[str, Any]) -> None:
    """The experiment that manifest and folders come to, where nothing is wrong with either."""
    tasks = [placed.task for placed in reading.placed.values()]
    if not tasks:
        remedy = f"Make a folder with {TASK}, or put it into `tasks`."
        _fault(reading, MANIFEST, "there is no task", remedy)
        return
    whole = {**plain, "tasks": [task.plain() for task in tasks]}
    experiment = _parsed(reading, MANIFEST, Experiment, canonical_json(whole))
    if experiment is not None:
        reading.corpus = PairedCorpus(experiment, {task.id: task for task in experiment.tasks})
