"""Registers the files of a dataset as they lie in an Iceberg catalogue: one JSON object on a line in.

Nothing of the dataset is copied or changed: the catalogue is a SQLite file and metadata that name it.
"""

import json
import os
import sys
import warnings

warnings.filterwarnings("ignore")


def main():
    from pyarrow import parquet
    from pyiceberg.catalog.sql import SqlCatalog

    job = json.loads(sys.stdin.readline())
    root = job["folder"]
    os.makedirs(root, exist_ok=True)
    catalog = SqlCatalog(
        "orderlens", uri=f"sqlite:///{root}/catalog.db", warehouse=f"file://{root}"
    )
    catalog.create_namespace(job["namespace"])
    for name, files in job["tables"].items():
        schema = parquet.read_schema(files[0])
        table = catalog.create_table(f"{job['namespace']}.{name}", schema=schema)
        table.add_files([f"file://{file}" for file in files])
        rows = table.scan().count()
        print(json.dumps({"kind": "table", "name": name, "rows": rows}), flush=True)
    print(json.dumps({"kind": "done"}), flush=True)


if __name__ == "__main__":
    main()
