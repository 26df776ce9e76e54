import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipelines.storage.lock import RunInProgressError, run_lock

HOLDER = """
import sys, time
from pathlib import Path
from pipelines.storage.lock import run_lock
with run_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_another_process_is_kept_out_and_the_lock_dies_with_its_holder(tmp_path: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(RunInProgressError, match="another run is in progress"), run_lock(tmp_path):
        pass
    holder.kill()
    holder.wait()
    for _ in range(50):
        try:
            with run_lock(tmp_path):
                return
        except RunInProgressError:
            time.sleep(0.05)
    pytest.fail("the lock outlived its process")


def test_a_process_that_holds_the_lock_may_take_it_again(tmp_path: Path) -> None:
    with run_lock(tmp_path), run_lock(tmp_path):
        pass
