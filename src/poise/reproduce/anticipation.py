"""[Stepping] chapter 5: anticipation of a thrown ball, chosen by a support vector machine, here in physics."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from poise.reproduce.claim import Finding, claims_of, end, few, number, take

claim = claims_of("stepping")

COUNT = 60  # threats of one claim; `poise anticipation test` throws 500
SEED = 2000  # of the test; training used 1000


@lru_cache(maxsize=4)
def _thrown(way: str) -> tuple:
    from poise.behaviours.anticipation.choices import choice
    from poise.behaviours.anticipation.measure import outcomes, summary
    from poise.behaviours.anticipation.training import threats_of
    from poise.character import Character

    threats = threats_of(SEED, few(COUNT, COUNT // 3))
    after = 0.3 if way == "none" else 1.2
    found = outcomes(Character.named("adult"), threats, choice(way, seed=1), after=after)
    return summary(found, threats), found


@claim(cost=90)
def anticipation_damage() -> Finding:
    """the selected anticipation reduces the predicted damage (ch. 5)"""
    ours, still, chance = (_thrown(way)[0] for way in ("learned", "none", "random"))
    part = ours["damage_mean_j"] / still["damage_mean_j"]
    return Finding(
        f"{ours['damage_mean_j']:.2f} J a ball, {100 * part:.0f} % of standing still ({still['damage_mean_j']:.2f} J); "
        f"a random example takes {chance['damage_mean_j']:.2f} J",
        part <= 0.5,
        f"{few(COUNT, COUNT // 3)} threats that were not trained on, ball and body in physics",
    )


@claim(cost=90, why="from all sides, legs to head, 4 to 9 m/s, 0.2 s of reaction")
def anticipation_hits() -> Finding:
    """the character blocks or dodges threats to any part of the body (ch. 5)"""
    ours, chance, still = (_thrown(way)[0] for way in ("learned", "random", "none"))
    good = ours["avoided"] + ours["blocked"]
    text = (
        f"{100 * ours['avoided']:.0f} % avoided, {100 * ours['blocked']:.0f} % blocked, "
        f"{100 * ours['fell']:.0f} % fell; "
        f"at random {100 * (chance['avoided'] + chance['blocked']):.0f} %, "
        f"standing still {100 * (still['avoided'] + still['blocked']):.0f} %"
    )
    return Finding(text, good >= 0.8 and ours["fell"] <= 0.02)


@claim(cost=30, why="numpy alone, plain arrays")
def anticipation_quick() -> Finding:
    """an anticipation is selected quickly by the machine (ch. 5); wanted 1 ms"""
    import time

    from poise.behaviours.anticipation.svm import default
    from poise.behaviours.anticipation.threat import sight_of
    from poise.behaviours.anticipation.training import threats_of

    sights, machine, spent = [sight_of(t) for t in threats_of(SEED, 200)], default(), []
    for sight in sights:
        clock = time.perf_counter()
        machine(sight)
        spent.append(1e3 * (time.perf_counter() - clock))
    return Finding(f"{np.median(spent):.2f} ms", bool(np.median(spent) < 1.0))


@claim(cost=6, why="soles are planted by inverse kinematics, and by the contact program")
def anticipation_balance() -> Finding:
    """the transition to an anticipation keeps the feet from sliding (5.4)"""
    seen = take("anticipate", physics=False, choice="head-strong", ball__height=1.6)
    live = take("anticipate", choice="head-strong", ball__height=1.6)
    slides = number(seen, "foot_skate_m"), number(live, "foot_slip_m")
    text = f"{1000 * slides[0]:.2f} mm without physics, {1000 * slides[1]:.1f} mm in physics, {end(live)}"
    return Finding(text, max(slides) < 0.005 and not live.fell)


@claim(cost=90, why="24 threats (--quick: 8); delay, noise and misses are options of the scene")
def anticipation_late() -> Finding:
    """delays, noise and failed attempts make a character look less than omnipotent (5.6)"""
    from poise.behaviours.anticipation.choices import choice
    from poise.behaviours.anticipation.measure import outcomes
    from poise.behaviours.anticipation.training import threats_of
    from poise.behaviours.anticipation.trial import share
    from poise.character import Character

    threats, body, machine = threats_of(SEED + 1, few(24, 8)), Character.named("adult"), choice("learned")
    settings = ((0.2, 0.0), (0.45, 0.0), (0.2, 0.25))
    hit = [share(outcomes(body, threats, machine, delay, noise, 0.3), "hit") for delay, noise in settings]
    text = (
        f"hit by {100 * hit[0]:.0f} %; {100 * hit[1]:.0f} % when 0.25 s later, "
        f"{100 * hit[2]:.0f} % when misjudging by 0.25 m"
    )
    return Finding(text, hit[1] > hit[0] and hit[2] > hit[0])
