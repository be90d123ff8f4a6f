"""Loads a dataset as its card and its data package describe it, with `datasets` and `frictionless`.

Standard input has JSON: "dataset", the folder of a dataset; "cache", a folder for what is loaded.
Standard output has one line for each comparison; the exit status is 1 if one fails.
"""

import json
import os
import sys

import datasets
import frictionless

failed = 0


def check(what, found, expected):
    global failed
    if found == expected:
        print(f"ok      {what}: {str(found)[:90]}")
    else:
        failed += 1
        print(f"FAILED  {what}: found {found} instead of {expected}")


def main():
    given = json.load(sys.stdin)
    folder = given["dataset"]
    datasets.disable_progress_bars()
    with open(os.path.join(folder, "manifest.json")) as file:
        manifest = json.load(file)
    expected = {}
    for one in manifest["files"]:
        table, *parts = one["path"].split("/")
        if parts and one["path"].endswith(".parquet") and one["rows"] > 0:
            expected[table] = expected.get(table, 0) + one["rows"]
    found = {}
    for name in datasets.get_dataset_config_names(folder):
        rows = datasets.load_dataset(folder, name, split="train", cache_dir=given["cache"])
        found[name] = rows.num_rows
    check("datasets, rows of each table that has any", found, expected)

    os.chdir(folder)
    result = frictionless.Package("datapackage.json").validate()
    invalid = [task.name for task in result.tasks if not task.valid]
    check("frictionless, tables that are not as described", invalid, [])
    check("frictionless, tables", len(result.tasks) >= len(expected), True)
    sys.exit(1 if failed else 0)


main()
