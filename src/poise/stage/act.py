"""Act: a session with its past. Every input is noted with its step, so any moment can be lived again, bit for bit."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from poise.errors import unknown
from poise.record.recording import Recording
from poise.scenes import repertoire
from poise.simulate import Scene, Session
from poise.simulate.session import Mark
from poise.stage.messages import INPUTS
from poise.worlds.ball import Ball

KEPT = 60.0  # [s] that can be gone back to
KEY = 1.0  # [s] between two marks
HZ = 60.0  # of the poses that are kept, for ghosts
PARKED = 40.0  # [m] away: where balls lie that nobody has thrown yet
BALLS = (
    (0.45, 0.11),
    (2.0, 0.12),
    (5.0, 0.14),
)  # mass [kg] and radius [m]: a football, a medicine ball, a heavy one
MADE = 64  # behaviours that are remembered
FOLLOW = "follow"  # the behaviour that needs a clip


@dataclass(frozen=True, eq=False)
class Key:
    """A moment to go back to, and how many inputs came before it."""

    step: int
    mark: Mark
    inputs: int


def with_balls(scene: Scene) -> Scene:
    """A scene with balls to throw, where its world has none and its contact allows them."""
    world = scene.world
    if world.balls or world.contact != "mujoco" or world.platform or world.terrain:
        return scene
    rest = (0.0, 0.0, 0.0)
    balls = [Ball((-PARKED, float(k), radius), rest, mass, radius) for k, (mass, radius) in enumerate(BALLS)]
    return replace(scene, world=replace(world, balls=tuple(balls)))


class Act:
    """A session that is touched through noted inputs, and can be rewound.

    Args:
        clips: Motion files that may be followed, by the names that a page knows them by.
    """

    def __init__(self, scene: Scene, clips: Mapping[str, str] | None = None):
        self.scene, self.clips = scene, dict(clips or {})
        self._made: dict[tuple[Any, ...], repertoire.Acts] = {}  # behaviours that were asked for before
        self.session = Session(scene, keep=KEPT)
        self.dt = scene.world.dt
        self.keys: deque[Key] = deque()
        self.inputs: list[tuple[int, str, dict[str, Any]]] = []  # step, kind, fields
        self.next = 0  # the input that comes next, where an old future is lived again
        self.poses: dict[int, bytes] = {}  # by tick of HZ
        self.ghost: dict[int, bytes] = {}  # of the life before the last branch
        self._newest = 0
        self._note_key()
        self._first = self.keys[0]

    @property
    def oldest(self) -> float:
        """[s]: the earliest time that can be gone to."""
        return self.keys[0].step * self.dt

    @property
    def newest(self) -> float:
        """[s]: the latest one."""
        return max(self._newest, self.session.steps) * self.dt

    @property
    def tick(self) -> int:
        return round(self.session.time * HZ)

    def advance(self, steps: int) -> int:
        """Go on; inputs of an old future that nobody has changed come again. Returns the steps taken."""
        session, goal, begun = self.session, self.session.steps + steps, self.session.steps
        while session.steps < goal and not session.over:
            self._replay()
            stop = min(goal, self._next_key())
            if self.next < len(self.inputs):
                stop = min(stop, self.inputs[self.next][0])
            session.step((stop - session.steps) * self.dt)
            if session.steps == self._next_key():
                self._note_key()
        self._newest = max(self._newest, session.steps)
        return session.steps - begun

    def keep_poses(self, poses: bytes) -> None:
        """Remember what was seen now, for ghosts."""
        self.poses[self.tick] = poses
        while len(self.poses) > (KEPT + KEY) * HZ:
            del self.poses[next(iter(self.poses))]

    def do(self, kind: str, fields: dict[str, Any]) -> None:
        """Act on the body from now on. What an old future held is dropped, and remembered as a ghost."""
        if kind == "behave":
            fields = fields | {"friction": self.session.conditions.friction}
        self._apply(kind, fields)
        if self._newest > self.session.steps or self.next < len(self.inputs):
            self._branch()
        self.inputs.append((self.session.steps, kind, fields))
        self.next = len(self.inputs)

    def seek(self, time: float) -> None:
        """Go to a moment between the oldest and the newest; everything is then as it was."""
        goal = round(min(max(time, self.oldest), self.newest) / self.dt)
        newest = self._newest = max(self._newest, self.session.steps)
        if goal <= self.session.steps or goal - self.session.steps > KEY / self.dt:
            key = max((k for k in self.keys if k.step <= goal), key=lambda k: k.step)
            self.session.restore(key.mark)
            self.next = key.inputs
        self.advance(goal - self.session.steps)
        self._newest = newest

    def again(self) -> None:
        """Back to the start: a new life; the old one is its ghost."""
        self.ghost, self.poses = self.poses, {}
        self.session.restore(self._first.mark)
        self.keys, self.inputs, self.next, self._newest = deque([self._first]), [], 0, 0

    def recording(self, last: float | None = None, part: tuple[float, float] | None = None) -> Recording:
        """The last seconds up to now, or a part that may lie ahead of now where that was lived already."""
        now = self.session.time
        if part is not None and part[1] > now:
            self.seek(part[1])
        take = self.session.recording(last, part=part)
        if self.session.time != now:
            self.seek(now)
        return take

    def _branch(self) -> None:
        now, tick = self.session.steps, self.tick
        self.ghost = {t: p for t, p in self.poses.items() if t > tick}
        self.poses = {t: p for t, p in self.poses.items() if t <= tick}
        self.keys = deque(k for k in self.keys if k.step <= now)
        del self.inputs[self.next :]
        self._newest = now

    def _replay(self) -> None:
        while self.next < len(self.inputs) and self.inputs[self.next][0] <= self.session.steps:
            _, kind, fields = self.inputs[self.next]
            self._apply(kind, fields)
            self.next += 1

    def _apply(self, kind: str, fields: dict[str, Any]) -> None:
        session = self.session
        if kind == "pull":
            session.pull(fields["body"], fields["to"], fields["stiffness"], fields["most"], fields["at"])
        elif kind == "lean":
            session.lean(fields["body"], fields["force"], fields["at"])
        elif kind == "release":
            session.release(fields["body"])
        elif kind == "shove":
            session.push(fields["body"], fields["force"], fields["seconds"])
        elif kind == "throw":
            session.throw(fields["place"], fields["velocity"], fields["ball"])
        elif kind == "command":
            session.command(**fields["wishes"])
        elif kind == "behave":
            session.behave(*self.prepare(**fields))
        elif kind == "adjust":
            session.adjust(**fields)
        elif kind == "ground":
            session.move_ground(fields["axis"], fields["distance"], fields["seconds"])
        else:
            raise unknown("input", kind, INPUTS)

    def prepare(
        self, name: str, clip: str = "", friction: float | None = None, **how: Any
    ) -> repertoire.Acts:
        """What takes over, and what at its end; made once, in any thread, since some of it takes a while."""
        if name == FOLLOW and clip not in self.clips:
            raise unknown("clip", clip, self.clips)
        friction = self.session.conditions.friction if friction is None else friction
        key = (name, clip, friction, *how.items())
        if key not in self._made:
            wish = repertoire.Wish(friction=friction, motion=self.clips.get(clip, ""), **how)
            while len(self._made) >= MADE:
                self._made.pop(next(iter(self._made)))
            self._made[key] = repertoire.act(name, self.scene.character, wish)
        return self._made[key]

    def _next_key(self) -> int:
        """Step at which the next mark is due."""
        return self.keys[-1].step + round(KEY / self.dt)

    def _note_key(self) -> None:
        self.keys.append(Key(self.session.steps, self.session.save(), self.next))
        while self.keys[-1].step - self.keys[0].step > KEPT / self.dt:
            self.keys.popleft()
        self._forget_inputs()

    def _forget_inputs(self) -> None:
        """Inputs before the oldest mark can never come again."""
        gone = self.keys[0].inputs
        if gone > 1000:
            del self.inputs[:gone]
            self.next -= gone
            self.keys = deque(replace(k, inputs=k.inputs - gone) for k in self.keys)
