"""Roles: geometry finds the parts of a body whatever its joints are called."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from creatures import CREATURES, KNEES, Bones, bird, detailed, long_backed, person, quadruped, tailed, without
from poise.capture.anatomy import names
from poise.capture.anatomy.figure import Figure
from poise.capture.anatomy.parts import corrected
from poise.capture.anatomy.roles import recognise
from poise.errors import BadInput

PERSON = {
    "pelvis": "hips", "torso": "spine", "chest": "ribs", "neck_1": "throat", "head": "skull",
    "clavicle": "collar", "upper_arm": "arm", "forearm": "fore", "hand": "hand", "thigh": "thigh", "shin": "shank",
    "foot": "foot",
}  # fmt: skip
PAIRED = ("clavicle", "upper_arm", "forearm", "hand", "thigh", "shin", "foot")


def roles(bones: Bones, **motion) -> dict[str, str | None]:
    anatomy = recognise(Figure.of(bones.taken(**motion)))
    joints = anatomy.figure.skeleton.names
    return {part.name: joints[part.joint] if part.joint >= 0 else None for part in anatomy.parts}


def expected(names_of: dict[str, str]) -> dict[str, str]:
    """Body to joint of a person whose joints were renamed."""
    found = {}
    for body, joint in PERSON.items():
        for side in ("_l", "_r") if body in PAIRED else ("",):
            found[body + side] = names_of.get(joint + side, joint + side)
    return found


def test_person():
    assert roles(person()) == expected({})


@pytest.mark.parametrize("turn_deg", [90.0, 180.0, -37.0])
def test_facing_is_found_again(turn_deg: float):
    """The importer may be wrong about the front; feet and names are not."""
    assert roles(person().moved(turn_deg)) == expected({})


CONVENTIONS = {
    "meaningless": lambda n, i: f"bone_{i:03d}",
    "german": lambda n, i: {
        "thigh_l": "OberschenkelLinks", "thigh_r": "OberschenkelRechts", "hand_l": "HandLinks", "hips": "Becken",
    }.get(n, f"Knochen{i}"),
    "biped": lambda n, i: f"Bip01 {'L ' if n.endswith('_l') else 'R ' if n.endswith('_r') else ''}Part{i}",
    "mixamo": lambda n, i: f"mixamorig:{'Left' if n.endswith('_l') else 'Right' if n.endswith('_r') else ''}Part{i}",
    "japanese": lambda n, i: ("左" if n.endswith("_l") else "右" if n.endswith("_r") else "") + f"骨{i}",
}  # fmt: skip


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_any_convention(convention: str):
    new = {n: CONVENTIONS[convention](n, i) for i, n in enumerate(person().joints)}
    assert roles(person().renamed(new)) == expected(new)


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=False))
def test_shuffled_names_change_nothing(random):
    """Names that say the wrong thing do not win against geometry."""
    old = list(person().joints)
    new = dict(zip(old, random.sample(old, len(old))))
    assert roles(person().renamed(new)) == expected(new)


def test_one_arm_up_and_one_down():
    """Limbs that are posed differently are still a pair."""
    bones, shoulder = person(), np.array([0.0, 0.18, 1.42])
    for name in ("fore_l", "hand_l"):
        parent, place = bones.joints[name]
        bones.joints[name] = (parent, (*shoulder[:2], shoulder[2] + np.linalg.norm(place - shoulder)))
    for name in ("fore_r", "hand_r"):
        parent, place = bones.joints[name]
        low = shoulder * [1, -1, 1]
        bones.joints[name] = (parent, (*low[:2], low[2] - np.linalg.norm(place - low)))
    bones.ends = [(n, x) for n, x in bones.ends if not n.startswith("hand")]
    assert roles(bones) == expected({})


def test_details_are_no_bodies():
    twists = {"roll_l": (0.0, 1.0, 0.0), "roll_r": (0.0, 1.0, 0.0)}
    assert roles(detailed(), hinges=twists | KNEES) == expected({})
    new = {n: f"bone_{i}" for i, n in enumerate(detailed().joints)}
    blank = {new[n]: axis for n, axis in twists.items()}
    assert roles(detailed().renamed(new), hinges=blank) == expected(new)


def test_hair_and_cloth_are_no_limbs():
    """Long strands hang from the head, strips from the pelvis; both in pairs, longer than arms, as legs are."""
    bones = person()
    bones.both(
        "skull", ("J_Sec_Hair1", (-0.1, 0.05, 1.6)), ("J_Sec_Hair2", (-0.1, 0.05, 1.2)), end=(-0.1, 0.05, 0.8)
    )
    bones.both("hips", ("FrontSkirt", (0.1, 0.1, 0.9)), ("SkirtEnd", (0.1, 0.15, 0.5)), end=(0.1, 0.15, 0.1))
    bones.both("ribs", ("DEF-breast", (0.1, 0.05, 1.25)), end=(0.3, 0.05, 1.25))
    assert roles(bones) == expected({})


def test_a_joint_that_never_moves_is_still_a_knee():
    assert roles(person(), swing=0.0)["shin_l"] == "shank_l"
    assert "clavicle_l" not in roles(person(), swing=0.0)


def test_upper_and_lower_body_on_one_joint():
    found = roles(CREATURES["two_halves"]())
    assert found["pelvis"] == "lower" and found["torso"] == "spine" and found["thigh_r"] == "thigh_r"


@pytest.mark.parametrize("swing", [0.0, 0.06])
def test_missing_parts(swing: float):
    """Arms without hands or clavicles, legs without toes or feet."""
    no_hands = roles(without("hand", ends={"fore": (0, 0.71, 1.42)}), swing=swing)
    assert no_hands["forearm_l"] == "fore_l" and "hand_l" not in no_hands
    bare = without("toe")
    assert roles(bare, swing=swing)["foot_r"] == "foot_r"
    no_feet = roles(without("foot", "toe", ends={"shank": (0, 0.09, 0.0)}), swing=swing)
    assert no_feet["shin_l"] == "shank_l" and no_feet["foot_l"] is None
    shoulders = person()
    for side in ("_l", "_r"):
        shoulders.joints["arm" + side] = ("ribs", shoulders.joints["arm" + side][1])
        del shoulders.joints["collar" + side]
    found = roles(shoulders, swing=swing)
    assert found["upper_arm_r"] == "arm_r" and found["hand_r"] == "hand_r"


def test_a_long_back_is_thinned_out():
    found = roles(long_backed())
    assert {"abdomen", "torso", "chest"} <= set(found) and found["chest"] == "ribs"
    assert found["upper_arm_l"] == "arm_l" and len(found) == len(roles(person())) + 1


def test_tail():
    found = roles(tailed())
    assert [found[f"tail_{n}"] for n in (1, 2, 3)] == ["t1", "t2", "t3"]
    assert found["head"] == "skull"


def test_four_arms():
    found = roles(CREATURES["four_armed"]())
    assert (
        found["upper_arm_l"] == "arm_l"
        and found["mid_upper_arm_l"] == "arm2_l"
        and found["mid_hand_r"] == "hand2_r"
    )


def test_bird():
    found = roles(bird())
    assert [found[f"{part}_l"] for part in ("thigh", "shin", "tarsus", "foot")] == [
        "femur_l",
        "tibia_l",
        "tarsus_l",
        "foot_l",
    ]
    assert found["head"] == "h" and found["tail_1"] == "tail" and found["upper_arm_r"] == "wing_r"


@pytest.mark.parametrize("turn_deg", [0.0, 180.0])
def test_quadruped(turn_deg: float):
    new = {n: f"b{i}" for i, n in enumerate(quadruped().joints)}
    found = roles(quadruped().moved(turn_deg).renamed(new))
    assert (
        found["thigh_l"] == new["a_l"]
        and found["fore_thigh_l"] == new["e_l"]
        and found["fore_foot_r"] == new["k_r"]
    )
    assert found["head"] == new["head"] and found["tail_1"] == new["z1"] and found["chest"] == new["ribs"]


def test_legs_that_end_in_tips_get_feet():
    found = roles(quadruped(paws=False))
    assert found["foot_l"] is None and found["fore_foot_r"] is None and found["tarsus_l"] == "c_l"


def test_given_roles_alone_tell_the_front():
    figure = Figure.of(person().moved(130.0).taken())
    made = corrected(figure, None, expected({}))
    hips = made.figure.at[made.part("thigh_l").joint] - made.figure.at[made.part("thigh_r").joint]
    np.testing.assert_allclose(hips, [0.0, 0.18, 0.0], atol=1e-9)
    assert [part.name for part in made.kids("pelvis")] == ["torso", "thigh_l", "thigh_r"]
    with pytest.raises(BadInput, match="must be the pelvis"):
        corrected(figure, None, {"thigh_l": "thigh_l"})


@pytest.mark.parametrize("kind", CREATURES)
def test_helpers_on_any_joint_change_nothing(kind: str):
    """A target for inverse kinematics, and a twist joint in the place of the one it hangs on."""
    plain = roles(CREATURES[kind]())
    for n, (joint, (_, place)) in list(enumerate(CREATURES[kind]().joints.items()))[::4]:
        bones = CREATURES[kind]().chain(joint, ("ik_target", (2.0, 0.3, 0.0)), end=(2.5, 0.3, 0.0))
        assert roles(bones) == plain, joint
        twisted = CREATURES[kind]().chain(joint, (f"more{n}", place))
        assert set(roles(twisted)) == set(plain), joint


@pytest.mark.parametrize("seed", range(4))
def test_odd_skeletons_are_recognised_or_refused(seed: int):
    """Branches, missing parts, joints in one place and ends left out, at random: never a crash."""
    rng, known = np.random.default_rng(seed), 0
    for _ in range(15):
        bones = list(CREATURES.values())[rng.integers(len(CREATURES))]()
        for k in range(rng.integers(1, 5)):
            joint = str(rng.choice(list(bones.joints)))
            parent, place = bones.joints[joint]
            aside = tuple(place + 0.3 * rng.normal(size=3))
            if k % 3 == 0:
                bones.chain(joint, (f"extra{k}", aside), end=tuple(aside + 0.3 * rng.normal(size=3)))
            elif k % 3 == 1:
                bones.joints[joint] = (parent, bones.joints[parent][1] if parent else aside)
            else:
                bones.ends = [end for end in bones.ends if rng.random() < 0.5]
        try:
            known += not {"pelvis", "torso"}.isdisjoint(roles(bones))
        except BadInput:
            continue  # no feet
    assert known > 9


def test_no_feet_is_said():
    bones = Bones().chain("", ("a", (0, 0, 0)), ("b", (0, 0, 0.5)), ("c", (0, 0, 1.0)), end=(0, 0, 1.5))
    with pytest.raises(BadInput, match="no feet"):
        roles(bones)


@pytest.mark.parametrize(
    ("name", "side", "part"),
    [("LeftUpLeg", "l", "thigh"), ("lShldr", "l", "upper_arm"), ("Bip01 R Clavicle", "r", "clavicle"),
     ("mixamorig:RightForeArm", "r", "forearm"), ("CuisseGauche", "l", "thigh"), ("左足首", "l", "foot"),
     ("UpperArm_L", "l", "upper_arm"), ("bone_017", "", ""), ("Spine1", "", "spine")],
)  # fmt: skip
def test_what_names_say(name: str, side: str, part: str):
    assert (names.side(name), names.part(name)) == (side, part)


def test_helpers_by_name():
    helpers = (
        "upperarm_twist_01_l",
        "HeadTop_End",
        "左足IK",
        "左腕捩",
        "FrontSkirt",
        "hairjoint",
        "DEF-breast.L",
    )
    bodies = (
        "LeftArm",
        "左足",
        "elbow_l",
        "robert_Hips",
        "Capsule_Spine",
        "clavicle_pec_l",
        "Scapula",
        "Bow:Hips",
    )
    assert [name for name in helpers if not names.helper(name)] == []
    assert [name for name in bodies if names.helper(name)] == []


def test_figure_ignores_a_root_on_the_floor():
    figure = Figure.of(detailed().taken())
    np.testing.assert_allclose(figure.size, 1.74, atol=0.01)  # from finger to finger
    assert figure.skeleton.names[figure.trunk] == "hips"
