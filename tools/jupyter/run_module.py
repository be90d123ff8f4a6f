"""Runs a module of Jupyter as `python -m` does, and starts it faster.

    python run_module.py <module> [arguments…]
"""

import runpy
import sys

# Otherwise jsonschema loads it for a format that no notebook uses, and its grammar takes seconds.
sys.modules["rfc3987_syntax"] = None

if __name__ == "__main__":
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
