"""``poise stage``: a scene in the browser, to be pushed, pulled, walked and rewound."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Annotated, Any

import typer

from poise.cli import options
from poise.console import dumps, say
from poise.errors import BadInput

if TYPE_CHECKING:
    from poise.stage.house import Play

TRIES = 20  # ports after the one that was asked for, where that is taken


def stage(
    scene: Annotated[str | None, typer.Argument(help="Scene by name; `roam`, or `react` with --motion.")] = None,
    character: options.Character = None,
    motion: options.Motion = None,
    set_: options.Options = None,
    port: Annotated[int, typer.Option(help="Port; 0 is any that is free.", min=0, max=65535)] = 8080,
    host: Annotated[str, typer.Option(help="Address; one that others reach needs a token.")] = "127.0.0.1",
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
    measure: Annotated[bool, typer.Option("--measure", help="Print how fast it answers a client, and end.")] = False,
    seconds: Annotated[float, typer.Option(help="How long to measure.", min=2, max=600)] = 10.0,
    json: options.Json = False,
) -> None:  # fmt: skip
    """Put a scene on the stage: a page in the browser where it can be touched while it runs."""
    import asyncio

    from poise.stage import house
    from poise.stage import measure as measures

    name = scene or ("react" if motion else "walk" if measure else "roam")
    if measure:
        found = measures.measure(name, seconds)
        print(dumps(found) if json else measures.describe(found))
        return
    made = house.scene_of(
        name, character, None if motion is None else str(motion), **options.parse_options(set_)
    )
    play = house.play(made, {motion.name: str(motion)} if motion is not None else None)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_run(play, host, port, browser))


async def _run(play: Play, host: str, port: int, browser: bool) -> None:
    import asyncio
    import signal

    server = _listen(play, host, port)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for word in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows has no such handlers: Ctrl-C raises there
            loop.add_signal_handler(word, ended.set)
    async with server:
        print(f"stage: {server.url}", flush=True)
        others = "" if server.guard.local else " Whoever has this address with its token can drive it."
        say(f"Ctrl-C ends it.{others}")
        if browser:
            import webbrowser

            await asyncio.to_thread(webbrowser.open, server.url)
        await ended.wait()
    say("the stage is closed")


def _listen(play: Play, host: str, port: int) -> Any:
    """A server on this port, or on the next that is free."""
    from poise.stage.server import Server

    for at in [port] if port == 0 else range(port, min(port + TRIES, 65536)):
        if _free(host, at):
            return Server(play, host, at)
    raise BadInput(f"no free port from {port} on at {host!r}; give another with --port, or 0 for any")


def _free(host: str, port: int) -> bool:
    """Whether a port can be listened on."""
    import socket

    try:
        kind, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError:
        raise BadInput(f"address {host!r} is not known") from None
    with socket.socket(kind) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(address)
        except OSError:
            return False
    return True
