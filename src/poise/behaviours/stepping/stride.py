"""Numbers of a gait, free of size: lengths in heights of the centre of mass h, times in √(h/g)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stride:
    """How steps are made. The adult's h is 0.99 m, √(h/g) 0.32 s."""

    time: float = 1.57  # of a step, from weight on one foot to weight on the other
    shortest: float = 0.7  # earliest landing that a disturbance may ask for
    longest: float = 2.5  # latest
    double: float = 0.18  # both feet on the ground while the weight changes over
    lift: float = 0.05  # clearance of the swing foot's lowest corner at its highest
    apex: float = 0.4  # when it is highest, of the swing
    touch: float = 1.0  # of the speed at which a sole that must be in time meets the ground
    scuff: float = 1.0  # a sole whose path is higher has not landed but scuffs the ground; at 1 none is
    freeze: float = 0.24  # before landing, when place and time no longer change
    fastest: float = 1.6  # speed of the swing foot, in √(g h)
    load: float = 0.0  # of the way to the foot that stays: how far pressure goes before a recovery step
    feedback: float = 2.0  # of the pressure on ξ - ξ_ref, with one foot down
    firm: float = 1.5  # of the pressure on ξ in double support
    ahead: float = 0.0  # where the pressure stands at mid-step, in half lengths of the sole before its middle
    roll: float = 0.7  # of a step that it moves on meanwhile; the swing leg's own spin does most of it
    trust: float = 0.4  # part of the present pressure's distance from the pivot that lasts until landing
    sole: float = 0.75  # part of the sole that the pressure may use
    clearance: float = 1.05  # least distance of the soles' middles, in widths of a sole
    stretch: float = 0.97  # of a leg's length that a step counts on
    heel: float = 0.45  # [rad]: how far a heel has risen when its foot leaves the ground
    strike: float = 0.2  # [rad]: how far the toes are up when a long step lands on its heel
    vault: float = 0.05  # most that the body rises over the stance leg
    far: float = 0.72  # longest step forward, in leg lengths
    back: float = 0.6  # longest step back
    wide: float = 0.7  # widest, beyond the clearance
    place: float = 30.0  # weights of the landing: w_u, in 1/h²
    when: float = 5.0  # w_τ
    offset: float = 1000.0  # w_b, in 1/h²
    haste: float = 20.0  # of a swing faster than the fastest, in 1/(g h)


@dataclass(frozen=True)
class StepWeights:
    """Weights while stepping; a tracked joint with weight 1 is the unit."""

    linear: float = 5000.0
    vertical: float = 300.0
    swing: float = 100.0
    swing_turn: float = 20.0
    roll: float = 50.0  # pitch of a sole whose heel rises
    root: float = 40.0
    trunk: float = 20.0
    legs: float = 0.05
    swivel: float = 1.0  # twist of a hip that is a ball
    arms: float = 1.0
    other: float = 1.0
    level: float = 200.0  # H about the horizontal axes where it need not be spent, per (Ḣ / (m h²))²
    spin: float = 8000.0  # about the vertical
