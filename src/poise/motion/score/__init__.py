"""A clip as a score: footprints with times, paths of the soles, momenta, and a pressure that soles can give."""

from poise.motion.score.score import Score, score_of

__all__ = ["Score", "score_of"]
