"""Meshes and materials of a USD stage."""

from __future__ import annotations

from typing import Any

import numpy as np

from poise.draw.mesh import merged
from poise.formats import y_up
from poise.formats.actor import ROUGH, Patch, by_colour, linear

WORLD = "/World"


class Paint:
    """Meshes, with a material for each colour."""

    def __init__(self, stage: Any) -> None:
        self._stage, self._materials = stage, {}

    def mesh(self, patches: tuple[Patch, ...], path: str) -> Any:
        """One mesh of all patches, sorted by colour."""
        from pxr import UsdGeom, UsdShade, Vt

        parts = by_colour(patches)
        whole = merged([p.mesh for some in parts.values() for p in some])
        mesh = UsdGeom.Mesh.Define(self._stage, path)
        points = y_up.vectors(whole.vertices)
        mesh.CreatePointsAttr(floats(points))
        mesh.CreateNormalsAttr(floats(y_up.vectors(whole.normals)))
        mesh.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
        mesh.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(np.full(len(whole.faces), 3, np.int32)))
        mesh.CreateFaceVertexIndicesAttr(ints(whole.faces))
        mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
        mesh.CreateExtentAttr(floats([points.min(axis=0), points.max(axis=0)]))
        start = 0
        for rgba, some in parts.items():
            count = sum(len(p.mesh.faces) for p in some)
            material = self._material(rgba)
            subset = UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).CreateMaterialBindSubset(
                material.GetPrim().GetName(), ints(np.arange(start, start + count))
            )
            UsdShade.MaterialBindingAPI.Apply(subset.GetPrim()).Bind(material)
            start += count
        return mesh

    def _material(self, rgba: tuple[float, ...]) -> Any:
        from pxr import Gf, Sdf, UsdShade

        if rgba not in self._materials:
            path = f"{WORLD}/Materials/colour{len(self._materials) + 1}"
            material = UsdShade.Material.Define(self._stage, path)
            shader = UsdShade.Shader.Define(self._stage, f"{path}/Surface")
            shader.CreateIdAttr("UsdPreviewSurface")
            colour = Gf.Vec3f(*(linear(c) for c in rgba[:3]))
            shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).Set(colour)
            shader.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(ROUGH)
            shader.CreateInput("opacity", Sdf.ValueTypeNames.Float).Set(rgba[3])
            material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
            self._materials[rgba] = material
        return self._materials[rgba]


def floats(vectors: Any) -> Any:
    """Vectors (n, 3) as USD keeps them."""
    from pxr import Vt

    return Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(vectors, np.float32))


def ints(numbers: np.ndarray) -> Any:
    """Whole numbers in a row."""
    from pxr import Vt

    return Vt.IntArray.FromNumpy(np.ascontiguousarray(numbers.ravel(), np.int32))
