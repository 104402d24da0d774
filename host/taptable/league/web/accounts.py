"""The administrator's account and sessions: stores a password as an Argon2 hash, and a session as the SHA-256 of the
browser's secret; limits how often somebody may try. Must not know how either is transmitted."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from ipaddress import ip_address, ip_network

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Connection, delete, insert, select, update

from taptable.core.errors import LeagueError
from taptable.league.schema import administrators, sessions

SHORTEST_PASSWORD, LONGEST_PASSWORD = 10, 200
"""Characters of a password."""
SESSION_S = 12 * 3600
"""Length of a login: seconds after which an administrator has to sign in again."""
KNOWN_S = 400 * 24 * 3600
"""Seconds after a login for which the browser counts as known, also when the session has ended: `Tries` counts the
wrong passwords from a known browser apart from those of strangers at its address. No browser keeps a cookie for
longer."""
MAX_SESSIONS = 20
"""Number of sessions, and of known browsers, that are kept."""
FREE_TRIES = 3
"""Wrong passwords in a row from one source that cost no pause."""
FREE_OF_ALL = 30
"""Wrong passwords in a row from all addresses together, except this computer's own, that cost no pause."""
FIRST_PAUSE_S = 2.0
"""Seconds of the pause after the first wrong password that isn't free; each further one costs twice as long a pause."""
LONGEST_PAUSE_S = 900.0
"""The longest pause for one source."""
LONGEST_PAUSE_OF_ALL_S = 30.0
"""The longest pause for all addresses together: shorter, so that others can't shut anybody out for long."""
FORGOTTEN_S = 3600.0
"""Seconds after the last wrong password from a source until none of them counts any more."""
MAX_ADDRESSES = 1000
"""How many sources are remembered."""

_hasher = PasswordHasher()


def set_administrator(connection: Connection, name: str, password: str, now: int) -> None:
    """Set the only account, in place of any other, and end all sessions. Raises `LeagueError` if the password is too
    short or too long."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise LeagueError(f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters")
    connection.execute(delete(sessions))
    connection.execute(delete(administrators))
    made = insert(administrators).values(name=name, password=_hasher.hash(password), added=now)
    connection.execute(made)


def hash_of(connection: Connection, name: str) -> str | None:
    """Return the hash of an administrator's password; None if nobody has that name."""
    return connection.execute(select(administrators.c.password).where(administrators.c.name == name)).scalar()


def is_right(stored_hash: str | None, password: str) -> bool:
    """Return whether a hash is that of the password. It takes the same time if there is no hash."""
    try:
        right = _hasher.verify(stored_hash if stored_hash is not None else _dummy_hash(), password)
    except (VerificationError, InvalidHashError):
        return False
    return right and stored_hash is not None


def begin_session(connection: Connection, name: str, now: int) -> str:
    """Begin a session, and return the secret by which the administrator of this name is recognised from now on, and
    their browser for longer. The oldest sessions end where there are many."""
    secret = secrets.token_urlsafe(32)
    connection.execute(delete(sessions).where(sessions.c.begun <= now - KNOWN_S))
    newest = select(sessions.c.digest).order_by(sessions.c.begun.desc()).limit(MAX_SESSIONS - 1)
    connection.execute(delete(sessions).where(sessions.c.digest.not_in(newest.scalar_subquery())))
    values = {"digest": _digest(secret), "administrator": name, "begun": now, "until": now + SESSION_S}
    connection.execute(insert(sessions).values(values))
    return secret


def administrator_of_session(connection: Connection, secret: str, now: int) -> str | None:
    """Return the administrator whose session this is; None if it has ended, or never existed."""
    query = select(sessions.c.administrator).where(sessions.c.digest == _digest(secret), sessions.c.until > now)
    return connection.execute(query).scalar()


def known_browser(connection: Connection, secret: str, now: int) -> str | None:
    """Return the key by which `Tries` counts the browser with this session, which may have ended; None if nobody signed
    in there."""
    query = select(sessions.c.digest).where(sessions.c.digest == _digest(secret), sessions.c.begun > now - KNOWN_S)
    return connection.execute(query).scalar()


def end_session(connection: Connection, secret: str, now: int, *, forget: bool = False) -> None:
    """End a session. The browser stays known, unless with `forget`."""
    of_it = sessions.c.digest == _digest(secret)
    connection.execute(delete(sessions).where(of_it) if forget else update(sessions).where(of_it).values(until=now))


@dataclass(slots=True)
class _Tried:
    wrong: int = 0
    until_s: float = 0.0
    last_s: float = 0.0


class Tries:
    """Wrong passwords, counted by the address they came from: after a few each costs a pause twice as long as the one
    before, until the right one is given or an hour has passed. A known browser is counted by itself, at any address, so
    that strangers, however many, can't shut it out."""

    def __init__(self, monotonic_s: Callable[[], float] = time.monotonic) -> None:
        self._monotonic_s = monotonic_s
        self._by_source: dict[str, _Tried] = {}
        self._all = _Tried()

    def pause_s(self, address: str, browser: str | None = None) -> float:
        """Return how many seconds somebody there has to wait before the next try."""
        until_s = self._entry_of(browser or _network(address)).until_s
        if browser is None and not ip_address(address).is_loopback:
            until_s = max(until_s, self._all.until_s)
        return max(0.0, until_s - self._monotonic_s())

    def record_failure(self, address: str, browser: str | None = None) -> None:
        """Count a wrong password."""
        self._count(self._entry_of(browser or _network(address)), FREE_TRIES, LONGEST_PAUSE_S)
        if browser is None and not ip_address(address).is_loopback:
            self._count(self._all, FREE_OF_ALL, LONGEST_PAUSE_OF_ALL_S)

    def record_success(self, address: str, browser: str | None = None) -> None:
        """Reset the count after the right password."""
        self._by_source.pop(browser or _network(address), None)

    def _entry_of(self, source: str) -> _Tried:
        tried = self._by_source.pop(source, None)
        if tried is None or self._monotonic_s() - tried.last_s > FORGOTTEN_S:
            tried = _Tried()
        self._by_source[source] = tried
        if len(self._by_source) > MAX_ADDRESSES:
            del self._by_source[next(iter(self._by_source))]
        return tried

    def _count(self, tried: _Tried, free: int, longest_s: float) -> None:
        now_s = self._monotonic_s()
        if now_s - tried.last_s > FORGOTTEN_S:
            tried.wrong = 0
        tried.wrong += 1
        tried.last_s = now_s
        if tried.wrong > free:
            tried.until_s = now_s + min(longest_s, FIRST_PAUSE_S * 2.0 ** min(tried.wrong - free - 1, 20))


def _network(address: str) -> str:
    """Return the source by which an address is counted. The owner of an IPv6 address has all with the same first 64
    bits."""
    ip = ip_address(address)
    mapped = getattr(ip, "ipv4_mapped", None)
    if mapped is not None:
        return str(mapped)
    return str(ip) if ip.version == 4 else str(ip_network(f"{ip}/64", strict=False))


@cache
def _dummy_hash() -> str:
    return _hasher.hash(secrets.token_urlsafe())


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
