r"""Chatter: the share of the torques' power that is faster than 20 Hz, found while a take runs.

.. math:: \frac{\sum_j \int_{f > 20\,Hz} |\hat\tau_j(f)|^2\, df}{\sum_j \int (\tau_j - \bar\tau_j)^2\, dt}

The torques are cut into windows that overlap by half. The windows are half waves of a sine, and sin² + cos² = 1, so
every sample counts once and the windows' energies add up to that of the take. Nothing else of the take is kept.
"""

from __future__ import annotations

import numpy as np

FAST_HZ = 20.0  # power above it is chatter
WINDOW_S = 1.024  # [s]: 20 Hz lies half-way between two of its frequencies


class TorqueSpectrum:
    """Takes the torques of every control step; tells the share of their power above 20 Hz.

    Args:
        width: How many torques.
        dt: Time between two control steps [s].
    """

    def __init__(self, width: int, dt: float):
        self._half = half = max(2, round(0.5 * WINDOW_S / dt))
        self._window = np.sin(np.pi * (np.arange(2 * half) + 0.5) / (2 * half))[:, None]
        # 2: with the negative frequency
        self._counts = np.where(np.fft.rfftfreq(2 * half, dt) > FAST_HZ, 2.0, 0.0)
        self._counts[-1] *= 0.5  # the highest frequency has none
        self._kept = np.zeros((2 * half, width))  # its first half has been in a window already
        self._size = half  # rows in use
        self._count, self._fast = 0, 0.0  # samples and fast energy of all windows that are complete
        self._first = np.zeros(width)  # sums count from the first sample, which keeps their digits
        self._sum, self._squares = np.zeros(width), np.zeros(width)

    def add(self, torques: np.ndarray) -> None:
        """Take the torques [N m] of one more control step."""
        if self._count == 0 and self._size == self._half:
            self._first[:] = self._kept[: self._half] = torques  # as if held since long ago
        if self._size == len(self._kept):
            self._count, self._fast, self._sum, self._squares = self._with(self._kept[self._half :])
            self._kept[: self._half] = self._kept[self._half :]
            self._size = self._half
        self._kept[self._size] = torques
        self._size += 1

    def share(self) -> float:
        """From 0 to 1; 0 for torques that never change. Further steps may follow."""
        count, fast, total, squares = self._with(self._kept[self._half : self._size])
        if count == 0:
            return 0.0
        last = np.broadcast_to(self._kept[self._size - 1], self._kept.shape)  # as if held from now on
        ahead = np.concatenate([self._kept[self._half : self._size], last])[: len(last)]
        energy = float(np.sum(squares - total**2 / count))
        return min(1.0, (fast + self._fast_energy(ahead)) / energy) if energy > 0.0 else 0.0

    def _with(self, new: np.ndarray) -> tuple[int, float, np.ndarray, np.ndarray]:
        """Count, fast energy and sums with the new samples, and the window that ends with them."""
        if not len(new):
            return self._count, self._fast, self._sum, self._squares
        away, old = new - self._first, self._kept[: self._half]
        held = np.broadcast_to(new[-1], (self._half - len(new), new.shape[1]))
        fast = self._fast + self._fast_energy(np.concatenate([old, new, held]))
        sums = self._sum + away.sum(axis=0), self._squares + (away**2).sum(axis=0)
        return self._count + len(new), fast, *sums

    def _fast_energy(self, samples: np.ndarray) -> float:
        """Energy above 20 Hz in one window of samples, by Parseval's theorem."""
        window = self._window
        away = samples - (window * samples).sum(axis=0) / window.sum()  # no step at the ends
        wave = np.fft.rfft((window * away).T)
        return float(np.sum((wave.real**2 + wave.imag**2) @ self._counts)) / len(samples)
