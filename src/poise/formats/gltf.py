"""The container of a binary glTF 2.0 file: one JSON chunk, one binary chunk, arrays as accessors."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

COMPONENT = {np.dtype(t): code for t, code in (("u1", 5121), ("u2", 5123), ("u4", 5125), ("f4", 5126))}
KIND = {(): "SCALAR", (3,): "VEC3", (4,): "VEC4", (4, 4): "MAT4"}
ARRAY, INDEX = 34962, 34963  # what a vertex or index buffer is for


class Glb:
    """A document under construction: `tree` is its JSON, `add` appends to a list of it, `array` stores numbers."""

    def __init__(self, generator: str, **extras: Any) -> None:
        self.tree: dict[str, Any] = {"asset": {"version": "2.0", "generator": generator, "extras": extras}}
        self._data = bytearray()

    def add(self, kind: str, **item: Any) -> int:
        """Append to the list called `kind`; fields that are None are left out. Returns the index."""
        items = self.tree.setdefault(kind, [])
        items.append({key: value for key, value in item.items() if value is not None})
        return len(items) - 1

    def array(
        self, values: Any, dtype: str, target: int | None = None, bounds: bool = False, **more: Any
    ) -> int:
        """Store an array (n, ...) and return its accessor; `bounds` adds the least and largest values.

        Matrices are given as rows and stored by columns, as glTF has them.
        """
        packed = np.ascontiguousarray(values, dtype=dtype)
        if packed.ndim == 3:
            packed = np.ascontiguousarray(packed.transpose(0, 2, 1))
        view = self.add(
            "bufferViews", buffer=0, byteOffset=len(self._data), byteLength=packed.nbytes, target=target
        )
        self._data += packed.tobytes()
        self._data += bytes(-len(self._data) % 4)
        if bounds:
            flat = packed.reshape(len(packed), -1)
            more |= {"min": flat.min(axis=0).tolist(), "max": flat.max(axis=0).tolist()}
        kind = KIND[packed.shape[1:]]
        return self.add(
            "accessors",
            bufferView=view,
            componentType=COMPONENT[packed.dtype],
            count=len(packed),
            type=kind,
            **more,
        )

    def write(self, path: Path) -> None:
        """Write the file."""
        self.tree["buffers"] = [{"byteLength": len(self._data)}]
        text = json.dumps(self.tree, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        with open(path, "wb") as file:
            file.write(struct.pack("<4sII", b"glTF", 2, 12 + 8 + len(text) + 8 + len(self._data)))
            file.write(struct.pack("<I4s", len(text), b"JSON") + text)
            file.write(struct.pack("<I4s", len(self._data), b"BIN\0") + self._data)
