"""Reads datasets in a plain session of PySpark on a cluster, and compares every cell with DuckDB.

Its arguments are the folder of the module and those of the datasets.
"""

import contextlib
import io
import json
import os
import random
import sys
import tempfile
import threading
import time
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

# Times of Spark come in the zone of the machine.
os.environ["TZ"] = "UTC"
time.tzset()

MODULE, *FOLDERS = sys.argv[1:]
sys.path.insert(0, MODULE)

import duckdb
import orderlens
from standalone_cluster import Cluster

# Sums over all pairs of fills, in so many tasks that a worker dies between two of them.
LONG_QUERY = """
  SELECT a.solver, count(*) AS pairs, sum(a.sell_amount_atoms) AS total
  FROM (SELECT /*+ REPARTITION(64) */ solver, sell_amount_atoms FROM fills) AS a
  CROSS JOIN fills AS b
  CROSS JOIN range(100) AS r(i)
  GROUP BY a.solver"""

# What is no exact number of 38 digits, and a part of the error.
FAILING = {
    "SELECT sum(score_atoms * 10000000000000000000000) FROM outcomes": "NUMERIC_VALUE_OUT_OF_RANGE",
    "SELECT sum(CAST(repeat('9', 38) AS DECIMAL(38, 0))) FROM fills": "ARITHMETIC_OVERFLOW",
    "SELECT CAST(repeat('9', 39) AS DECIMAL(38, 0)) FROM fills": "NUMERIC_OUT_OF_SUPPORTED_RANGE",
    "SELECT orderlens_join(sum(1), 2) FROM no_table": "no_table",
}


def main():
    with tempfile.TemporaryDirectory() as folder:
        with Cluster(2, folder) as cluster:
            spark = cluster.session(
                **{
                    "spark.sql.shuffle.partitions": "2",
                    "spark.sql.adaptive.enabled": "false",
                    "spark.sql.autoBroadcastJoinThreshold": "-1",
                    "spark.sql.warehouse.dir": f"{folder}/warehouse",
                    "spark.ui.showConsoleProgress": "false",
                }
            )
            try:
                orderlens.open_spark(spark, *FOLDERS, verify=True)
                say(f"Spark {spark.version} on {cluster.url}, two workers")
                with orderlens.open_duckdb(*FOLDERS) as db:
                    say(compare_relations(spark, db))
                    say(check_failures(spark))
                    say(check_long_amounts(spark, f"{folder}/long"))
                    orderlens.open_spark(spark, *FOLDERS)
                    say(kill_worker(spark, db, cluster.workers[0]))
            finally:
                spark.stop()


def say(text):
    print(f"  ok  {text}", flush=True)


def compare_relations(spark, db):
    names = [name for (name,) in db.execute("SELECT table_name FROM information_schema.tables ORDER BY 1").fetchall()]
    registered = sorted(table.name for table in spark.catalog.listTables())
    assert registered == names, f"Spark has {registered}, DuckDB {names}"
    count = sum(compare(spark.table(name), db, f"SELECT * FROM {name}", name) for name in names)
    assert len(names) > 30, names
    return f"{count} cells of {len(names)} tables and views, as in DuckDB"


def compare(frame, db, query, what):
    """Compares all cells of two engines, and the types of amounts; returns the number of cells."""
    cursor = db.execute(query)
    kinds = [str(column[1]) for column in cursor.description]
    wanted = sorted(repr([plain(value, kind) for value, kind in zip(row, kinds)]) for row in cursor.fetchall())
    rows = sorted(repr([plain(value) for value in row]) for row in frame.collect())
    assert frame.columns == [column[0] for column in cursor.description], f"{what}: {frame.columns}"
    for (name, kind), other in zip(frame.dtypes, kinds):
        if name.endswith("_atoms"):
            assert (kind, other) == ("decimal(38,0)", "BIGNUM"), f"{what}.{name} is {kind}, and {other} in DuckDB"
    assert len(rows) == len(wanted), f"{what}: {len(rows)} rows, not {len(wanted)}"
    for row, other in zip(rows, wanted):
        assert row == other, f"{what}:\n  spark  {row}\n  duckdb {other}"
    return len(rows) * len(kinds)


