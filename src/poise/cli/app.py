"""The command line: each command is one typed function, in the file of its name.

Exit code 0 when the work was done (a fall is a result), 2 for bad input, 1 for a take that blew up, one that does not
repeat, or a failure of ours, 130 when interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from poise import __version__
from poise.cli import anticipation, design, steps
from poise.cli.bench import bench
from poise.cli.doctor import doctor
from poise.cli.export_controller import export_controller
from poise.cli.inspect import inspect
from poise.cli.interrupts import Interrupts, heeded
from poise.cli.list import list_
from poise.cli.looks import looks
from poise.cli.pushmap import pushmap
from poise.cli.replay import replay
from poise.cli.reproduce import reproduce
from poise.cli.run import react, run
from poise.cli.stage import stage
from poise.cli.sweep import sweep
from poise.cli.warm import warm
from poise.console import Progress, kept, lenient, say
from poise.errors import BadInput, PoiseError
from poise.threads import one_thread

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def told(wanted: bool) -> None:
    """`poise --version`."""
    if wanted:
        typer.echo(f"poise {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=told, is_eager=True, help="Say which Poise this is.")
    ] = False,
) -> None:
    """Characters that keep their balance: simulate, measure and film them."""


app.command("list")(list_)
app.command("export-controller")(export_controller)
for _command in (run, react, stage, inspect, looks, replay, pushmap, sweep, reproduce, bench, warm, doctor):
    app.command()(_command)
for _name, _group in (("steps", steps), ("anticipation", anticipation), ("design", design)):
    app.add_typer(_group.app, name=_name)


def interruptible(command: Callable[..., None]) -> Callable[..., None]:
    """A command that says what was kept when it is interrupted, and exits with 130."""

    @wraps(command)
    def called(*given: Any, **named: Any) -> None:
        try:
            command(*given, **named)
        except typer.Exit:
            raise
        except (KeyboardInterrupt, Exception) as how:
            if not (Interrupts.came or isinstance(how, KeyboardInterrupt)):
                raise
            for shown in list(Progress.shown):
                shown.close()
            say(f"interrupted; kept: {', '.join(kept)}" if kept else "interrupted; nothing was written")
            raise typer.Exit(130) from None

    return called


for _info in [c for a in (app, steps.app, anticipation.app, design.app) for c in a.registered_commands]:
    if _info.callback is not None:
        _info.callback = interruptible(_info.callback)


def main() -> None:
    """Entry point: turns errors into one paragraph and an exit code."""
    lenient()
    one_thread()  # no command has imported numpy yet
    try:
        with heeded():
            app()
    except BadInput as error:
        say(f"poise: {error}")
        sys.exit(2)
    except KeyboardInterrupt:  # before or after the command itself
        sys.exit(130)
    except BrokenPipeError:  # the reader of our stdout left, e.g. `poise list | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:
        if os.environ.get("POISE_DEBUG"):
            raise
        kind = "" if isinstance(error, PoiseError) else f"{type(error).__name__}: "
        say(f"poise: {kind}{error} (POISE_DEBUG=1 shows the traceback)")
        sys.exit(1)


if __name__ == "__main__":
    main()
