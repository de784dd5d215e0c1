"""`results serve`."""

import webbrowser
from typing import Annotated

import typer

from generator.cli.say import out


def command(
    context: typer.Context,
    *,
    port: Annotated[int, typer.Option(help="Port on this machine; 0 takes a free one.")] = 8000,
    browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open it in the browser.")
    ] = True,
) -> None:
    """Show the built site, in every locale, on this machine only.

    Builds it first where it has not been built. Ends with Ctrl-C.
    """
    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.build import build  # noqa: PLC0415
    from generator.workflow.serve import server  # noqa: PLC0415

    project = find_project(context.obj)
    if not (project.site / "index.html").is_file():
        build(project)
    with server(project.site, port) as serving:
        address = f"http://127.0.0.1:{serving.server_port}/"
        out(f"{address} (Ctrl-C ends it)")
        if browser:
            webbrowser.open(address)
        serving.serve_forever()
