"""Who may use the stage: addresses, the origin of pages, a token for other hosts, and how much a page may say."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import time
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

RATE = 300.0  # messages a second that a page may send
BURST = 600.0  # messages at once
PATIENCE = 50  # bad or too many messages before a page is sent away


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Guard:
    """Checks every request before anything is done for it.

    On a loopback address a page must come from there by name (no site that lets its name point here), and its socket
    from that page. On any other address the token is needed too.
    """

    def __init__(self, host: str):
        self.host, self.local = host, is_loopback(host)
        self.token = None if self.local else secrets.token_urlsafe(24)
        self.port = 0  # known once the server listens

    def refuses(
        self, path: str, host: str | None, origin: str | None, socket: bool
    ) -> tuple[int, str] | None:
        """Status and reason of a refusal, None where all is well."""
        name = urlsplit(f"//{host or ''}")
        try:
            known = (name.port or 80) == self.port and (not self.local or is_loopback(name.hostname or ""))
        except ValueError:
            known = False
        if not known or not name.hostname:
            return 421, "this is not the host that was asked for"
        if socket and origin != f"http://{host}":
            return 403, "only the stage's own page may drive it"
        if origin is not None and origin != f"http://{host}":
            return 403, "no page of another site may ask"
        given = parse_qs(urlsplit(path).query).get("token", [""])[0]
        if self.token is not None and not hmac.compare_digest(given.encode(), self.token.encode()):
            return 403, "the token that was printed at the start is missing"
        return None


class Bucket:
    """How much a page may say: some at once, and so many a second."""

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self._clock, self._level, self._last = clock, BURST, clock()
        self.faults = 0

    def takes(self) -> bool:
        """Whether one more message is within the limits; a page that goes on beyond them collects faults."""
        now = self._clock()
        self._level = min(self._level + (now - self._last) * RATE, BURST)
        self._last = now
        if self._level < 1.0:
            return False
        self._level -= 1.0
        return True

    def fault(self) -> bool:
        """Count a bad message; true when it was one too many."""
        self.faults += 1
        return self.faults > PATIENCE
