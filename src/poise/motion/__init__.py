"""What a movement is: clips, key poses, inverse kinematics and the reference motions made from them."""

from poise.motion.clip import Clip
from poise.motion.keyframes import from_keys

__all__ = ["Clip", "from_keys"]
