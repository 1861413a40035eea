"""``poise anticipation``: train the choice, test it on threats it has never seen, export it as a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from poise.cli.options import Json, group
from poise.console import Progress, dumps, say
from poise.errors import BadInput

app = group("The choice of an anticipation: train, test, export.")
Threats = Annotated[int, typer.Option(help="How many threats.", min=1)]


@app.command()
def train(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="MACHINE.npz")] = Path("machine.npz"),
    threats: Threats = 140,
    seed: Annotated[int, typer.Option(help="Of the threats.", min=0)] = 1000,
    lessons: Annotated[
        Path | None,
        typer.Option(help="Simulated throws: read if the file exists, written if not.", metavar="FILE.npz"),
    ] = None,
    character: Annotated[str, typer.Option(help="Body that is thrown at.")] = "adult",
    json: Json = False,
) -> None:
    """Throw balls at every kind of example, and learn which kind is the cheapest against which threat."""
    from poise.behaviours.anticipation import training
    from poise.behaviours.anticipation.svm import describe
    from poise.character import Character

    training.check()
    if lessons is not None and lessons.exists():
        found = training.load_lessons(lessons)
    else:
        progress = Progress("throwing")
        body, many = Character.named(character), training.threats_of(seed, threats)
        found = training.simulate_lessons(body, many, lambda n: progress(n / threats, f"{n} threats"))
        progress.close()
        if lessons is not None:
            found.save(lessons)
    learned = training.train(found)
    learned.machine.save(output)
    say(learned.text())
    say(f"wrote {output}: {describe(learned.machine)}")
    facts = {"file": str(output), "threats": len(found.ball), "cross_validated_cost_j": learned.score,
             "settings": learned.settings, "validation_cost_j": learned.damage, "labels": list(learned.labels),
             "confusion": learned.confusion.tolist()}  # fmt: skip
    if json:
        print(dumps(facts))


@app.command("test")
def against(
    threats: Threats = 500,
    seed: Annotated[int, typer.Option(help="Of the threats; 1000 was used for training.", min=0)] = 2000,
    machine: Annotated[str, typer.Option(help="A trained choice; the one that ships by default.")] = "",
    character: Annotated[str, typer.Option(help="Body that is thrown at.")] = "adult",
    delay: Annotated[float, typer.Option(help="Reaction [s].", min=0.0, max=1.0)] = 0.2,
    noise: Annotated[float, typer.Option(help="Misjudgement [m].", min=0.0, max=0.5)] = 0.0,
    json: Json = False,
) -> None:
    """Throw balls that were never trained on, at a body that chooses, one that guesses and one that stands still."""
    from poise.behaviours.anticipation import measure, training
    from poise.behaviours.anticipation.choices import choice
    from poise.character import Character

    if seed == measure.TRAIN_SEED:
        raise BadInput(f"seed {seed} made the threats of the training; give another")
    progress = Progress("throwing")
    found = measure.against(
        Character.named(character), training.threats_of(seed, threats), choice("learned", machine), delay, noise,
        lambda name, n: progress(None, f"{name} {n} of {threats}"),
    )  # fmt: skip
    progress.close()
    for name, row in found.items():
        say(
            f"{name:7} damage {row['damage_mean_j']:5.2f} J  avoided {100 * row['avoided']:3.0f} %  "
            f"blocked {100 * row['blocked']:3.0f} %  hit {100 * row['hit']:3.0f} %  fell {100 * row['fell']:.1f} %"
        )
    if json:
        print(dumps(found))


@app.command()
def table(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="TABLE.csv")] = Path("anticipation.csv"),
    machine: Annotated[str, typer.Option(help="A trained choice; the one that ships by default.")] = "",
) -> None:
    """Write the choice as a table that a game can look up."""
    from poise.behaviours.anticipation import svm

    rows = svm.table(svm.load(machine) if machine else svm.default(), output)
    say(f"wrote {output}: {rows} rows")
