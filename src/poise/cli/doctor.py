"""``poise doctor``: what is installed, what renders, what is slow, and what failed solves mean."""

from __future__ import annotations

import platform
import time
from importlib import metadata
from typing import Any

import poise
from poise.cli.options import Json
from poise.console import dumps

REQUIRED = ("numpy", "mujoco", "numba", "daqp", "matplotlib", "pillow", "typer")
OPTIONAL = {"imageio-ffmpeg": "films (.mp4): pip install 'poise[video]'"}
PICTURES = 8  # that are drawn to see how long one takes
SLOW_START_S = 5.0  # a second simulation of a moment should not take longer than this

QP_HELP = """\
A take's metric solver_failures counts control ticks whose solve failed and for which the last good solution
was held. A few while a body falls are normal: no forces within the friction cones and torque limits can do what
is asked. Many while it stands mean that objectives contradict each other or that weights are many orders of
magnitude apart: look at the notes of the take, lower the weight that was raised last, or try
--set control.mode=fast, which solves without inequalities. The simulation goes on either way."""


def doctor(json: Json = False) -> None:
    """Say what is installed, what renders and what is slow."""
    findings = examine()
    print(dumps(findings) if json else describe(findings))


def examine() -> dict[str, Any]:
    """Look at this machine; takes a few seconds, longer when numba has to compile."""
    from poise.threads import cores

    found: dict[str, Any] = {
        "poise": poise.__version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cores": cores(),
        "packages": {name: version(name) for name in (*REQUIRED, *OPTIONAL)},
        "renderer": "own",  # it needs no graphics library
        "picture_ms": picture_ms(),
        "numba_cache": numba_cache(),
        **speed(),
    }
    found["advice"] = advice(found)
    return found


def version(package: str) -> str | None:
    """Installed version, or None."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def numba_cache() -> dict[str, Any]:
    """Where compiled functions are kept, and how many there are."""
    from poise.compiled.cache import kept
    from poise.compiled.folder import folder, lasts

    return {"folder": str(folder()), "writable": lasts(), "functions": len(kept())}


def picture_ms() -> float:
    """What one picture of a film costs a core [ms]."""
    from poise.bench import quick_scene
    from poise.draw import render
    from poise.formats.writers.mp4 import SIZE

    shots = render.frames(poise.simulate(quick_scene()), [0.0] * (1 + PICTURES), *SIZE)
    next(shots)  # may compile
    begun = time.process_time()
    for _ in shots:
        pass
    return 1e3 * (time.process_time() - begun) / PICTURES


def speed() -> dict[str, Any]:
    """First and second start of a short simulation, and the cost of one tick and one bare step."""
    from poise.bench import measure_tick, quick_scene

    times = []
    for _ in range(2):
        begun = time.perf_counter()
        poise.simulate(quick_scene())
        times.append(time.perf_counter() - begun)
    tick, step = measure_tick("robust", 200)
    return {"first_start_s": times[0], "second_start_s": times[1], "tick_us": tick, "mj_step_us": step}


def advice(found: dict[str, Any]) -> list[str]:
    """What to do about what was found."""
    said = []
    for name in REQUIRED:
        if found["packages"][name] is None:
            said.append(f"{name} is missing: reinstall with pip install poise")
    said += [
        f"{name} is missing: needed for {use}"
        for name, use in OPTIONAL.items()
        if not found["packages"][name]
    ]
    if not found["numba_cache"]["writable"]:
        said.append(
            "compiled functions are kept in a temporary folder: set NUMBA_CACHE_DIR to one that lasts"
        )
    if found["second_start_s"] > SLOW_START_S:
        said.append(
            f"a warm start took {found['second_start_s']:.1f} s: is another program using the processor?"
        )
    return said


def describe(found: dict[str, Any]) -> str:
    """The findings for people."""
    packages = ", ".join(f"{name} {v or 'MISSING'}" for name, v in found["packages"].items())
    cache = found["numba_cache"]
    lines = [
        f"poise {found['poise']}, Python {found['python']}, {found['cores']} cores, {found['platform']}",
        f"packages    {packages}",
        f"renderer    {found['renderer']}: no graphics library needed, {found['picture_ms']:.0f} ms a picture and core",
        f"numba       {cache['functions']} functions kept in {cache['folder']}",
        f"start       {found['first_start_s']:.2f} s the first time, {found['second_start_s']:.2f} s the second",
        f"speed       control tick {found['tick_us']:.0f} µs, bare mj_step {found['mj_step_us']:.0f} µs",
        "",
        QP_HELP,
        "",
        *(f"advice: {text}" for text in found["advice"] or ["nothing to do"]),
    ]
    return "\n".join(lines)
