"""Gymnasium environments over a Session; the momentum controller is the action space. Needs the extra ``gym``.

``gymnasium.make("poise.environments:poise/Balance-v0")``, or import this package first and leave out the part before
the colon.
"""

from __future__ import annotations

from poise.errors import BadInput

try:
    import gymnasium
except ImportError as error:
    raise BadInput("environments need Gymnasium: pip install 'poise[gym]'") from error

from poise.environments.balance import BalanceEnv as BalanceEnv
from poise.environments.push_recovery import PushRecoveryEnv as PushRecoveryEnv
from poise.environments.walk_to import WalkToEnv as WalkToEnv

IDS = {  # class and most steps of an episode
    "poise/Balance-v0": (BalanceEnv, 200),
    "poise/PushRecovery-v0": (PushRecoveryEnv, 120),
    "poise/WalkTo-v0": (WalkToEnv, 300),
}
for _id, (_kind, _most) in IDS.items():
    if _id not in gymnasium.registry:
        gymnasium.register(_id, f"{_kind.__module__}:{_kind.__qualname__}", max_episode_steps=_most)
