"""Executes one notebook on Deno's kernel and writes the executed copy.

    python execute.py <notebook> <executed copy> <folder> <start> [live]

The kernel starts in the folder `start`, whose configuration decides what imports mean, and cells run
in the other one. What happens is said on stdout, one JSON object a line:

    {"event": "started", "cells": 12}
    {"event": "cell", "number": 3}
    {"event": "requests", "count": 40}
    {"event": "failed", "number": 3, "index": 5, "name": "TypeError", "message": "…", "traceback": ["…"]}
    {"event": "done"}

`number` counts the code cells that run, from 1, as `[3]` does in JupyterLab; `index` counts all
cells from 0. After `failed` nothing follows. A live notebook waits for a shared service: its cells
may take any time, and what they have requested so far is counted.
"""

import asyncio
import json
import signal
import sys
from pathlib import Path
from queue import Empty

# Otherwise jsonschema loads it for a format that no notebook uses, and its grammar takes seconds.
sys.modules["rfc3987_syntax"] = None

import nbformat
from jupyter_core.utils import ensure_async
from nbclient import NotebookClient
from nbclient.exceptions import (
    CellExecutionComplete,
    CellExecutionError,
    CellTimeoutError,
    DeadKernelError,
)

CELL_TIMEOUT_SECONDS = 300
SILENCE_SECONDS = 0.05

REQUESTS = "application/vnd.orderlens.requests"
# Runs in the kernel before the first cell; what it displays is said, and kept out of the notebook.
COUNT_REQUESTS = """
{
  const send = globalThis.fetch;
  let count = 0;
  let saidAt = -Infinity;
  globalThis.fetch = (...request) => {
    count++;
    if (performance.now() - saidAt > 500) {
      saidAt = performance.now();
      const data = { "%s": count };
      const content = { data, metadata: {}, transient: {} };
      (async () => await Deno.jupyter.broadcast("display_data", content))().catch(() => {});
    }
    return send(...request);
  };
}
""" % REQUESTS


class SettlingClient(NotebookClient):
    """Reads on after a cell is said to be done, until the kernel has been silent for a moment.

    Deno's kernel (2.9.6) sometimes says so before the last output; nbclient would drop that.
    """

    # Code that runs before the first cell.
    beginning = ()

    async def async_start_new_kernel_client(self):
        client = await super().async_start_new_kernel_client()
        for code in self.beginning:
            await ensure_async(client.execute(code, silent=True, store_history=False))
        return client

    def process_message(self, msg, cell, cell_index):
        count = msg["content"].get("data", {}).get(REQUESTS)
        if msg["msg_type"] == "display_data" and count is not None:
            say("requests", count=count)
            return None
        return super().process_message(msg, cell, cell_index)

    async def _async_poll_output_msg(self, parent_msg_id, cell, cell_index):
        complete = False
        while True:
            try:
                message = await ensure_async(
                    self.kc.iopub_channel.get_msg(timeout=SILENCE_SECONDS if complete else None)
                )
            except Empty:
                return
            if message["parent_header"].get("msg_id") != parent_msg_id:
                continue
            try:
                self.process_message(message, cell, cell_index)
            except CellExecutionComplete:
                complete = True


def say(event, **facts):
    print(json.dumps({"event": event, **facts}), flush=True)


def runs(cell):
    return cell.cell_type == "code" and cell.source.strip() != ""


def read(path):
    """Reads a notebook; a cell without an id gets one that is the same every time."""
    raw = json.loads(path.read_text(encoding="utf-8"))
    for position, cell in enumerate(raw.get("cells", []), start=1):
        cell.setdefault("id", f"cell-{position}")
    raw["nbformat_minor"] = max(5, raw.get("nbformat_minor", 0))
    return nbformat.reads(json.dumps(raw), as_version=4)


def normalize(notebook):
    """Drops metadata that differs between runs or machines."""
    notebook.metadata["kernelspec"] = {
        "display_name": "Deno",
        "language": "typescript",
        "name": "deno",
    }
    notebook.metadata.get("language_info", {}).pop("version", None)
    for cell in notebook.cells:
        for key in ("ExecuteTime", "collapsed", "execution", "scrolled", "trusted"):
            cell.metadata.pop(key, None)


def execute(source, target, folder, start, live):
    notebook = read(source)
    order = [index for index, cell in enumerate(notebook.cells) if runs(cell)]
    say("started", cells=len(order))
    current = None

    def on_cell_execute(cell, cell_index):
        nonlocal current
        if runs(cell):
            current = cell_index
            say("cell", number=order.index(cell_index) + 1)

    def fail(name, message, traceback=()):
        at = {} if current is None else {"number": order.index(current) + 1, "index": current}
        say("failed", name=name, message=message, traceback=list(traceback), **at)

    client = SettlingClient(
        notebook,
        kernel_name="deno",
        timeout=None if live else CELL_TIMEOUT_SECONDS,
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(start)}},
        on_cell_execute=on_cell_execute,
    )
    client.beginning = [
        *([] if start == folder else [f"Deno.chdir({json.dumps(str(folder))});"]),
        *([COUNT_REQUESTS] if live else []),
    ]
    try:
        client.execute()
    except CellExecutionError as error:
        outputs = [out for out in notebook.cells[current].outputs if out.output_type == "error"]
        return fail(error.ename, error.evalue, outputs[-1].traceback if outputs else [])
    except CellTimeoutError:
        return fail("Timeout", f"The cell did not finish in {CELL_TIMEOUT_SECONDS} s")
    except DeadKernelError:
        return fail("DeadKernel", "The kernel ended while the cell ran (does it call Deno.exit?)")
    finally:
        normalize(notebook)
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, target)
    say("done")


if __name__ == "__main__":
    # A closed terminal must not end this before the kernel, which hears nothing of it, is ended.
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    if sys.platform == "win32":
        asyncio.set_event_loop_policy(asyncio.WindowsSelectorEventLoopPolicy())
    execute(*(Path(path).resolve() for path in sys.argv[1:5]), live="live" in sys.argv[5:])
