"""Registers the files of a dataset as they lie in an Iceberg catalogue: one JSON object on a line in.

Nothing of the dataset is copied or changed: the catalogue is a SQLite file and metadata that name it,
by the URIs at which both will be.
"""

import json
import os
import sys
import warnings

warnings.filterwarnings("ignore")


def located_io(places):
    """A FileIO that has the files of some URIs in folders of this machine: pairs of URI and folder."""
    from pyiceberg.io.pyarrow import PyArrowFile, PyArrowFileIO, PyArrowLocalFileSystem

    def opened(location):
        uri, folder = next(place for place in places if location.startswith(place[0] + "/"))
        path = folder + location[len(uri) :]
        return PyArrowFile(location=location, path=path, fs=PyArrowLocalFileSystem())

    class LocatedIO(PyArrowFileIO):
        def new_input(self, location):
            return opened(location)

        def new_output(self, location):
            return opened(location)

    return LocatedIO


def main():
    from pyarrow import parquet
    from pyiceberg.catalog.sql import SqlCatalog

    job = json.loads(sys.stdin.readline())
    root, dataset = job["folder"], job["dataset"]
    os.makedirs(root, exist_ok=True)
    globals()["LocatedIO"] = located_io([(job["location"], root), (job["datasetLocation"], dataset)])
    catalog = SqlCatalog(
        job["catalogue"],
        uri=f"sqlite:///{root}/catalog.db",
        warehouse=job["location"],
        **{"py-io-impl": "__main__.LocatedIO"},
    )
    catalog.create_namespace(job["namespace"])
    for name, files in job["tables"].items():
        schema = parquet.read_schema(os.path.join(dataset, files[0]))
        table = catalog.create_table(f"{job['namespace']}.{name}", schema=schema)
        table.add_files([f"{job['datasetLocation']}/{file}" for file in files])
        rows = table.scan().count()
        print(json.dumps({"kind": "table", "name": name, "rows": rows}), flush=True)
    print(json.dumps({"kind": "done"}), flush=True)


if __name__ == "__main__":
    main()
