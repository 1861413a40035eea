"""Inspection: what a motion file is, and what its motion says about momentum and balance, with no simulation at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from poise.capture import Intake, load
from poise.capture.corrections import corrections
from poise.character.character import Character
from poise.console import plain
from poise.draw.figure import FIGURES
from poise.errors import BadInput, unknown
from poise.files import atomic, check_folder, put
from poise.gate import gate
from poise.inspect.score import changes, sentence
from poise.motion.filters import CUTOFF, smoothed
from poise.record.recording import Recording

REPORTS = (".html", ".json", ".npz", ".csv", ".yaml", *FIGURES)


@dataclass(frozen=True, eq=False)
class Inspection:
    """A motion file, inspected."""

    path: Path  # the file
    intake: Intake  # what the importer decided
    character: Character | None  # the body rigged from its skeleton; None for loose markers
    take: Recording | None  # its motion on that body, filtered but otherwise as captured
    score: Mapping[str, Any] = field(
        default_factory=dict
    )  # what following it takes, see `poise.inspect.score`

    def summary(self) -> dict[str, Any]:
        """The object that `poise inspect --json` prints."""
        intake = self.intake
        made = {
            "file": str(self.path),
            "format": self.path.suffix.lstrip(".").upper(),
            "frames": len(intake.capture) + int(intake.tpose_first_frame),
            "usable_frames": len(intake.capture),
            "joints": len(intake.capture.skeleton),
            "seconds": float(intake.capture.times[-1] - intake.capture.times[0]),
            "metres_per_unit": intake.metres_per_unit,
            "up_axis": intake.up_axis,
            "header_hz": intake.header_hz,
            "true_hz": intake.true_hz,
            "tpose_first_frame": intake.tpose_first_frame,
            "floor_m": intake.floor_m,
            "thorax_repaired": intake.thorax_repaired,
            "pops": [vars(pop) for pop in intake.pops],
            "filter_hz": CUTOFF,
            "guesses": [vars(guess) for guess in intake.guesses],
            "body": [] if self.character is None or self.character.report is None else [
                {"what": g.what, "value": g.value, "evidence": g.evidence} for g in self.character.report
            ],
            "score": dict(self.score),
            "metrics": {} if self.take is None else self.take.metrics,
            "notes": list(intake.notes),
        }  # fmt: skip
        return plain(made, finite=True)

    def text(self) -> str:
        """The same for people."""
        s = self.summary()
        lines = [f"{s['file']}: {s['frames']} frames, {s['joints']} joints, {s['seconds']:.2f} s"]
        for guess in self.intake.guesses:
            lines.append(f"  {guess.what:22} {guess.value}")
            lines.append(f"  {'':22}   {guess.evidence}  [{guess.override}]")
        lines += [f"  note: {note}" for note in s["notes"]]
        if self.score:
            lines.append(f"to follow it: {sentence(self.score)}")
        if self.take is not None:
            lines.append(f"as captured, low-pass filtered at {CUTOFF:g} Hz:")
            for name, value in s["metrics"].items():
                lines.append(f"  {name:28} " + (f"{value:.4g}" if isinstance(value, float) else f"{value}"))
        return "\n".join(lines)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a report; the ending chooses: .html page, .png sheet, .json, .yaml rig, .npz or .csv series."""
        from poise import formats
        from poise.formats.writers import html
        from poise.inspect.figure import draw

        target = check_report(path)
        ending = target.suffix.lower()
        if ending in FIGURES:
            draw(self, target)
        elif ending == ".json":
            text = json.dumps(self.summary(), indent=2, allow_nan=False)
            put(target, text + "\n")
        elif self.take is None or self.character is None:
            raise BadInput(
                f"'{self.path}' holds loose markers and no bones: only .json, .png, .svg or .pdf can be written"
            )
        elif ending == ".yaml":
            assert self.character.report is not None
            self.character.report.save(target)
        elif ending == ".html":
            with atomic(target) as part:
                html.save(self.take, part, tables=[("What the importer decided", self._rows())])
        else:
            formats.save(self.take, target)

    def _rows(self) -> list[tuple[str, ...]]:
        """The guesses as a table for the page."""
        rows = [(g.what, g.value, f"{g.evidence}  [{g.override}]") for g in self.intake.guesses]
        return [*rows, ("to follow it", "score", sentence(self.score))] if self.score else rows


def inspect(
    path: str | PathLike[str],
    mass: float | None = None,
    progress: Callable[[float], None] | None = None,
    **overrides: Any,
) -> Inspection:
    """Read a motion file, say what it is, and measure its motion.

    Args:
        path: BVH, AMC or C3D file.
        mass: Of the subject [kg]; from the height when missing.
        progress: Called with the part that is done, 0 to 1.
        overrides: For the importer, e.g. ``metres_per_unit=0.01``.
    """
    from poise.capture import autorig
    from poise.capture.captured import as_clip
    from poise.record.kinematic import recording_of

    tell = progress or (lambda done: None)
    intake = load(path, progress=lambda done: tell(0.3 * done), **corrections(overrides))
    if intake.markers:
        return Inspection(Path(path), intake, None, None)
    info: Mapping[str, Any] = {
        "file": str(path), "guesses": [vars(guess) for guess in intake.guesses], "filter_hz": CUTOFF,
    }  # fmt: skip
    with gate(f"'{path}' cannot be made into a body that moves"):
        character = autorig.from_capture(intake, mass, None, Path(path).stem)
        clip = smoothed(as_clip(character, intake))
        take = recording_of(clip, info, progress=lambda done: tell(0.4 + 0.5 * done))
        changed = changes(character, intake)
    return Inspection(Path(path), intake, character, take, changed)


def check_report(path: str | PathLike[str]) -> Path:
    """Raise BadInput unless a report could be written there."""
    target = Path(path)
    if target.suffix.lower() not in REPORTS:
        raise unknown("ending of a report", target.suffix or target.name, REPORTS)
    check_folder(target)
    return target
