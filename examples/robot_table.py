"""Robots by other people, from packages of theirs: who stands, takes pushes and walks, into docs/robots-table.md."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np

import poise
from poise.behaviours.stepping.able import obstacles
from poise.behaviours.trotting.limbs import stands_on_four
from poise.errors import PoiseError
from poise.sweeps.trial import SETTLED_MS

PLAY = "mujoco_playground/_src/locomotion"
DATA = "cmeel.prefix/share/example-robot-data/robots"
LOCO = "loco_mujoco/environments/data"
ROBOTS = {  # title and package: file in it
    "Unitree G1, mjlab": "mjlab/asset_zoo/robots/unitree_g1/xmls/g1.xml",
    "Unitree G1, example-robot-data": f"{DATA}/g1_description/urdf/g1_29dof_rev_1_0.urdf",
    "Unitree G1, playground": f"{PLAY}/g1/xmls/g1_mjx_feetonly.xml",
    "Unitree G1, robosuite-models": "robosuite_models/assets/robots/g1/robot.xml",
    "Unitree H1, playground": f"{PLAY}/h1/xmls/h1_mjx_feetonly.xml",
    "Unitree G1, loco-mujoco": f"{LOCO}/unitree_g1/g1.xml",
    "Unitree H1, loco-mujoco": f"{LOCO}/unitree_h1/h1.xml",
    "Unitree H1, robosuite-models": "robosuite_models/assets/robots/h1/robot.xml",
    "Apptronik Apollo, playground": f"{PLAY}/apollo/xmls/apollo_mjx_feetonly.xml",
    "Booster T1, playground": f"{PLAY}/t1/xmls/t1_mjx_feetonly.xml",
    "Berkeley Humanoid, playground": f"{PLAY}/berkeley_humanoid/xmls/berkeley_humanoid_mjx_feetonly.xml",
    "Robotis OP3, playground": f"{PLAY}/op3/xmls/op3_mjx_feetonly.xml",
    "humanoid, dm_control": "dm_control/suite/humanoid.xml",
    "CMU humanoid, dm_control": "dm_control/suite/humanoid_CMU.xml",
    "CMU humanoid 2020, dm_control": "dm_control/locomotion/walkers/assets/humanoid_CMU_V2020.xml",
    "humanoid, gymnasium": "gymnasium/envs/mujoco/assets/humanoid.xml",
    "humanoid, genesis-world": "genesis/assets/xml/humanoid.xml",
    "Talos, example-robot-data": f"{DATA}/talos_data/robots/talos_full_v2.urdf",
    "Talos reduced, example-robot-data": f"{DATA}/talos_data/robots/talos_reduced.urdf",
    "Romeo, example-robot-data": f"{DATA}/romeo_description/urdf/romeo.urdf",
    "iCub, example-robot-data": f"{DATA}/icub_description/robots/icub.urdf",
    "simple humanoid, example-robot-data": f"{DATA}/simple_humanoid_description/urdf/simple_humanoid.urdf",
    "human, example-robot-data": f"{DATA}/human_description/robots/human.urdf",
    "Alexander (legs), example-robot-data": f"{DATA}/alexander_description/urdf/alexander_v1.lowerBodyOnly.urdf",
    "JVRC-1, jvrc-description": "jvrc_description/urdf/jvrc1.urdf",
    "iCub 2.5, icub-models": "share/iCub/robots/iCubGazeboV2_5/model.urdf",
    "Fourier GR1, robosuite": "robosuite/models/assets/robots/gr1/robot.xml",
    "Atlas, loco-mujoco": f"{LOCO}/atlas/atlas.xml",
    "humanoid (31 joints), loco-mujoco": f"{LOCO}/humanoid/humanoid_torque.xml",
    "Talos, loco-mujoco": f"{LOCO}/talos/talos.xml",
    "iCub Genova 11, icub-models": "share/iCub/robots/iCubGenova11/model.urdf",
}
UNSEEN = {  # bodies whose rows were measured once, before anybody looked at how they move
    "Fourier GR1, robosuite", "Unitree G1, loco-mujoco", "Talos, loco-mujoco", "Atlas, loco-mujoco",
}  # fmt: skip
FOUR = {
    "Unitree Go2, example-robot-data": f"{DATA}/go2_description/urdf/go2.urdf",
    "Boston Dynamics Spot, playground": f"{PLAY}/spot/xmls/spot_mjx_feetonly.xml",
    "Solo12, example-robot-data": f"{DATA}/solo_description/robots/solo12.urdf",
    "Unitree Go1, playground": f"{PLAY}/go1/xmls/go1_mjx_feetonly.xml",
    "HyQ, example-robot-data": f"{DATA}/hyq_description/robots/hyq_no_sensors.urdf",
    "Unitree A1, example-robot-data": f"{DATA}/a1_description/urdf/a1.urdf",
    "Unitree B1, example-robot-data": f"{DATA}/b1_description/urdf/b1.urdf",
    "ANYmal C, example-robot-data": f"{DATA}/anymal_c_simple_description/urdf/anymal.urdf",
}
TROT_MS, TROT_PUSH_MS, UNDER_WAY_S, BACK = 0.4, 0.2, 5.0, 0.2
PUSH_MS, SIDES, PUSHED_S, WAIT_S = 0.25, 8, 0.1, 4.0
SPEED_MS, NOISE_RAD, SEEDS, SECONDS = 0.3, 0.01, 5, 20.0
OFF_SPEED, STRAY_M = 0.1, 0.2  # what a walk may be off: part of its speed, and [m] from its line
SETTLE_S = 3.0
DOCS = Path(__file__).resolve().parents[1] / "docs" / "robots-table.md"
HEAD = f"""# Humanoids by other people

