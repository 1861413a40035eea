"""Files that broke a reader once, each as small as a campaign could make it: read, or refused with BadInput."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from campaigns.samples import READERS
from poise.errors import BadInput

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*-*"))


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_it_is_read_or_refused(path: Path, tmp_path: Path):
    name = path.name.partition("-")[0]
    ending, sample, read = READERS[name]
    sample(tmp_path)
    shutil.copy(path, tmp_path / f"case{ending}")
    begun = time.process_time()
    try:
        answer = read(tmp_path / f"case{ending}")
    except BadInput as error:
        answer = str(error)
    assert answer and time.process_time() - begun < 30.0
