"""Humanoids by other people, from packages of theirs: who stands, takes pushes and walks, into docs/robots-table.md."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import numpy as np

import poise
from poise.errors import PoiseError
from poise.sweeps.trial import SETTLED_MS

ROBOTS = {  # title: file in its package
    "Unitree G1 (mjlab)": "mjlab/asset_zoo/robots/unitree_g1/xmls/g1.xml",
    "Unitree G1 (example-robot-data)": "{erd}/g1_description/urdf/g1_29dof_rev_1_0.urdf",
    "Unitree G1 (playground)": "mujoco_playground/_src/locomotion/g1/xmls/g1_mjx_feetonly.xml",
    "Unitree G1 (robosuite-models)": "robosuite_models/assets/robots/g1/robot.xml",
    "Unitree H1 (playground)": "mujoco_playground/_src/locomotion/h1/xmls/h1_mjx_feetonly.xml",
    "Unitree H1 (robosuite-models)": "robosuite_models/assets/robots/h1/robot.xml",
    "Apptronik Apollo (playground)": "mujoco_playground/_src/locomotion/apollo/xmls/apollo_mjx_feetonly.xml",
    "Booster T1 (playground)": "mujoco_playground/_src/locomotion/t1/xmls/t1_mjx_feetonly.xml",
    "Berkeley Humanoid (playground)": "mujoco_playground/_src/locomotion/berkeley_humanoid/xmls/"
    "berkeley_humanoid_mjx_feetonly.xml",
    "Robotis OP3 (playground)": "mujoco_playground/_src/locomotion/op3/xmls/op3_mjx_feetonly.xml",
    "humanoid (dm_control)": "dm_control/suite/humanoid.xml",
    "CMU humanoid (dm_control)": "dm_control/suite/humanoid_CMU.xml",
    "CMU humanoid 2020 (dm_control)": "dm_control/locomotion/walkers/assets/humanoid_CMU_V2020.xml",
    "humanoid (gymnasium)": "gymnasium/envs/mujoco/assets/humanoid.xml",
    "humanoid (brax)": "brax/envs/assets/humanoid.xml",
    "humanoid (genesis-world)": "genesis/assets/xml/humanoid.xml",
    "humanoid (pybullet)": "pybullet_data/mjcf/humanoid_symmetric.xml",
    "Talos (example-robot-data)": "{erd}/talos_data/robots/talos_full_v2.urdf",
    "Talos reduced (example-robot-data)": "{erd}/talos_data/robots/talos_reduced.urdf",
    "Romeo (example-robot-data)": "{erd}/romeo_description/urdf/romeo.urdf",
    "iCub (example-robot-data)": "{erd}/icub_description/robots/icub.urdf",
    "simple humanoid (example-robot-data)": "{erd}/simple_humanoid_description/urdf/simple_humanoid.urdf",
    "human (example-robot-data)": "{erd}/human_description/robots/human.urdf",
    "Alex (example-robot-data)": "{erd}/alex_description/urdf/alex_nub_hands.urdf",
    "Alexander, legs (example-robot-data)": "{erd}/alexander_description/urdf/alexander_v1.lowerBodyOnly.urdf",
    "JVRC-1 (jvrc-description)": "jvrc_description/urdf/jvrc1.urdf",
    "iCub 2.5 (icub-models)": "share/iCub/robots/iCubGazeboV2_5/model.urdf",
    "iCub 3 (icub-models)": "share/iCub/robots/iCubGenova11/model.urdf",
}
ERD = "cmeel.prefix/share/example-robot-data/robots"
PUSH_MS, SIDES, PUSHED_S, WAIT_S = 0.25, 8, 0.1, 4.0
SPEED_MS, NOISE_RAD, SEEDS, SECONDS = 0.3, 0.01, 5, 20.0
OFF_SPEED, STRAY_M = 0.1, 0.2  # what a walk may be off: part of its speed, and [m] from its line
SETTLE_S = 3.0
DOCS = Path(__file__).resolve().parents[1] / "docs" / "robots-table.md"
HEAD = f"""# Humanoids by other people

