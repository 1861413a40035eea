"""What a joint's name says: a side, a part of the body, or that it is a helper. Names support; geometry decides."""

from __future__ import annotations

import re
import unicodedata

# Left and right of each language, as pairs.
SIDES = """
    left right lft rgt lf rt l r links rechts linke rechte linker rechter gauche droite gauche droit izquierda derecha
    izquierdo derecho izq der esquerda direita esquerdo direito esq dir sinistra destra sinistro destro sx dx lewa prawa
    lewy prawy levy pravy leva prava vanster hoger vasen oikea sol sag hidari migi лев прав левая правая левый правый
    左 右 왼쪽 오른쪽
"""
PAIRS = tuple(zip(SIDES.split()[::2], SIDES.split()[1::2]))

# Longer words win: "upleg" before "leg". Words of one letter or two are left out: they mean too much.
WORDS = {
    "pelvis": "pelvis hips hip becken hufte huften bassin hanche cadera caderas bacino bacia quadril таз koshi "
    "腰 下半身",
    "spine": "spine chest torso abdomen thorax waist back lowerback upperback ruckgrat wirbelsaule brust rumpf bauch "
    "colonne poitrine torse columna pecho torax colonna petto schiena espina espalda sebone mune позвоночник "
    "грудь 上半身 胸 脊椎",
    "neck": "neck hals nacken cou cuello collo pescoco kubi шея 首",
    "head": "head kopf tete cabeza testa cabeca atama голова 頭",
    "clavicle": "clavicle collar collarbone shoulder scapula schlusselbein schulter clavicule epaule clavicula hombro "
    "clavicola spalla ключица плечо kata 肩",
    "upper_arm": "upperarm uparm shldr arm humerus oberarm bras brazo braccio braco ude 腕",
    "forearm": "forearm lowerarm lowarm elbow radius unterarm ellbogen avantbras coude antebrazo codo avambraccio "
    "gomito antebraco cotovelo предплечье локоть hiji ひじ",
    "hand": "hand wrist palm handgelenk main poignet mano muneca polso mao pulso кисть tekubi 手首 手",
    "thigh": "thigh upleg upperleg femur hipjoint oberschenkel cuisse muslo coscia coxa бедро momo もも 足",
    "shin": "shin calf leg lowerleg lowleg knee tibia unterschenkel knie jambe mollet genou pierna rodilla pantorrilla "
    "gamba ginocchio perna joelho голень колено hiza ひざ",
    "foot": "foot ankle fuss knochel pied cheville pie tobillo piede caviglia tornozelo стопа ashi ashikubi 足首",
    "toe": "toe toes toebase ball zeh zehe zehen orteil orteils dedopie punta ditapiede носок tsumasaki つま先",
    "finger": "finger fingers fingerbase thumb index middle mid ring pinky daumen zeigefinger ringfinger doigt pouce "
    "dedo pulgar pollice dito палец yubi 指",
    "eye": "eye eyes jaw brow lid tongue hair ear auge kiefer oeil oreja occhio глаз",
    "tail": "tail schwanz queue cola coda cauda rabo хвост 尾",
}  # fmt: skip
HELPERS = "twist roll ik fk pole target helper prop weapon socket dummy effector ground shadow"
TIPS = "nub end site"  # what says where a bone ends
# What hangs on a body and is none of it, and moves with the clip: whole words and, from four letters on, their ends.
LOOSE = """
    hair bangs fringe braid ponytail pigtail twintail ahoge beard moustache haare zopf cheveux pelo capelli cabelo
    волосы 髪 skirt dress cape cloak coat cloth clothes sleeve scarf ribbon hood veil necktie belt sash strap jupe
    falda gonna saia юбка плащ スカート マント リボン 袖 breast breasts bust boob boobs butt glute pectoral jiggle sec
    phys physics dyn springbone 乳 hat cap helmet glasses goggles earring necklace pendant backpack pouch holster
    scabbard sword gun shield bow quiver camera
"""

_SIDE = {left: "l" for left, _ in PAIRS} | {right: "r" for _, right in PAIRS}
_PART = {word: part for part, words in WORDS.items() for word in words.split()}


def plain(name: str) -> str:
    """A name without namespace and accents, words apart: ``mixamorig:LeftUpLeg`` is ``left up leg``."""
    name = re.split(r"[:|]", name)[-1]
    name = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    name = re.sub(r"(?<=[a-zа-я])(?=[A-ZА-Я])|(?<=[A-ZА-Я])(?=[A-ZА-Я][a-zа-я])", " ", name)
    name = re.sub(r"(?<=[^\x00-\u04ff])(?=[A-Za-z])", " ", name)  # 左足IK
    return re.sub(r"[\W_\d]+", " ", name).strip().lower()


def words(name: str) -> list[str]:
    return plain(name).split()


def side(name: str) -> str:
    """``l``, ``r`` or nothing."""
    found = {_SIDE[word] for word in words(name) if word in _SIDE}
    if not found:
        begins = plain(name).replace(" ", "").startswith
        for word, where in _SIDE.items():
            if (len(word) > 3 and begins(word)) or (not word.isascii() and word in name):
                found.add(where)
    return found.pop() if len(found) == 1 else ""


def part(name: str) -> str:
    """A part of the body as in ``WORDS``, or nothing."""
    joined = "".join(word for word in words(name) if word not in _SIDE)
    for word in sorted(_PART, key=len, reverse=True):
        if joined == word or ((len(word) >= 4 or not word.isascii()) and word in joined):
            return _PART[word]
    return next((_PART[word] for word in words(name) if word in _PART), "")


def helper(name: str, tips: bool = True) -> bool:
    """Whether the name says that the joint only helps to draw or to animate; or, of a tip, where a bone ends."""
    said = HELPERS.split() + (TIPS.split() if tips else [])
    return any(word in said for word in words(name)) or "捩" in name or loose(name)


def loose(name: str) -> bool:
    """Whether the name says hair, cloth or something that is worn or carried."""
    return any(_of(word, known) for word in words(name) for known in LOOSE.split())


def _of(word: str, known: str) -> bool:
    """Whether a word is a known one, or begins or ends with it: ``skirtfront``."""
    if not known.isascii():
        return known in word
    return word == known or (len(known) >= 4 and (word.startswith(known) or word.endswith(known)))


def is_left(one: str, two: str) -> bool | None:
    """Whether the first of two names is the left one, where they differ in nothing else; None when they do not tell."""
    a, b = one.lower(), two.lower()
    for left, right in PAIRS:
        if _swaps(a, left, right, b):
            return True
        if _swaps(b, left, right, a):
            return False
    return None


def _swaps(name: str, word: str, other: str, wanted: str) -> bool:
    """Whether a name becomes another when a word in it is replaced once."""
    parts = name.split(word)
    return any(word.join(parts[:k]) + other + word.join(parts[k:]) == wanted for k in range(1, len(parts)))
