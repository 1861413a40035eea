"""USD: its own library reads the file, moves the skeleton and finds nothing to complain about."""

import importlib.util
import re

import numpy as np
import pytest

import bodies
from poise import formats
from poise.errors import BadInput
from poise.formats import actor as actors
from poise.formats import skeletal, usd, y_up

needs_usd = pytest.mark.skipif(importlib.util.find_spec("pxr") is None, reason="needs usd-core: poise[usd]")


def complaints(stage) -> list[str]:
    """What the validators of USD say; they come with version 24.11 and later."""
    UsdValidation = pytest.importorskip("pxr.UsdValidation")
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    return [e.GetMessage() for e in UsdValidation.ValidationContext(validators).Validate(stage)]


def opened(path):
    from pxr import Usd

    return Usd.Stage.Open(str(path))


def joints(stage, path: str, frame: int) -> np.ndarray:
    """World positions of the joints as UsdSkel computes them (J, 3)."""
    from pxr import Usd, UsdGeom, UsdSkel

    skeleton = UsdSkel.Skeleton(stage.GetPrimAtPath(f"{path}/Skeleton"))
    cache = UsdSkel.Cache()
    cache.Populate(UsdSkel.Root(stage.GetPrimAtPath(path)), Usd.PrimDefaultPredicate)
    matrices = cache.GetSkelQuery(skeleton).ComputeJointWorldTransforms(UsdGeom.XformCache(frame))
    return np.array([list(m.ExtractTranslation()) for m in matrices])


@needs_usd
@pytest.mark.parametrize("ending", [".usda", ".usdc"])
@pytest.mark.parametrize("xml", [None, bodies.ODD], ids=["tiny", "odd"])
def test_joints_move_as_recorded(take, tmp_path, ending, xml):
    take = bodies.recording(xml) if xml else take
    path = tmp_path / f"take{ending}"
    take.save(path)
    stage = opened(path)
    root = "/World/odd_body" if xml else "/World/tiny"
    at = y_up.vectors(skeletal.capture(take).world[0])
    for frame in (0, 11, len(take) - 1):
        assert np.allclose(joints(stage, root, frame), at[frame], atol=5e-6)
    assert complaints(stage) == []


@needs_usd
def test_the_file_says_its_axes_units_and_rate(take, tmp_path):
    from pxr import UsdGeom

    take.save(tmp_path / "take.usda")
    stage = opened(tmp_path / "take.usda")
    assert UsdGeom.GetStageUpAxis(stage) == "Y" and UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert stage.GetTimeCodesPerSecond() == stage.GetFramesPerSecond() == 100
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, len(take) - 1)
    text = (tmp_path / "take.usda").read_text()
    assert 'upAxis = "Y"' in text and "100 frames a second" in text


@needs_usd
def test_the_skin_is_deformed_as_recorded(tmp_path):
    from pxr import Gf, Usd, UsdGeom, UsdSkel

    take = bodies.recording(bodies.ODD)
    take.save(tmp_path / "odd.usdc")
    stage = opened(tmp_path / "odd.usdc")
    UsdSkel.BakeSkinning(stage.Traverse(), Gf.Interval(0, len(take)))
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/World/odd_body/odd_body_body"))
    actor = actors.of_recording(take)
    at, turned = actor.capture.world
    order = [p for some in actors.by_colour(actor.patches).values() for p in some]
    for frame in (0, 13):
        expected = np.concatenate(
            [p.mesh.moved(at[frame, p.joint], turned[frame, p.joint]).vertices for p in order]
        )
        points = np.array(mesh.GetPointsAttr().Get(Usd.TimeCode(frame)))
        assert np.allclose(points, y_up.vectors(expected), atol=5e-6)


@needs_usd
def test_things_about_the_body_move_too(tmp_path):
    from pxr import UsdGeom

    take = bodies.recording(bodies.ODD)
    usd.save(take, tmp_path / "odd.usda", ground=True)
    stage = opened(tmp_path / "odd.usda")
    _, data = bodies.posed(take, 9)
    for name in ("ball", "lift"):
        matrix = UsdGeom.XformCache(9).GetLocalToWorldTransform(stage.GetPrimAtPath(f"/World/{name}"))
        assert np.allclose(list(matrix.ExtractTranslation()), y_up.vectors(data.body(name).xpos), atol=1e-9)
    assert stage.GetPrimAtPath("/World/scenery/scenery_shape") and complaints(stage) == []


@needs_usd
def test_any_capture_gets_a_body_of_capsules(tmp_path):
    capture = skeletal.capture(bodies.recording(bodies.ODD))
    usd.save_capture(capture, tmp_path / "any.usda", name="1 strange/name")
    stage = opened(tmp_path / "any.usda")
    assert np.allclose(
        joints(stage, "/World/_1_strange_name", 5), y_up.vectors(capture.world[0][5]), atol=5e-6
    )


@pytest.mark.parametrize("ending", [".usda", ".usdc"])
def test_without_usd_core_it_says_what_to_install(take, tmp_path, monkeypatch, ending):
    real = importlib.util.find_spec
    monkeypatch.setattr("poise.formats.usd.find_spec", lambda name: None if name == "pxr" else real(name))
    with pytest.raises(BadInput, match=re.escape('pip install "poise[usd]"')):
        formats.check_writable(tmp_path / f"take{ending}")
    with pytest.raises(BadInput, match="usd-core"):
        take.save(tmp_path / f"take{ending}")
    assert list(tmp_path.iterdir()) == []
