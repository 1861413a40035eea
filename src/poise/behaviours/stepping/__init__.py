"""Steps: where and when feet land, and what the body does meanwhile ([Stepping] ch. 4, [Coordination])."""
