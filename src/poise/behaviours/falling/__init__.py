"""Falling: the reflex that saves the head, and the way back to the feet. Who changes between them: ``life``."""
