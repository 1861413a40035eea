"""A small body and a made-up take, built in code, for the tests of pictures and files."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.record import Recorder, Recording

BODY = """
<mujoco model="tiny">
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1"/>
    <body name="pelvis" pos="0 0 0.9">
      <freejoint name="root"/>
      <geom type="capsule" fromto="0 -.08 0 0 .08 0" size=".1"/>
      <body name="torso" pos="0 0 .1">
        <joint name="spine" type="ball"/>
        <geom type="box" size=".09 .15 .2" pos="0 0 .22"/>
        <geom type="sphere" size=".11" pos="0 0 .6"/>
        <body name="upper_arm_l" pos="0 .2 .38">
          <joint name="shoulder_l" type="ball"/>
          <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".04"/>
        </body>
      </body>
      <body name="thigh_l" pos="0 .1 0">
        <joint name="hip_l" type="ball"/>
        <geom type="capsule" fromto="0 0 0 0 0 -.4" size=".07"/>
        <body name="shin_l" pos="0 0 -.42">
          <joint name="knee_l" axis="0 1 0" range="0 150"/>
          <geom type="cylinder" fromto="0 0 0 0 0 -.4" size=".05"/>
          <geom type="ellipsoid" size=".13 .05 .04" pos=".06 0 -.44"/>
        </body>
      </body>
      <body name="thigh_r" pos="0 -.1 0">
        <joint name="hip_r" type="ball"/>
        <geom type="capsule" fromto="0 0 0 0 0 -.4" size=".07"/>
        <body name="shin_r" pos="0 0 -.42">
          <joint name="knee_r" axis="0 1 0" range="0 150"/>
          <geom type="capsule" fromto="0 0 0 0 0 -.4" size=".05"/>
          <geom type="ellipsoid" size=".13 .05 .04" pos=".06 0 -.44"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="knee_l"/><motor joint="knee_r"/></actuator>
</mujoco>
"""
XYZ = ("x", "y", "z")
SOLE = np.array([[0.18, 0.15, 0], [-0.08, 0.15, 0], [-0.08, 0.05, 0], [0.18, 0.05, 0]])


def spec(nq: int, nv: int, nu: int) -> dict:
    """Series of a take, as `simulate` records them."""
    numbered = {
        "q": ("m, 1, rad", nq),
        "v": ("m/s, rad/s", nv),
        "tau": ("N m", nu),
        "q_ref": ("m, 1, rad", nq),
    }
    vectors = {"com": "m", "com_velocity": "m/s", "linear_momentum": "kg m/s", "angular_momentum": "kg m2/s"}
    vectors |= {"cp": "m", "cmp": "m", "contact_force": "N", "linear_momentum_rate_des": "N"}
    vectors |= {f"angular_momentum_rate{end}": "N m" for end in ("_des", "_solved", "", "_free")}
    made = {name: (unit, "joint", tuple(str(i) for i in range(k))) for name, (unit, k) in numbered.items()}
    made |= {name: (unit, "world", XYZ) for name, unit in vectors.items()}
    made["support_points"] = (
        "m",
        "world",
        tuple(f"foot_{s}.{i}.{c}" for s in "lr" for i in range(4) for c in XYZ),
    )
    made["ground"] = ("m, 1", "world", ("x", "y", "z", "qw", "qx", "qy", "qz"))
    made["penetration"] = ("m", "world", ("depth",))
    return made


def take(seconds: float = 2.0, xml: str = BODY, push: str = "torso:250,0,0@0.5+0.1") -> Recording:
    """A body that sways, bends its knees and is pushed once; momenta are waves that look like a push."""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    n = round(seconds * 100) + 1
    recorder = Recorder(spec(model.nq, model.nv, model.nu), n)
    for name in ("q", "v", "tau", "q_ref", "ground", "penetration", "linear_momentum_rate_des"):
        recorder.write(name, 0.0)
    for t in np.arange(n) / 100:
        _fill(recorder, model, data, t)
        recorder.advance(t)
    info = {"scene": "sway", "character": "tiny", "seconds": seconds, "seed": 0, "options": {}, "dt": 0.002}
    info |= {"record_hz": 100, "pushes": [push], "version": "0"}
    metrics = {"tracking_rmse_rad": 0.25, "recovered": True, "strange": float("nan")}
    return recorder.finish(info, xml, metrics=metrics, real_time_factor=12.5, notes=["made up"])


def _fill(recorder: Recorder, model: mujoco.MjModel, data: mujoco.MjData, t: float) -> None:
    mujoco.mj_resetData(model, data)
    late = max(t - 0.5, 0.0)
    wave = 0.25 * np.sin(4 * late) * np.exp(-1.2 * late)
    v = np.zeros(model.nv)
    v[[0, 4]] = 0.3 * wave, wave
    v[6:] = 0.4 * wave
    mujoco.mj_integratePos(model, data.qpos, v, 1.0)
    mujoco.mj_forward(model, data)
    rate = np.array([3 * wave, 40 * wave, wave])
    H = np.array([2 * wave, 25 * wave, wave])
    com = data.subtree_com[0]
    rows = {
        "q": data.qpos,
        "q_ref": model.qpos0,
        "com": com,
        "com_velocity": [wave, 0, 0],
        "angular_momentum": H,
    }
    rows |= {
        "linear_momentum": 75 * np.array([wave, 0.2 * wave, 0]),
        "cp": [0.05 + 0.3 * wave, 0.02 * wave, 0],
    }
    rows |= {"cmp": [0.05 + 0.45 * wave, 0.03 * wave, 0], "contact_force": [0, 0, 700], "penetration": 0.001}
    rows |= {
        "angular_momentum_rate": rate,
        "angular_momentum_rate_des": 1.1 * rate + 0.2,
        "ground": [0, 0, 0, 1, 0, 0, 0],
    }
    rows |= {"angular_momentum_rate_solved": 1.02 * rate, "angular_momentum_rate_free": 2.1 * rate}
    rows |= {"support_points": np.concatenate([SOLE, SOLE - [0, 0.2, 0]]).ravel(), "v": v, "tau": 90 * wave}
    for name, values in rows.items():
        recorder.write(name, values)
