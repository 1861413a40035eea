"""USD as binary."""

from poise.formats.usd import check as check
from poise.formats.usd import save as save
