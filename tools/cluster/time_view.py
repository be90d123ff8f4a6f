"""Times the second run of a view on a standalone cluster of Spark.

Its arguments are the folder of the module, that of the dataset, the view and the number of workers.
"""

import json
import sys
import tempfile
import time

MODULE, DATASET, VIEW, WORKERS = sys.argv[1:]
sys.path.insert(0, MODULE)

import orderlens
from standalone_cluster import Cluster

with tempfile.TemporaryDirectory() as folder, Cluster(int(WORKERS), folder) as cluster:
    spark = cluster.session(**{"spark.sql.shuffle.partitions": "4", "spark.ui.showConsoleProgress": "false"})
    try:
        orderlens.open_spark(spark, DATASET)
        # The first run loads and compiles what the second uses, in each worker.
        for _ in range(2):
            start = time.monotonic()
            rows = spark.table(VIEW).collect()
            seconds = time.monotonic() - start
        print(json.dumps({"seconds": seconds, "rows": len(rows)}), flush=True)
    finally:
        spark.stop()
