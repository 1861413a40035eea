"""Four legs whose diagonal pairs take turns: the same solve, DCM and landings as on two, with a line as the support.

``limbs``: the pairs, from where the feet stand · ``paths``: feet in the air · ``trot``: the phases and the command.
"""

from poise.behaviours.trotting.limbs import Quad
from poise.behaviours.trotting.trot import Trot

__all__ = ["Quad", "Trot"]