`make robot-table` writes this page, from files as their packages carry them, with nothing said about any of them.

- **stands**: {SECONDS:g} s on its feet.
- **pushes**: of {SIDES} directions, those from which it takes {PUSH_MS:g} m/s (impulse over mass, {PUSHED_S:g} s, on
  the trunk), stepping where it must, and is at rest {WAIT_S:g} s later.
- **walks**: of {SEEDS} seeds with {NOISE_RAD:g} rad of noise on the pose, those that walk {SECONDS:g} s at {SPEED_MS:g}
  m/s within {100 * OFF_SPEED:g} % of the speed and {STRAY_M:g} m of the line; then the mean speed and the farthest from
  the line.
- **why not**: what the body alone says against a gait, before anything runs (`stepping.able.obstacles`).
- **unseen**: nobody looked at how this body moves, or changed anything, before its row was written. All others may have
  been looked at; the last change to the gait (`clearance`) was made for Alexander, whose feet touched each other.

| body, package | mass [kg] | CM [m] | joints | stands | pushes | walks | why not |
|---|---|---|---|---|---|---|---|
"""

HEAD_FOUR = f"""
## On four legs

`poise run walk` on a body with four feet trots, here at {TROT_MS:g} m/s. **pushes**: of {SIDES} directions, those from
which it takes {TROT_PUSH_MS:g} m/s under way and has its speed back within {100 * BACK:g} % {WAIT_S:g} s later.
**trots**: as above.

