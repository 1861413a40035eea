"""[Stepping] 4.6: the same balance and the same steps in a handstand."""

from __future__ import annotations

from poise.behaviours import Footprints, Stride, Weights
from poise.behaviours.stepping.legs import Legs
from poise.errors import BadInput
from poise.scenes.options import Options
from poise.scenes.registry import scene
from poise.scenes.stepping import Manner, course, stage
from poise.simulate import Scene

BODY = "acrobat"
MANNER = Manner(
    # unhurried, whatever the gait of feet is; one arm carries the body best when it is nearly straight
    Stride(double=0.28, lift=0.06, stretch=0.985),
    standing=Weights(angular=10.0),  # more makes so slender a body tremble at our rate of refresh
    body=BODY,
)
WAYS = ((0.08, 0.0, 0.0), (0.0, 0.05, 0.0), (-0.07, 0.0, 0.3))  # of both hands: forward; left; back, turning
WAIT = 1.2  # between steps, in √(h/g)


def _on_hands(o: Options) -> None:
    """Refuse a body whose hands do not carry it."""
    body = o.character(BODY)
    if not any(name.startswith("hand") for name in body.stance):
        raise BadInput(
            f"character {body.name!r} does not stand on its hands: a still handstand takes 20 N m at a bent wrist, and "
            "the adult's bear 15; use acrobat, or a body whose stance is its hands"
        )


@scene
def handstand(o: Options) -> Scene:
    """Balance on the hands; the legs do what arms do on the feet, and sway a little (``idle``)."""
    _on_hands(o)
    return stage(o, Footprints([]), 12.0, MANNER, idle=True)


@scene
def handstand_steps(o: Options) -> Scene:
    """Six steps on the hands: forward, to the side, back and turning."""
    _on_hands(o)
    prints = course(Legs(o.character(BODY)), WAYS)
    return stage(o, Footprints(prints, wait=WAIT), 14.0, MANNER, idle=True)
