"""`results probe`."""

from typing import Annotated

import typer

from generator.cli.run import Tools
from generator.cli.say import out


def command(
    context: typer.Context,
    system: Annotated[str, typer.Argument(metavar="SPEC", help="A system, as for results run.")],
    *,
    benchmark: Annotated[
        str | None,
        typer.Option(help="Ask a case of this benchmark; one that offers tools, if there is any."),
    ] = None,
    effort: Annotated[
        str | None, typer.Option(help="Ask at this level, which the benchmark declares.")
    ] = None,
    prompted_effort: Annotated[
        bool, typer.Option("--prompted-effort", help="Ask for it by the declared instruction.")
    ] = False,
    tools: Annotated[Tools, typer.Option(help="How tools are offered.")] = Tools.native,
    option: Annotated[
        list[str] | None, typer.Option(help="NAME=JSON, sent with the request as it is.")
    ] = None,
    spend: Annotated[bool, typer.Option("--spend", help="The provider may be paid.")] = False,
) -> None:
    """Send one request, and say whether what is built for this system is accepted.

    Without --benchmark a question of one line is asked, and no project is needed. It is sent once,
    and nothing is written.

    Exit code 0: it was accepted. 1: it was not.
    """
    from generator.cli.options import values  # noqa: PLC0415
    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.probe import probe  # noqa: PLC0415
    from generator.workflow.run import Wanted  # noqa: PLC0415

    wanted = Wanted(
        benchmark=benchmark or "",
        systems=[system],
        levels=[effort] if effort else (),
        prompted=prompted_effort,
        spend=spend,
        tools=tools.value,
        options=values(option or []),
    )
    probed = probe(find_project(context.obj) if benchmark else None, wanted)
    verdict = "accepted" if probed.accepted else "not accepted"
    out(f"{system}: {verdict}, asked {probed.case}: {probed.said}")
    raise typer.Exit(0 if probed.accepted else 1)
