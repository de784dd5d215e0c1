"""`results withdraw`."""

from typing import Annotated

import typer

from generator.cli.say import counted, out


def command(
    context: typer.Context,
    row: Annotated[str, typer.Argument(help="The id of the row.")],
    *,
    why: Annotated[str, typer.Option(help="The reason, in a sentence that its page will show.")],
    by: Annotated[str, typer.Option(help="Who takes it back; shown beside the reason.")],
) -> None:
    """Take a published row back.

    Its file and its page stay and say who took it back, when and why; it leaves the tables. A
    withdrawal is a file of its own and can't be undone; a new run can be recorded at any time.
    """
    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.render import render  # noqa: PLC0415
    from generator.workflow.withdraw import withdraw  # noqa: PLC0415

    project = find_project(context.obj)
    path = withdraw(project, row, why=why, by=by)
    pages = render(project)
    out(f"withdrawn: {path.relative_to(project.root)}; {counted(len(pages), 'page')} redrawn")
