"""``poise steps``: make a step database from a folder of clips, or from our own simulated steps."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from poise.cli.options import Json, group
from poise.console import Progress, dumps, say
from poise.errors import BadInput, PoiseError

CLIPS = (".bvh", ".amc")
app = group("Step databases for goal-directed stepping.")


@app.command()
def build(
    folder: Annotated[
        Path | None, typer.Argument(help="Folder of .bvh and .amc clips.", metavar="DIR")
    ] = None,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="STEPS.npz")] = Path("steps.npz"),
    character: Annotated[str, typer.Option(help="Body that the steps are for.")] = "adult",
    simulated: Annotated[
        bool, typer.Option(help="Record our own steps in physics instead of reading DIR.")
    ] = False,
    json: Json = False,
) -> None:
    """Find the single steps in a folder of clips and write them as one set."""
    from poise.behaviours.example_steps import database
    from poise.behaviours.example_steps.simulated import clips
    from poise.character import Character

    if (folder is None) != simulated:
        raise BadInput("give either a folder of clips or --simulated")
    body = Character.named(character)
    if folder is None:
        progress = Progress("stepping")
        found = clips(body, lambda name: progress(None, name))
        progress.close()
    else:
        found = _read(folder, body)
    base = database.build(found, body)
    base.save(output)
    say(f"wrote {output}")
    sides = [sum(s.swing == i for s in base.steps) for i in (0, 1)]
    summary = {"file": str(output), "character": character, "clips": len(found), "steps": len(base.steps),
               "left": sides[0], "right": sides[1]}  # fmt: skip
    print(dumps(summary) if json else f"{summary['steps']} steps of {summary['clips']} clips for {character}")


def _read(folder: Path, body) -> list:
    """(name, clip) of every motion file of a folder, on one body; files that cannot be used are named and left out."""
    from poise.capture.captured import captured

    if not folder.is_dir():
        raise BadInput(f"{folder} is not a folder of clips")
    files = sorted(f for f in folder.rglob("*") if f.suffix.lower() in CLIPS)
    if not files:
        raise BadInput(f"{folder} holds no clips; wanted files that end in {' or '.join(CLIPS)}")
    progress, out = Progress("reading"), []
    for i, file in enumerate(files):
        progress(i / len(files), file.name)
        try:
            out.append((file.stem, captured(file, body).clip))
        except PoiseError as error:
            say(f"left out {file.name}: {error}")
    progress.close()
    return out
