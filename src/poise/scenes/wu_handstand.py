"""[Stepping] 4.6: the same balance and the same steps in a handstand."""

from __future__ import annotations

from poise.behaviours import Footprints, StepWeights, Stride
from poise.behaviours.legs import Legs
from poise.scenes.options import Options
from poise.scenes.wu_2011 import _stage, course
from poise.simulate import Scene

BODY = "acrobat"
STRIDE = Stride()
WEIGHTS = StepWeights()
WAYS = ((0.08, 0.0, 0.0), (0.0, 0.07, 0.0), (-0.07, 0.0, 0.25))  # both hands forward, to the left, back and turning


def handstand(o: Options) -> Scene:
    """Balance on the hands; the legs do what arms do on the feet."""
    return _stage(o, Footprints([]), 12.0, weights=WEIGHTS, stride=STRIDE, body=BODY)


def handstand_steps(o: Options) -> Scene:
    """Six steps on the hands: forward, to the side, back and turning."""
    prints = course(Legs(o.character(BODY)), WAYS)
    return _stage(o, Footprints(prints, time=o.take('swing', 2.2), wait=o.take('wait', 0.6)), 16.0, weights=WEIGHTS, stride=STRIDE, body=BODY)


SCENES = {"handstand": handstand, "handstand-steps": handstand_steps}
