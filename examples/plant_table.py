"""Push limits of bodies that are not their models, over delay and mass, into docs/plant-table.md."""

from __future__ import annotations

import sys
from pathlib import Path

from poise.console import Progress
from poise.sweeps import PushMap, pushmap

DELAYS = (0.0, 0.016, 0.03)  # [s]
DIRECTIONS, REPLICAS = 4, 5
SCENES = {  # title, largest push [m/s], masses
    "balance-push": ("Standing, no step", 0.6, (0.8, 1.0, 1.2)),
    "reactive-step": ("Stepping", 0.7, (0.8, 1.2)),
}
DOCS = Path(__file__).resolve().parents[1] / "docs" / "plant-table.md"
HEAD = """# Pushes survived by a body that is not its model

`make plant-table` writes this page. A cell is the largest push [m/s] in the weakest of {directions} directions by the
rule: on a grid of 0.05 m/s, every push up to it is survived by 4 of {replicas} replicas; in brackets forward, left,
back, right. A push is impulse over the mass that the body has, not its model's. `≥`: no larger one was tried.
"""


def cell(found: PushMap) -> str:
    """The least limit, and all."""
    sides = ["≥" * (name in found.capped) + f"{limit:.2f}" for name, limit in found.limits_ms.items()]
    least = min(found.limits_ms, key=lambda name: (found.limits_ms[name], name in found.capped))
    more = "≥" * (least in found.capped)
    return f"{more}{found.limits_ms[least]:.2f} ({', '.join(sides)})"


def measure(scene: str, most: float, masses: tuple[float, ...], folder: Path) -> list[str]:
    """Rows of one scene's table."""
    rows = [
        "| delay \\ mass | " + " | ".join(f"{m:g}" for m in masses) + " |",
        "|---" * (len(masses) + 1) + "|",
    ]
    for delay in DELAYS:
        cells = []
        for mass in masses:
            progress = Progress(f"{scene} delay {delay:g} mass {mass:g}")
            found = pushmap(
                scene, options={"plant.delay": delay, "plant.mass": mass}, folder=folder, max_ms=most,
                directions=DIRECTIONS, replicas=REPLICAS, report=lambda done, note, p=progress: p(None, note),
            )  # fmt: skip
            progress.close()
            cells.append(cell(found))
        rows.append(f"| {1000 * delay:g} ms | " + " | ".join(cells) + " |")
    return rows


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = HEAD.format(directions=DIRECTIONS, replicas=REPLICAS)
    for scene, (title, most, masses) in SCENES.items():
        text += f"\n## {title} (`{scene}`)\n\n" + "\n".join(measure(scene, most, masses, folder)) + "\n"
        DOCS.write_text(text, encoding="utf-8")
    print(f"wrote {DOCS.name}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/plant"))
