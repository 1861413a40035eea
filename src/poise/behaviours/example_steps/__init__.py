"""Steps from examples: a database of single steps, and goal-directed stepping without physics ([Stepping] ch. 3)."""
