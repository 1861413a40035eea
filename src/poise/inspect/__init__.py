"""What a motion file is and what its motion says: detection, momenta, rotation indices and classes of spin."""

from poise.inspect.inspection import Inspection, check_report, inspect

__all__ = ["Inspection", "check_report", "inspect"]
