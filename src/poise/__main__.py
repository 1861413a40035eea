"""`python -m poise` is the command `poise`."""

from poise.cli.app import main

main()
