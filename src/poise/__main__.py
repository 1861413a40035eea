"""`python -m poise` is the command `poise`."""

from poise.cli import main

main()
