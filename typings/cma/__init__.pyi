# What the search of a cycle uses of pycma, which has no stubs: types read from its source take a quarter of the check.
from collections.abc import Mapping, Sequence

import numpy as np

class Result:
    xfavorite: np.ndarray

class CMAEvolutionStrategy:
    sigma: float
    result: Result
    def __init__(self, x0: np.ndarray, sigma0: float, inopts: Mapping[str, object]) -> None: ...
    def ask(self) -> list[np.ndarray]: ...
    def tell(self, solutions: Sequence[np.ndarray], function_values: Sequence[float]) -> None: ...
    def stop(self) -> dict[str, object]: ...
