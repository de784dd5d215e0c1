"""`results render`."""

import typer

from generator.cli.say import counted, out


def command(context: typer.Context) -> None:
    """Draw the pages of every locale from the repository alone.

    Writes only pages that differ, and removes only pages that were generated and are drawn no
    more. The same repository gives the same bytes on every machine.
    """
    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.render import render  # noqa: PLC0415

    project = find_project(context.obj)
    changed = render(project)
    for difference in changed:
        verb = "removed" if difference.drawn is None else "drawn"
        out(f"{verb} {difference.path.relative_to(project.root)}")
    out(f"{counted(len(changed), 'page')} changed")
