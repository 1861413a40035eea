"""The guard: this machine only, this page only, and no flood."""

from __future__ import annotations

import pytest

from poise.stage.guard import BURST, PATIENCE, RATE, Bucket, Guard, is_loopback


def guard(host: str = "127.0.0.1") -> Guard:
    made = Guard(host)
    made.port = 8080
    return made


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.8.9.1", "[::1]"])
def test_addresses_of_this_machine(host: str):
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "192.168.1.5", "localhost.evil.example", "example.org", "", "::"]
)
def test_addresses_that_others_reach(host: str):
    assert not is_loopback(host)


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1:8080", "[::1]:8080"])
def test_its_own_page_may_drive_it(host: str):
    assert guard().refuses("/", host, None, False) is None
    assert guard().refuses("/socket", host, f"http://{host}", True) is None


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("evil.example:8080", "http://evil.example:8080", 421),  # a name that was made to point here
        ("127.0.0.1:9090", "http://127.0.0.1:9090", 421),
        ("127.0.0.1:x", None, 421),
        (None, None, 421),
        ("", None, 421),
        ("127.0.0.1:8080", None, 403),
        ("127.0.0.1:8080", "null", 403),
        ("127.0.0.1:8080", "https://127.0.0.1:8080", 403),
        ("127.0.0.1:8080", "http://localhost:8080", 403),
        ("127.0.0.1:8080", "http://evil.example", 403),
    ],
)
def test_nobody_else_may(host: str | None, origin: str | None, status: int):
    refusal = guard().refuses("/socket", host, origin, True)
    assert refusal is not None and refusal[0] == status


def test_pages_of_other_sites_may_not_read_either():
    refusal = guard().refuses("/take.npz", "127.0.0.1:8080", "http://evil.example", False)
    assert refusal is not None and refusal[0] == 403


def test_other_hosts_need_the_token():
    open_ = guard("0.0.0.0")
    here = "192.168.1.5:8080"
    assert open_.token is not None and len(open_.token) >= 32 and guard().token is None
    for path in ("/", "/?token=", "/?token=abc", f"/?token={open_.token[:-1]}", "/?token=%FF"):
        assert (open_.refuses(path, here, None, False) or (0,))[0] == 403
    assert open_.refuses(f"/?token={open_.token}", here, None, False) is None
    assert guard("0.0.0.0").token != open_.token


def test_a_page_may_say_so_much():
    now = [0.0]
    bucket = Bucket(lambda: now[0])
    assert sum(bucket.takes() for _ in range(2000)) == BURST
    now[0] = 1.0
    assert sum(bucket.takes() for _ in range(2000)) == RATE
    assert sum(not bucket.fault() for _ in range(200)) == PATIENCE
