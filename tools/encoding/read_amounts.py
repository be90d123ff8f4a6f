"""Reads Parquet files with pyarrow and DuckDB, and compares what they read with Python's integers.

Standard input has JSON: "hard", a file of made-up amounts; "amounts", what they are, as text;
"dataset", the folder of a dataset; "sums", the SQL of an exact sum by column name in place of COLUMN.
Standard output has one line for each comparison; the exit status is 1 if one fails.
"""

import glob
import json
import os
import re
import sys

import duckdb
import pyarrow
import pyarrow.parquet as parquet

WHOLE = re.compile(r"^(0|-?[1-9][0-9]*)$")
LIMB = 10**18
failed = 0


def check(what, found, expected):
    global failed
    if found == expected:
        print(f"ok      {what}: {str(found)[:90]}")
    else:
        failed += 1
        print(f"FAILED  {what}: found {found} instead of {expected}")


def whole(values):
    """The values as integers; None if one is no canonical decimal text."""
    texts = [value for value in values if value is not None]
    if not texts or not all(isinstance(value, str) and WHOLE.match(value) for value in texts):
        return None
    return [int(value) for value in texts]


def duckdb_sum(files, column, sql):
    limbs = duckdb.execute(f"SELECT {sql.replace('COLUMN', column)} FROM read_parquet({files!r})")
    total = 0
    for limb in limbs.fetchone():
        total = total * LIMB + int(limb)
    return total


def raw_amounts(folder):
    """Amounts of fills, fees and solutions as the service answered them, and gas as a node did."""
    found = {"sell": [], "fee": [], "score": [], "gas": []}
    for path in sorted(glob.glob(os.path.join(folder, "raw", "*.zst"))):
        lines = pyarrow.input_stream(path, compression="zstd").read().decode().splitlines()
        for exchange in map(json.loads, lines):
            if exchange["status"] != 200:
                continue
            body = json.loads(exchange["responseBody"])
            if exchange["path"].startswith("/api/v2/trades?"):
                for trade in body:
                    found["sell"].append(int(trade["sellAmount"]))
                    fees = trade.get("executedProtocolFees") or []
                    found["fee"] += [int(fee["amount"]) for fee in fees]
            elif exchange["path"].startswith("/api/v2/solver_competition/"):
                found["score"] += [int(one["score"]) for one in body["solutions"]]
            elif "eth_getTransactionReceipt" in exchange.get("requestBody", ""):
                receipt = body["result"]
                found["gas"].append(int(receipt["gasUsed"], 16) * int(receipt["effectiveGasPrice"], 16))
    return found


def main():
    given = json.load(sys.stdin)
    expected = [None if text is None else int(text) for text in given["amounts"]]
    known = [value for value in expected if value is not None]
    hard = [given["hard"]]
    read = parquet.read_table(hard[0]).column("amount_atoms").to_pylist()
    check("pyarrow, hard amounts", [None if text is None else int(text) for text in read], expected)
    check("pyarrow, as they are printed", [str(value) for value in known], [t for t in read if t])
    read = [row[0] for row in duckdb.execute(f"SELECT amount_atoms FROM read_parquet({hard!r})").fetchall()]
    check("duckdb, hard amounts", [None if text is None else int(text) for text in read], expected)
    check("duckdb, their sum", duckdb_sum(hard, "amount_atoms", given["sums"]), sum(known))
    check("python, their largest", max(known), 2**256 - 1)

    columns = 0
    sums = {}
    for table in sorted(os.listdir(given["dataset"])):
        files = sorted(glob.glob(os.path.join(given["dataset"], table, "*.parquet")))
        if not files:
            continue
        frame = pyarrow.concat_tables([parquet.read_table(file) for file in files])
        for column in frame.column_names:
            values = whole(frame.column(column).to_pylist())
            if values is None:
                continue
            columns += 1
            sums[f"{table}.{column}"] = sum(values)
            found = duckdb_sum(files, column, given["sums"])
            if found != sum(values):
                check(f"duckdb, {table}.{column}", found, sum(values))
    check("columns of amounts that both sum alike", columns > 20, True)
    print(f"        {columns} columns")
    raw = raw_amounts(given["dataset"])
    check("trades.sell_amount_atoms, as answered", sums["trades.sell_amount_atoms"], sum(raw["sell"]))
    check("protocol_fees.fee_atoms, as answered", sums["protocol_fees.fee_atoms"], sum(raw["fee"]))
    check("solutions.score_atoms, as answered", sums["solutions.score_atoms"], sum(raw["score"]))
    check("settlements.gas_cost_atoms, as answered", sums["settlements.gas_cost_atoms"], sum(raw["gas"]))
    sys.exit(1 if failed else 0)


main()
