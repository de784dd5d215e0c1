"""`results build`."""

import typer

from generator.cli.say import Progress, counted, out, program


def command(context: typer.Context) -> None:
    """Draw the pages, then build the site in every locale into site/.

    The same as results render and mkdocs build --strict, one after the other.
    """
    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.build import build  # noqa: PLC0415

    progress = Progress()
    project = find_project(context.obj)
    progress("drawing pages and building the site", 0, 1)
    built = build(project)
    progress.end()
    spoken = ", ".join(locale.code for locale in built.locales)
    if built.redrawn:
        out(f"drawn anew: {counted(built.redrawn, 'page')}, to be committed")
    out(f"{counted(built.pages, 'page')} in {spoken}: {built.folder / 'index.html'}")
    out(f"to look at the site: {program()} serve")
