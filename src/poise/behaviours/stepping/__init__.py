r"""Stepping: where and when feet land, and what the body does meanwhile ([Stepping] ch. 4, [Coordination]).

All of it rests on the linear inverted pendulum, seen from above. With the centre of mass c at a height z over the
ground and the pressure on the ground at p (the zero-moment point, ZMP),

.. math:: \ddot c = \omega^2 (c - p), \qquad \omega = \sqrt{g / z}, \qquad \xi = c + \dot c / \omega, \qquad
          \dot \xi = \omega (\xi - p).

- ξ: the divergent component of motion (DCM), also called capture point: where the pressure would have to be, and stay,
  for the body to come to rest over it. ξ runs away from p, and c follows ξ by itself.
- ω and ``rate``: ω is √(g/z) at the height of this tick. ``rate`` is √(g/h) at the height h of the rest pose; it never
  changes, and turns gains that are free of size into 1/s.
- pivot: the point that ξ runs away from in a step. Where p rests it is p. Where p moves on along the sole at a speed s
  it is p + s/ω, since then ξ(t) - pivot(t) = (ξ(0) - pivot(0)) e^{ωt}. The part s/ω is the pivot's lead.
- b: the DCM offset ξ - u when a foot lands at u. A steady gait lands with the same b at every second step.

A step runs through four phases, and only ``Stepper`` changes them::

    STAND --> SHIFT --> SWING --> DOUBLE --> SWING --> ...  or back to STAND
      '------------------^         (both feet down: the weight changes over)

``step``: the records that parts hand to each other · ``stepper``: the phases · ``walk``, ``footprints``, ``recover``,
``roam``: who decides about steps · ``landing``: place and time of a landing · ``dcm``: ξ, pivots and the pressure that
is wanted · ``swing``: path of the swing foot · ``heels``: feet that roll · ``height``: of the centre of mass ·
``curve``: its course in the paper · ``posture``: the command to the whole body · ``legs``, ``ankle``, ``stride``:
numbers of body and gait · ``able``: what stands in the way of a gait.
"""
