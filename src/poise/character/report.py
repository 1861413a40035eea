"""Report: what was guessed about a body, with its evidence; readable, and savable as YAML to be corrected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from poise.errors import unknown
from poise.files import put

CAVEATS = ("equality constraints left out", "tendons left out", "flex left out", "joints without a drive")


@dataclass(frozen=True)
class Guess:
    """One thing that was decided."""

    what: str  # what it is about, e.g. ``mass`` or ``role of LeftUpLeg``
    value: Any  # what was decided, plain data; units in ``what`` or in the text
    evidence: str  # why
    override: str = ""  # argument that sets it by hand, e.g. ``metres_per_unit=0.01``; empty for none

    def __str__(self) -> str:
        return f"{self.what}: {self.value} ({self.evidence})"


@dataclass(frozen=True)
class Report:
    """Every guess about a body, in order; and the same as settings that can be saved, edited and given back."""

    guesses: tuple[Guess, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)  # one nested table
    # first line of a saved file
    title: str = "What was guessed about this body; edit it and give it back"

    def __iter__(self) -> Iterator[Guess]:
        return iter(self.guesses)

    @property
    def caveats(self) -> list[str]:
        """What of the file does not act in a take, or acts without being driven."""
        return [str(guess) for guess in self.guesses if guess.what in CAVEATS]

    def __len__(self) -> int:
        return len(self.guesses)

    def __str__(self) -> str:
        return "\n".join(str(guess) for guess in self.guesses)

    def about(self, what: str) -> Guess:
        """The guess of that name."""
        named = {guess.what: guess for guess in reversed(self.guesses)}
        if what not in named:
            raise unknown("guess", what, named)
        return named[what]

    def save(self, path: str | PathLike[str]) -> None:
        """Write the settings as YAML, with the evidence of each as a comment."""
        why = {guess.what: f"  # {guess.evidence}" for guess in self.guesses}
        lines = [f"# {self.title}"]
        for key, value in self.settings.items():
            lines.append("")
            if isinstance(value, Mapping):
                lines.append(f"{_inline(key)}:")
                for k, v in value.items():
                    lines.append(f"  {_inline(k)}: {_inline(v)}{why.get(f'{key} {k}', '')}")
            else:
                lines.append(f"{_inline(key)}: {_inline(value)}{why.get(key, '')}")
        put(path, "\n".join(lines) + "\n")


def _inline(value: Any) -> str:
    """YAML of a value on one line."""
    import yaml

    text = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, default_flow_style=True, width=10**6)
    return text.removesuffix("...\n").strip()
