"""`results probe`."""

from typing import Annotated

import typer

from generator.cli.say import out


def command(
    context: typer.Context,
    benchmark: Annotated[str, typer.Argument(help="The id of a benchmark.")],
    system: Annotated[str, typer.Argument(help="The system, as for results run.")],
    *,
    option: Annotated[
        list[str] | None, typer.Option(help="NAME=JSON, sent with the request as it is.")
    ] = None,
    spend: Annotated[bool, typer.Option("--spend", help="The provider may be paid.")] = False,
) -> None:
    """Send one request, and say whether what is built for this system is accepted.

    The first step of the benchmark's first case is put to it, and nothing is written.

    Exit code 0: an answer came. 1: none did.
    """
    from generator.cli.options import values  # noqa: PLC0415
    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.run import Wanted, probe  # noqa: PLC0415

    wanted = Wanted(
        benchmark=benchmark, systems=[system], spend=spend, options=values(option or [])
    )
    probed = probe(find_project(context.obj), wanted)
    out(f"{system}: {probed.said}")
    raise typer.Exit(0 if probed.answered else 1)
