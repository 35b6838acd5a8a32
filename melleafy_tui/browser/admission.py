"""Who may speak to the server: the page it gave out itself, by its own name, with the key of this run.

Loopback alone keeps out neither a page of another site (its name can be made to point here: DNS rebinding) nor another
user of the machine, so the name, the origin and a key are checked on each request (spec/safety.md 7).
"""

from collections.abc import Mapping
from hmac import compare_digest
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from msgspec import Struct

LOOPBACK: Final = "127.0.0.1"
_LOCAL_NAMES: Final = frozenset({LOOPBACK, "localhost"})


class Admission(Struct, frozen=True):
    """The rule of one server.

    Attributes:
        host: The address that it is bound to.
        port: The port.
        key: What only the printed address holds.
    """

    host: str
    port: int
    key: str

    @property
    def cookie(self) -> str:
        """Return the cookie's name; cookies are shared by the ports of a host."""
        return f"melleafy_tui_{self.port}"

    @property
    def address(self) -> str:
        """Return the address to open."""
        return f"http://{_bracketed(self.host)}:{self.port}/?key={self.key}"

    def refusal(self, host: str, origin: str | None) -> str:
        """Return why a request is refused for the name it came by, or `""`.

        Args:
            host: Its `Host` header.
            origin: Its `Origin` header, where it has one.
        """
        if not self._is_own(host):
            return "This server answers only to its own address."
        if origin is not None and origin != f"http://{host}":
            return "This server answers only to its own page."
        return ""

    def knows(self, given: str | None) -> bool:
        """Return whether this is the key."""
        return given is not None and compare_digest(given.encode(), self.key.encode())

    def _is_own(self, host: str) -> bool:
        name, _, port = host.rpartition(":")
        if port != str(self.port):
            return False
        name = name.removeprefix("[").removesuffix("]")
        if name == self.host:
            return True
        own, asked = _address(self.host), _address(name)
        if own is not None and own.is_unspecified:
            return asked is not None or name == "localhost"
        return (own is None or own.is_loopback) and name in _LOCAL_NAMES


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches an address."""
    address = _address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
"""Of every answer: nothing is loaded from elsewhere, and no other page may frame it."""


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name)
    except ValueError:
        return None


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
