"""Many simulations of one scene: where they run, and what is asked of them."""

from poise.sweeps.compare import compare as compare
from poise.sweeps.pushmap import PushMap as PushMap
from poise.sweeps.pushmap import pushmap as pushmap
from poise.sweeps.sweep import Sweep as Sweep
from poise.sweeps.sweep import sweep as sweep
