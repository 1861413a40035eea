"""Anticipation from examples: threats, the moves that meet them, and the machine that chooses ([Stepping] ch. 5)."""
