# MuJoCo's bindings are compiled and carry no types: every name is Any.
from typing import Any

def __getattr__(name: str) -> Any: ...
