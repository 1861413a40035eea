"""What happened: named series with unit and frame, and what is drawn and measured from them."""

from poise.record.recording import Recorder, Recording, Series

__all__ = ["Recorder", "Recording", "Series"]
