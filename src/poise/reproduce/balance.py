"""[Balance]: Macchietto, Zordan, Shelton, Momentum Control for Balance, 2009. Claims in the order of the paper."""

from poise.reproduce import balance_control as balance_control
from poise.reproduce import balance_laws as balance_laws
from poise.reproduce import balance_results as balance_results