`make robot-table` writes this page. Files as their packages carry them, nothing said about any of them. **Stands**: {SECONDS:g} s on its feet.
**Pushes**: of {SIDES} directions, those from which it takes {PUSH_MS:g} m/s (impulse over mass, {PUSHED_S:g} s, on the trunk), stepping where it must, and
is at rest {WAIT_S:g} s later. **Walks**: of {SEEDS} seeds with {NOISE_RAD:g} rad of noise on the pose, those that walk {SECONDS:g} s at {SPEED_MS:g} m/s,
within {100 * OFF_SPEED:g} % of the speed and {STRAY_M:g} m of the line; then the mean speed and the farthest from the line.
"""


def measure(path: Path) -> dict:
    """What one body does, as plain numbers; ``why`` where it cannot."""
    try:
        body = poise.Character.from_urdf(path) if path.suffix == ".urdf" else poise.Character.from_mjcf(path)
        found = {"mass": body.mass, "height": float(body.com_rest[2]), "dofs": body.model.nv - 6}
        return found | {"stands": stands(body), "pushes": pushes(body), "walks": walks(body)}
    except PoiseError as error:
        return {"why": str(error).replace(f"{path.parent}/", "").replace(f"{path}", path.name)}


def stands(body: poise.Character) -> float:
    """Seconds on its feet."""
    take = poise.simulate(poise.scene("stand", body, [], SECONDS, after_fall=0.0))
    return float(take.fall_time if take.fell and take.fall_time is not None else take.time[-1])


def pushes(body: poise.Character) -> list[bool]:
    """Which pushes it takes, from the front on."""
    taken = []
    for k in range(SIDES):
        angle, force = 2 * math.pi * k / SIDES, PUSH_MS * body.mass / PUSHED_S
        push = poise.Push("torso", (force * math.cos(angle), force * math.sin(angle), 0.0), 1.0, PUSHED_S)
        take = poise.simulate(
            poise.scene("reactive-step", body, [push], 1 + PUSHED_S + WAIT_S, after_fall=0.0)
        )
        taken.append(bool(not take.fell and take.metrics["com_speed_final_ms"] < SETTLED_MS))
    return taken


def walks(body: poise.Character) -> list[dict]:
    """Seconds, speed and distance from the line of each seed."""
    found = []
    for seed in range(SEEDS):
        options = {"speed": SPEED_MS, "pose_noise": NOISE_RAD}
        take = poise.simulate(poise.scene("walk", body, [], SECONDS, seed, 0.0, **options))
        ahead = float(take["soles"][0, 2::3].mean())
        way = (take["com"] - take["com"][0])[:, :2] @ np.array(
            [[math.cos(ahead), -math.sin(ahead)], [math.sin(ahead), math.cos(ahead)]]
        )
        late = way[take.time >= SETTLE_S]
        speed = (late[-1, 0] - late[0, 0]) / (take.time[-1] - SETTLE_S) if len(late) > 1 else math.nan
        end = float(take.fall_time if take.fell and take.fall_time is not None else take.time[-1])
        found.append(
            {
                "seconds": end,
                "fell": bool(take.fell),
                "speed": float(speed),
                "stray": float(np.abs(way[:, 1]).max()),
            }
        )
    return found


def good(walk: dict) -> bool:
    """Whether a walk is as asked."""
    return bool(
        not walk["fell"] and abs(walk["speed"] / SPEED_MS - 1) < OFF_SPEED and walk["stray"] < STRAY_M
    )


def row(title: str, found: dict) -> str:
    if "why" in found:
        return f"| {title} | | | | {found['why']} | | |"
    walks, pushed = found["walks"], found["pushes"]
    stand = "yes" if found["stands"] >= SECONDS - 0.1 else f"falls at {found['stands']:.1f} s"
    fell = [w["seconds"] for w in walks if w["fell"]]
    how = (
        f"falls at {min(fell):.1f} s"
        if fell
        else (f"{np.mean([w['speed'] for w in walks]):.2f} m/s, {max(w['stray'] for w in walks):.2f} m")
    )
    return (
        f"| {title} | {found['mass']:.1f} | {found['height']:.2f} | {found['dofs']} | {stand} | {sum(pushed)}/{SIDES} |"
        f" {sum(map(good, walks))}/{SEEDS}: {how} |"
    )


def main(packages: Path, folder: Path, only: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for title, file in ROBOTS.items():
        path, kept = packages / file.format(erd=ERD), folder / f"{title}.json"
        asked = not only or any(word in title for word in only)
        if not kept.is_file() and asked:
            kept.write_text(json.dumps(measure(path)), encoding="utf-8")
        if kept.is_file() and asked:
            rows.append(row(title, json.loads(kept.read_text(encoding="utf-8"))))
            print(rows[-1], flush=True)
    if not only:
        titles = "| body | mass [kg] | CM height [m] | joints | stands | pushes | walks |\n|---|---|---|---|---|---|---|\n"
        DOCS.write_text(HEAD + "\n" + titles + "\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
