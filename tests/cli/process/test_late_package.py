"""A package that is imported late is the package."""

from __future__ import annotations

import subprocess
import sys

USE = """
import sys
from concurrent.futures import ThreadPoolExecutor
from cli.process.late_package import delay
delay("late")
delay("none_of_this_name")
import late
print("made" in vars(late), type(late).__name__)
with ThreadPoolExecutor(4) as pool:
    print(set(pool.map(lambda _: late.made, range(8))))
from late import part
import late as again
print(type(late).__name__, again is late is sys.modules["late"], part.inside)
"""


def test_a_delayed_package_is_run_once_when_something_of_it_is_used(tmp_path):
    (tmp_path / "late").mkdir()
    (tmp_path / "late/__init__.py").write_text(
        "import time\nfrom late import part\ntime.sleep(0.1)\nmade = part.inside\nprint('run')\n"
    )
    (tmp_path / "late/part.py").write_text("inside = 7\n")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{USE}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["False _Late", "run", "{7}", "module True 7"]