| body, package | mass [kg] | CM [m] | joints | stands | pushes | trots | why not |
|---|---|---|---|---|---|---|---|
"""


def load(path: Path) -> poise.Character:
    return poise.Character.from_urdf(path) if path.suffix == ".urdf" else poise.Character.from_mjcf(path)


def measure(path: Path) -> dict[str, Any]:
    """What one body does, as plain numbers; ``why`` where it cannot."""
    try:
        body = load(path)
        found = {"mass": body.mass, "height": float(body.com_rest[2]), "dofs": body.model.nv - 6}
        found |= {"stands": stands(body)}
        if stands_on_four(body):
            return found | {"why": [], "pushes": trotting_pushes(body), "walks": walks(body, TROT_MS)}
        found |= {"why": obstacles(body, SPEED_MS)}
        return found | {"pushes": pushes(body), "walks": walks(body, SPEED_MS)}
    except PoiseError as error:
        return {"why": [str(error).replace(f"{path}", path.name)]}


def stands(body: poise.Character) -> float:
    """Seconds on its feet."""
    take = poise.simulate(poise.scene("stand", body, [], SECONDS, after_fall=0.0))
    return float(take.time[-1] if take.fall_time is None else take.fall_time)


def around(body: poise.Character, size: float, start: float) -> list[poise.Push]:
    """Pushes of a size [m/s] from all sides, from behind on."""
    force, angles = size * body.mass / PUSHED_S, [2 * math.pi * k / SIDES for k in range(SIDES)]
    return [
        poise.Push("torso", (force * math.cos(a), force * math.sin(a), 0.0), start, PUSHED_S) for a in angles
    ]


def pushes(body: poise.Character) -> list[bool]:
    """Which pushes it takes while it stands."""
    taken, seconds = [], 1.0 + PUSHED_S + WAIT_S
    for push in around(body, PUSH_MS, 1.0):
        take = poise.simulate(poise.scene("reactive-step", body, [push], seconds, after_fall=0.0))
        taken.append(bool(not take.fell and take.metrics["com_speed_final_ms"] < SETTLED_MS))
    return taken


def trotting_pushes(body: poise.Character) -> list[bool]:
    """Which pushes it takes under way."""
    taken, seconds = [], UNDER_WAY_S + PUSHED_S + WAIT_S
    for push in around(body, TROT_PUSH_MS, UNDER_WAY_S):
        take = poise.simulate(poise.scene("walk", body, [push], seconds, after_fall=0.0, speed=TROT_MS))
        last = take["com_velocity"][take.time > take.time[-1] - 1.0, 0].mean()
        taken.append(bool(not take.fell and abs(last / TROT_MS - 1) < BACK))
    return taken


def walks(body: poise.Character, pace: float) -> list[dict[str, Any]]:
    """Seconds, speed and distance from the line of each seed."""
    found = []
    for seed in range(SEEDS):
        options = {"speed": pace, "pose_noise": NOISE_RAD}
        take = poise.simulate(poise.scene("walk", body, [], SECONDS, seed, 0.0, **options))
        ahead = float(take["soles"][0, 2::3].mean()) if "soles" in take.series else 0.0
        c, s = math.cos(ahead), math.sin(ahead)
        way = (take["com"] - take["com"][0])[:, :2] @ np.array([[c, -s], [s, c]])
        late = way[take.time >= SETTLE_S, 0]
        speed = (late[-1] - late[0]) / (take.time[-1] - SETTLE_S) if len(late) > 1 else math.nan
        end = float(take.time[-1] if take.fall_time is None else take.fall_time)
        stray = float(np.abs(way[:, 1]).max())
        found.append(
            {"seconds": end, "fell": bool(take.fell), "speed": float(speed), "stray": stray, "pace": pace}
        )
    return found


def good(walk: dict[str, Any]) -> bool:
    """Whether a walk is as asked."""
    pace = walk.get("pace", SPEED_MS)
    return bool(not walk["fell"] and abs(walk["speed"] / pace - 1) < OFF_SPEED and walk["stray"] < STRAY_M)


def row(title: str, found: dict[str, Any]) -> str:
    """Of the table."""
    why = found["why"][0] if found["why"] else ""
    title += " (unseen)" if title in UNSEEN else ""
    if "walks" not in found:
        return f"| {title} | | | | no | | | {why} |"
    walked, pushed = found["walks"], found["pushes"]
    stand = "yes" if found["stands"] > SECONDS - PUSHED_S else f"{found['stands']:.1f} s"
    fell = [w["seconds"] for w in walked if w["fell"]]
    how = f"{np.mean([w['speed'] for w in walked]):.2f} m/s, {max(w['stray'] for w in walked):.2f} m"
    how = f"falls from {min(fell):.1f} s on" if fell else how
    return (
        f"| {title} | {found['mass']:.1f} | {found['height']:.2f} | {found['dofs']} | {stand} | {sum(pushed)}/{SIDES} "
        f"| {sum(map(good, walked))}/{SEEDS}: {how} | {why} |"
    )


def rows(robots: dict[str, str], packages: Path, folder: Path) -> str:
    """Rows of the table, measured where they are not kept from an earlier run."""
    made = []
    for title, file in robots.items():
        kept = folder / f"{title}.json"
        if not kept.is_file():
            kept.write_text(json.dumps(measure(packages / file)), encoding="utf-8")
        made.append(row(title, json.loads(kept.read_text(encoding="utf-8"))))
        print(made[-1], flush=True)
    return "\n".join(made) + "\n"


def main(packages: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = HEAD + rows(ROBOTS, packages, folder) + HEAD_FOUR + rows(FOUR, packages, folder)
    DOCS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2] if len(sys.argv) > 2 else "out/robots"))
