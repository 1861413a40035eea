"""What the claims of [Balance] share: Macchietto, Zordan, Shelton, Momentum Control for Balance, 2009."""

from poise.reproduce.claim import claims_of

claim = claims_of("balance")

SHOVE = "torso:250,0,0@1.0+0.1"  # 0.33 m/s for the adult
AFTER = 1.15  # [s]: the shove is over, only the ground and gravity act
NO_CLAMP = 1e3  # a friction that never binds
EXERCISES = ("butterfly", "squat", "side-kick")
BODIES = ("adult", "insectoid", "chicken")
