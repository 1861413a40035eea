# OpenUSD has no stubs: its modules are taken as they come.
from typing import Any

def __getattr__(name: str) -> Any: ...
