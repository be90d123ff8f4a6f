"""Executes a notebook of marimo or of Jupyter, and prints what its variables hold."""

import importlib.util
import json
import sys

WANTED = """json.dumps({
    "fees": fees.rows(),
    "leaderboard": leaderboard.rows(),
    "fills": [fills.height, fills["slippage_net_bps"].sum()],
})"""

path = sys.argv[1]
if path.endswith(".py"):
    spec = importlib.util.spec_from_file_location("notebook", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    outputs, names = module.app.run()
    charts = sum(type(output).__module__.startswith("altair") for output in outputs)
    print(json.dumps({"charts": charts, "names": json.loads(eval(WANTED, dict(names)))}))
else:
    import nbclient
    import nbformat

    notebook = nbformat.read(path, 4)
    notebook.cells.append(nbformat.v4.new_code_cell(f"print({WANTED})"))
    nbclient.NotebookClient(notebook).execute()
    *cells, last = [cell for cell in notebook.cells if cell.cell_type == "code"]
    charts = sum(
        "vega" in output.get("data", {}).get("text/html", "") for cell in cells for output in cell.outputs
    )
    print(json.dumps({"charts": charts, "names": json.loads(last.outputs[0]["text"])}))
