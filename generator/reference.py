"""The parts of the guide that are drawn from the code: `python -m generator.reference`.

Two pages hold such a part, between two comments: the commands, as the command line declares them,
and the writer, as its signatures and docstrings have it. A part is what the program itself says,
names and English, so it is the same in every language; what stands around it is translated.

Run it from the root of a clone after a command, an option or a docstring has changed. A translation
that was up to date before stays so.
"""

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any, get_args, get_type_hints

import typer

from generator import errors, writer
from generator.cli.app import app, options
from generator.pages.catalogues import SOURCE
from generator.pages.prose import digest, is_current
from generator.records import bundle

WIDTH = 80
BEGIN = "<!-- begin: {} -->"
END = "<!-- end: {} -->"


def commands() -> str:
    """Every command with its arguments, its options and its exit codes."""
    program = [app.info.help or "", app.info.epilog or ""]
    parts = [_section("results", options, said="\n\n".join(program))]
    parts += [_section(name, callback) for name, callback in declared(app, "results")]
    return "\n\n".join(parts)


def declared(group: typer.Typer, name: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every command in the order in which it is declared: its words, and what it calls."""
    for known in group.registered_commands:
        if known.name and known.callback:
            yield f"{name} {known.name}", known.callback
    for inner in group.registered_groups:
        if inner.typer_instance is not None:
            words = inner.name or inner.typer_instance.info.name
            yield from declared(inner.typer_instance, f"{name} {words}")


def exit_codes() -> str:
    """Every exit code with its meaning."""
    faults = sorted(_faults(), key=lambda fault: fault.code)
    meanings = [
        (0, "Done, and nothing to report."),
        (1, "Findings: a refusal, a stale page, a flaw of a corpus."),
        *((fault.code, inspect.cleandoc(fault.__doc__ or "").split("\n\n")[0]) for fault in faults),
        (130, "Stopped with Ctrl-C."),
        (141, "Nobody read what the command said, as in a pipe that was closed."),
    ]
    lines = [_entry(str(code), said, width=5) for code, said in meanings]
    return "\n".join(["```text", *lines, "```"])


def api() -> str:
    """Everything that the writer offers to a harness: signatures, fields, docstrings."""
    stubs = {
        name: stub
        for module in (writer, bundle)
        for name, stub in _stubs(module)
        if name in writer.__all__
    }
    return "\n\n".join(f"## {name}\n\n```python\n{stub}\n```" for name, stub in stubs.items())


PARTS: dict[str, tuple[str, Callable[[], str]]] = {
    "commands": ("commands.md", commands),
    "exit codes": ("commands.md", exit_codes),
    "the writer": ("writer.md", api),
}
"""By name: the page of the guide that a part stands on, and what draws it."""


def refreshed(text: str, page: str) -> str:
    """A page of the guide with its parts as they are drawn now; ValueError where one is missing."""
    for name, (place, draw) in PARTS.items():
        if place != page:
            continue
        begin, end = BEGIN.format(name), END.format(name)
        before, found, rest = text.partition(begin)
        _, closed, after = rest.partition(end)
        if not (found and closed):
            message = f"{page} has no place for {name!r}: {begin} and {end}"
            raise ValueError(message)
        text = f"{before}{begin}\n\n{draw()}\n\n{end}{after}"
    return text


def refresh(docs: Path) -> Iterator[Path]:
    """Write every page, in every language, whose parts are drawn otherwise; which they were."""
    for page in dict.fromkeys(place for place, _ in PARTS.values()):
        english = docs / SOURCE / "guide" / page
        before = english.read_text("utf-8")
        after = refreshed(before, page)
        for path in sorted(docs.glob(f"*/guide/{page}")):
            text = path.read_text("utf-8")
            new = refreshed(text, page)
            if path != english and is_current(before, text):
                new = new.replace(digest(before), digest(after), 1)
            if new != text:
                path.write_text(new, encoding="utf-8", newline="")
                yield path


def main() -> int:
    """Refresh the guide of the clone that this lies in."""
    root = Path(__file__).resolve().parent.parent
    for path in refresh(root / "docs"):
        sys.stdout.write(f"drawn {path.relative_to(root)}\n")
    return 0


def _section(name: str, callback: Callable[..., Any], said: str | None = None) -> str:
    """A command's heading, and how it is called, what it does and what it takes."""
    entries = list(_entries(callback))
    width = max((len(left) for left, _ in entries), default=0) + 4
    usage = " ".join([name, "[OPTIONS]", *_usage(callback)]) if said is None else f"{name} COMMAND"
    paragraphs = (inspect.cleandoc(callback.__doc__ or "") if said is None else said).split("\n\n")
    lines = [usage]
    for paragraph in paragraphs:
        lines += ["", textwrap.fill(" ".join(paragraph.split()), WIDTH)]
    if entries:
        lines += ["", *(_entry(left, right, width=width) for left, right in entries)]
    return "\n".join([f"## {name}", "", "```text", *lines, "```"])


def _entry(left: str, right: str, *, width: int) -> str:
    return textwrap.fill(
        right, WIDTH, initial_indent=left.ljust(width), subsequent_indent=" " * width
    )


def _parameters(callback: Callable[..., Any]) -> Iterator[tuple[inspect.Parameter, Any, Any]]:
    """Each argument or option of a command: the parameter, its type, and what typer is told."""
    hints = get_type_hints(callback, include_extras=True)
    for name, parameter in inspect.signature(callback).parameters.items():
        kind, *told = get_args(hints[name]) or (hints[name],)
        if told:
            yield parameter, kind, told[0]


def _usage(callback: Callable[..., Any]) -> Iterator[str]:
    for parameter, _, told in _parameters(callback):
        if isinstance(told, typer.models.ArgumentInfo):
            name = parameter.name.upper()
            yield name if parameter.default is parameter.empty else f"[{name}]"


def _entries(callback: Callable[..., Any]) -> Iterator[tuple[str, str]]:
    """Arguments, then options: how each is written, and what it says."""
    found = list(_parameters(callback))
    for parameter, _, told in found:
        if isinstance(told, typer.models.ArgumentInfo):
            yield f"  {parameter.name.upper()}", _told(parameter, told, None)
    for parameter, kind, told in found:
        if isinstance(told, typer.models.OptionInfo):
            kinds = [one for one in get_args(kind) or (kind,) if one is not type(None)]
            names = "/".join(_names(parameter, told, kinds[0]))
            value = "" if kinds[0] is bool else f" {_value(kinds[0])}"
            yield f"  {names}{value}", _told(parameter, told, kinds[0])


def _names(parameter: inspect.Parameter, told: Any, kind: Any) -> tuple[str, ...]:  # noqa: ANN401
    plain = parameter.name.replace("_", "-")
    implied = f"--{plain}/--no-{plain}" if kind is bool else f"--{plain}"
    # In an annotation typer takes the first name of an option where a default would stand.
    declared = (told.default, *(told.param_decls or ()))
    return tuple(name for name in declared if isinstance(name, str)) or (implied,)


def _value(kind: Any) -> str:  # noqa: ANN401  a type
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return "|".join(kind)
    return {int: "N", Path: "PATH"}.get(kind, "TEXT")


def _told(parameter: inspect.Parameter, told: Any, kind: Any) -> str:  # noqa: ANN401
    said = [told.help or ""]
    if kind is bool and parameter.default is True:
        said.append(f"By default {_names(parameter, told, kind)[0].partition('/')[0]}.")
    if parameter.default is parameter.empty and kind is not None:
        said.append("Needed.")
    if told.min is not None:
        said.append(f"At least {told.min}.")
    if kind is not bool and told.show_default and parameter.default not in (parameter.empty, None):
        said.append(f"By default {parameter.default}.")
    return " ".join(said)


def _faults() -> Iterator[type[errors.AssayError]]:
    for fault in errors.AssayError.__subclasses__():
        # What stands below one of these has its exit code.
        if fault.__module__ == errors.__name__:
            yield fault


def _stubs(module: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401  a module
    """The functions and classes of a module by name, without what is in them."""
    source = inspect.getsource(module)
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, _function(node, source)
        elif isinstance(node, ast.ClassDef):
            yield node.name, f"class {node.name}:\n{_indented(_members(node, source))}"


def _members(node: ast.ClassDef, source: str) -> str:
    """The docstring of a class, its fields with what is said of each, its public methods."""
    parts = [_docstring(node)]
    for member, following in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(member, ast.AnnAssign):
            said = isinstance(following, ast.Expr)
            parts.append(_segment(source, member))
            parts += [f"{_segment(source, following)}\n"] if said and following else []
        elif isinstance(member, ast.FunctionDef) and _is_public(member):
            parts.append(f"{_function(member, source)}\n")
    return "\n".join(parts).strip("\n")


def _is_public(method: ast.FunctionDef) -> bool:
    return method.name == "__init__" or not (method.name.startswith("_") or method.decorator_list)


def _function(node: ast.FunctionDef, source: str) -> str:
    """A function with its signature and its docstring."""
    arguments = [*_arguments(node.args, source)]
    result = f" -> {_segment(source, node.returns)}" if node.returns else ""
    head = f"def {node.name}({', '.join(arguments)}){result}:"
    if len(head) > WIDTH:
        lines = "".join(f"    {argument},\n" for argument in arguments)
        head = f"def {node.name}(\n{lines}){result}:"
    said = _docstring(node)
    return f"{head}\n{_indented(said)}" if said else f"{head} ..."


def _arguments(arguments: ast.arguments, source: str) -> Iterator[str]:
    plain, named = [*arguments.posonlyargs, *arguments.args], arguments.kwonlyargs
    missing: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults))
    yield from map(_argument(source), plain, [*missing, *arguments.defaults])
    if named:
        yield "*"
    yield from map(_argument(source), named, arguments.kw_defaults)


def _argument(source: str) -> Callable[[ast.arg, ast.expr | None], str]:
    def written(argument: ast.arg, default: ast.expr | None) -> str:
        kind = f": {_segment(source, argument.annotation)}" if argument.annotation else ""
        space = " " if kind else ""
        value = f"{space}={space}{_segment(source, default)}" if default else ""
        return f"{argument.arg}{kind}{value}"

    return written


def _docstring(node: ast.ClassDef | ast.FunctionDef) -> str:
    said = ast.get_docstring(node)
    if not said:
        return ""
    return f'"""{said}\n"""\n' if "\n" in said else f'"""{said}"""\n'


def _segment(source: str, node: ast.AST) -> str:
    return textwrap.dedent(ast.get_source_segment(source, node) or "")


def _indented(text: str) -> str:
    return textwrap.indent(text.strip("\n"), "    ")


if __name__ == "__main__":
    sys.exit(main())
