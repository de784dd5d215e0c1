"""Where a provider is, who that is, and whether it may cost money: from the environment."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass

import httpx

from generator.errors import UsageError
from generator.runners.dialects.dialect import Dialect

_LAST_PORT = 65535

LOCAL = "local"
"""What a row calls a provider on this machine or its own network, whose name is nobody's affair."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address and the key for it."""

    url: str
    """Without a slash at its end."""

    host: str
    key: str | None
    own: bool
    """Whether it is the address of the vendor that the dialect is named for."""

    @property
    def is_local(self) -> bool:
        """Whether it is this machine or its own network: nobody is paid there."""
        try:
            address = ipaddress.ip_address(self.host)
        except ValueError:
            return self.host == "localhost" or self.host.endswith(".localhost")
        inner = getattr(address, "ipv4_mapped", None) or address
        return bool(inner.is_loopback or inner.is_private)

    def provider(self, vendor: str) -> str:
        """Who serves the models there."""
        if self.own:
            return vendor
        return LOCAL if self.is_local else self.host


def endpoint(dialect: Dialect, environment: Mapping[str, str]) -> Endpoint:
    """The endpoint of a dialect; raises UsageError, which never repeats what it was given."""
    given = environment.get(dialect.base_variable) or dialect.base
    key = (environment.get(dialect.key) or "").strip() or None
    try:
        # Read by whom it will be used by: two readers may see two hosts in one address.
        url = httpx.URL(given)
    except httpx.InvalidURL:
        url = httpx.URL("")
    odd = url.userinfo or url.query or url.fragment or (url.port or 0) > _LAST_PORT
    if url.scheme not in {"http", "https"} or not url.host or odd:
        raise UsageError(
            f"{dialect.base_variable} is not the address of an endpoint.",
            f"Say where it is, as in {dialect.base}, without a key, a query or a fragment.",
        )
    if key is not None and not (key.isascii() and key.isprintable() and " " not in key):
        raise UsageError(
            f"{dialect.key} holds what no key has: a space, a line end, or no ASCII.",
            "Set it to the key alone.",
        )
    base = httpx.URL(dialect.base)
    own = (url.scheme, url.host, url.port) == (base.scheme, base.host, base.port)
    return Endpoint(str(url).rstrip("/"), url.host.casefold(), key, own)
