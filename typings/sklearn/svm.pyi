from typing import Self

import numpy as np

class SVC:
    classes_: np.ndarray
    support_vectors_: np.ndarray
    n_support_: np.ndarray
    dual_coef_: np.ndarray
    intercept_: np.ndarray
    def __init__(self, *, C: float = ..., kernel: str = ..., decision_function_shape: str = ...) -> None: ...
    def set_params(self, *, gamma: float) -> Self: ...
    def fit(self, X: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None = None) -> Self: ...
