"""`serve`: the built site on this machine only."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from generator.errors import UsageError


class _Quiet(SimpleHTTPRequestHandler):
    """Serves files, says nothing of each request, and shows the site's own 404 page."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the parent's name
        """Say nothing."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer a missing page by the site's own words."""
        missing = Path(self.directory) / "404.html"
        if code != 404 or not missing.is_file():  # noqa: PLR2004
            super().send_error(code, message, explain)
            return
        content = missing.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def server(folder: Path, port: int) -> ThreadingHTTPServer:
    """A server of a built site, bound to the loopback address; raises UsageError."""
    handler = partial(_Quiet, directory=str(folder))
    try:
        return ThreadingHTTPServer(("127.0.0.1", port), handler)
    except (OSError, OverflowError) as fault:
        raise UsageError(
            f"Port {port} can't be used: {getattr(fault, 'strerror', None) or fault}.",
            "Name another one with --port, or 0 for any that is free.",
        ) from fault
