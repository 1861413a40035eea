"""How the ground pushes back: contact models with one signature."""

from poise.worlds.contact.engine import EngineContact
from poise.worlds.contact.lcp import LcpContact
from poise.worlds.contact.penalty import PenaltyContact

CONTACTS = {"mujoco": EngineContact, "penalty": PenaltyContact, "lcp": LcpContact}

__all__ = ["CONTACTS", "EngineContact", "LcpContact", "PenaltyContact"]