def plain(value, kind=""):
    """A value that both engines have alike: amounts as whole numbers, times in UTC."""
    if isinstance(value, Decimal) or (kind == "BIGNUM" and value is not None):
        return int(value)
    return value.replace(tzinfo=None) if hasattr(value, "tzinfo") else value


def check_failures(spark):
    for query, part in FAILING.items():
        try:
            spark.sql(query).collect()
        except Exception as error:
            assert part in str(error), f"{query} says {error}"
        else:
            raise AssertionError(f"{query} did not fail")
    return f"{len(FAILING)} queries fail as they must"


def check_long_amounts(spark, folder):
    """Adds amounts of up to 77 digits, which stay text, and refuses the view that would add them."""
    pick = random.Random(7)
    rows = [
        (f"0x{pick.randrange(40):040x}", pick.choice([1, -1]) * pick.randrange(10 ** pick.randrange(1, 78)))
        for _ in range(3000)
    ]
    rows += [("0xmost", 2**256 - 1), ("0xmost", 2**256 - 1), ("0xnone", None)]
    path = Path(folder, "bids", "long.parquet")
    path.parent.mkdir(parents=True)
    with duckdb.connect() as db:
        db.execute("CREATE TABLE t (chain_id BIGINT, owner VARCHAR, volume_atoms VARCHAR)")
        db.executemany("INSERT INTO t VALUES (1, ?, ?)", [(owner, None if x is None else str(x)) for owner, x in rows])
        db.execute(f"COPY t TO '{path}' (FORMAT parquet)")
    file = {"path": "bids/long.parquet", "sha256": sha256(path.read_bytes()).hexdigest(), "longAmounts": {"volume_atoms": 78}}
    manifest = {"schema": "orderlens/dataset@1", "source": {"chainId": 1, "environment": None}, "range": None}
    Path(folder, "manifest.json").write_text(json.dumps({**manifest, "isComplete": True, "files": [file]}))
    with contextlib.redirect_stdout(io.StringIO()) as said:
        orderlens.open_spark(spark, folder, verify=True)
    assert "No view pairs: it adds volume_atoms, which stays text" in said.getvalue(), said.getvalue()
    assert "bids.volume_atoms has amounts of 78 digits and stays text" in said.getvalue(), said.getvalue()
    query = f"SELECT owner, count(*), {orderlens.exact_sum('volume_atoms')} FROM bids GROUP BY owner"
    sums = {}
    for owner, x in rows:
        count, total = sums.get(owner, (0, None))
        sums[owner] = (count + 1, total if x is None else (total or 0) + x)
    wanted = {owner: (count, None if total is None else str(total)) for owner, (count, total) in sums.items()}
    found = {owner: (count, total) for owner, count, total in spark.sql(query).collect()}
    assert found == wanted, (found, wanted)
    for bad in ("1.5", "1e3", "", "9" * 81):
        try:
            spark.sql(f"SELECT {orderlens.exact_sum('x')} FROM VALUES ('{bad}') AS t(x)").collect()
        except Exception as error:
            assert "Not a whole number of at most 80 digits" in str(error), f"{bad}: {error}"
        else:
            raise AssertionError(f"exact_sum takes {bad}")
    return f"{len(rows)} amounts of up to 78 digits, as Python adds them"


def kill_worker(spark, db, worker):
    """Kills a worker with its executor in the middle of a query."""
    found, tracker = {}, spark.sparkContext.statusTracker()
    thread = threading.Thread(target=lambda: found.update(rows=spark.sql(LONG_QUERY).collect()))
    thread.start()
    killed = None
    while thread.is_alive() and killed is None:
        for stage in map(tracker.getStageInfo, tracker.getActiveStageIds()):
            if stage and stage.numTasks >= 64 and 0 < stage.numCompletedTasks < stage.numTasks:
                worker.kill()
                killed = f"{stage.numCompletedTasks} of {stage.numTasks} tasks"
                break
        thread.join(0.01)
    thread.join()
    assert killed is not None, "The query ended before a worker was killed"
    compare(FoundRows(found["rows"]), db, LONG_QUERY, "a query whose worker was killed")
    return f"the same sums, with a worker killed after {killed}"


class FoundRows:
    """Rows that are there, as a frame."""

    def __init__(self, rows):
        self.columns, self.dtypes, self.collect = list(rows[0].__fields__), [], lambda: rows


if __name__ == "__main__":
    main()
