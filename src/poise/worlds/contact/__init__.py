"""How the ground pushes back: contact models with one signature."""

from poise.worlds.contact.engine import EngineContact
from poise.worlds.contact.penalty import PenaltyContact

CONTACTS = {"mujoco": EngineContact, "penalty": PenaltyContact}

__all__ = ["CONTACTS", "EngineContact", "PenaltyContact"]
