"""Runs queries over datasets on Spark: one JSON object a line in, and one or more a line out.

It ends when its input ends, and Spark with it.
"""

import contextlib
import json
import os
import queue
import re
import signal
import sys
import threading

# Messages go to the standard output; what Spark and its JVM print there goes to the standard error.
MESSAGES = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
os.dup2(2, 1)

# Another installation would take the place of the one that is pinned.
os.environ.pop("SPARK_HOME", None)

ROWS_IN_MESSAGE = 500
PROGRESS_SECONDS = 0.5
# They run any program text of Java, and read any file.
FORBIDDEN = ("reflect", "java_method", "try_reflect")

# What compares or orders its operands, which is wrong for amounts as text.
ORDERING = {"SortOrder", "Max", "Min", "MaxBy", "MinBy", "Greatest", "Least", "SortArray", "ArrayMax"}
ORDERING |= {"ArrayMin", "GreaterThan", "GreaterThanOrEqual", "LessThan", "LessThanOrEqual"}
SUBQUERIES = {"ScalarSubquery", "Exists", "ListQuery", "LateralSubquery"}


class Misuse(Exception):
    """An amount as text that a query would order as text, or read as a number."""

    def __init__(self, where, amount):
        super().__init__(f"it takes {amount} as text: {where}")
        self.amount = amount

MESSAGE_LOCK = threading.Lock()


def say(kind, **facts):
    # Not ASCII alone would be shorter, but lone surrogates have no other encoding.
    text = json.dumps({"kind": kind, **facts}, allow_nan=False)
    with MESSAGE_LOCK:
        MESSAGES.write(text + "\n")
        MESSAGES.flush()


def main():
    # An interrupt from the terminal reaches all processes; the caller ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    jobs, session = queue.Queue(), Session()
    threading.Thread(target=read_jobs, args=(jobs, session), daemon=True).start()
    while (job := jobs.get()) is not None:
        try:
            getattr(session, job["kind"])(job)
        except Exception as cause:  # What fails is an answer, not the end.
            say("failed", **explained(cause))
    session.stop()


def read_jobs(jobs, session):
    """A thread of its own: the end of the input also ends what is running."""
    for line in sys.stdin:
        job = json.loads(line)
        if job["kind"] == "cancel":
            session.cancel()
        else:
            jobs.put(job)
    session.cancel()
    jobs.put(None)


class Session:
    spark = None

    def open(self, job):
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.appName("orderlens").master(job["master"])
        for name, value in job["conf"].items():
            builder = builder.config(name, value)
        self.spark = builder.getOrCreate()
        self.collation = job["collation"]
        self.forbid()
        say("opened", version=self.spark.version)

    def cancel(self):
        if self.spark is not None:
            self.spark.sparkContext.cancelAllJobs()

    def stop(self):
        """Ends Spark, and waits for its JVM, which removes what it has in folders."""
        if self.spark is None:
            return
        gateway = self.spark.sparkContext._gateway
        self.spark.stop()
        gateway.shutdown()
        gateway.proc.stdin.close()
        gateway.proc.wait()

    def forbid(self):
        """Queries read the tables and views that they are given, and nothing else."""
        jvm = self.spark._jvm
        functions = self.spark._jsparkSession.sessionState().functionRegistry()
        identifier = jvm.org.apache.spark.sql.catalyst.FunctionIdentifier
        for one in functions.listFunction().mkString(" ").split():
            parts = one.strip("`").replace("`", "").split(".")
            if parts[-1] in FORBIDDEN:
                some = [jvm.scala.Some(part) for part in reversed(parts[:-1])]
                functions.dropFunction(identifier(parts[-1], *some))

    def table(self, job):
        """A table; its amounts have a collation of their own, which compares as text always does."""
        from pyspark.sql import functions as F

        if job["files"]:
            frame = self.spark.read.schema(job["schema"]).parquet(*job["files"])
        else:
            frame = self.spark.createDataFrame([], job["schema"])
        amounts = {name: F.collate(F.col(name), self.collation) for name in job["amounts"]}
        frame.withColumns(amounts).createOrReplaceTempView(job["name"])
        say("done")

    def view(self, job):
        self.spark.sql(job["query"]).createOrReplaceTempView(job["name"])
        say("done")

    def frame(self, query):
        """The rows of one query; statements that write or change anything are none."""
        self.spark._jsparkSession.sessionState().sqlParser().parseQuery(query)
        frame = self.spark.sql(query)
        self.refuse_misuse(frame._jdf.queryExecution().analyzed())
        return frame

    def refuse_misuse(self, plan):
        """Looks for amounts that are ordered, or cast without a word, in what a query itself says."""
        cast = self.spark._jvm.org.apache.spark.sql.catalyst.expressions.Cast
        nodes = [plan]
        while nodes:
            node = nodes.pop()
            if node.nodeName() == "View":
                continue
            nodes += items(node.children())
            expressions = items(node.expressions())
            while expressions:
                one = expressions.pop()
                name, children = one.nodeName(), items(one.children())
                expressions += children
                if name in SUBQUERIES:
                    nodes.append(one.plan())
                is_hidden = (
                    name == "Cast"
                    and not one.dataType().simpleString().startswith("string")
                    and one.getTagValue(cast.USER_SPECIFIED_CAST()).isEmpty()
                )
                if is_hidden or name in ORDERING:
                    for child in children[1:2] if name in ("MaxBy", "MinBy") else children:
                        if self.collation in child.dataType().simpleString():
                            amount = child.sql().split(".")[-1]
                            raise Misuse(one.sql(), amount if amount.isidentifier() else "amount")

    def columns(self, job):
        say("columns", columns=columns_of(self.frame(job["query"])))
        say("done")

    def rows(self, job):
        frame = self.frame(job["query"])
        say("columns", columns=columns_of(frame))
        with progress(self.spark):
            part = []
            for row in texts_of(frame).toLocalIterator(prefetchPartitions=True):
                part.append(list(row))
                if len(part) == ROWS_IN_MESSAGE:
                    say("rows", rows=part)
                    part = []
            say("rows", rows=part)
        say("done")

    def write(self, job):
        from pyspark.sql import Observation, functions as F

        frame = self.frame(job["query"])
        columns, written = columns_of(frame), Observation()
        # Amounts are text like any other in files.
        texts = {
            one.name: F.col(f"`{one.name}`").cast("string")
            for one in frame.schema.fields
            if self.collation in one.dataType.simpleString()
        }
        rows = frame.withColumns(texts).observe(written, F.count(F.lit(1)).alias("rows"))
        with progress(self.spark):
            rows.write.mode("error").option("compression", "zstd").parquet(job["folder"])
        say("written", columns=columns, rows=written.get["rows"])


@contextlib.contextmanager
def progress(spark):
    """Says how many tasks of the stages that run are done."""
    tracker, ended = spark.sparkContext.statusTracker(), threading.Event()

    def watch():
        while not ended.wait(PROGRESS_SECONDS):
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            known = [stage for stage in stages if stage is not None]
            total = sum(stage.numTasks for stage in known)
            if total > 0:
                say("progress", done=sum(stage.numCompletedTasks for stage in known), total=total)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def columns_of(frame):
    kinds = [(field.name, field.dataType.simpleString()) for field in frame.schema.fields]
    return [
        # A sum without a name of its own would have pages as its name.
        ["u_sum" if name.startswith("collate(transform(") else name, kind.split(" collate ")[0]]
        for name, kind in kinds
    ]


def items(sequence):
    """The items of a sequence of Scala."""
    return [sequence.apply(place) for place in range(sequence.size())]


def texts_of(frame):
    """All values as text, which has every digit and what JSON does not have: doubles without an end."""
    places = [str(place) for place in range(len(frame.columns))]
    # By their places, since a query may give a name twice; and the nearest double of a shorter one.
    texts = [
        f"CAST(CAST(`{place}` AS DOUBLE) AS STRING)" if kind == "float" else f"CAST(`{place}` AS STRING)"
        for place, (_, kind) in zip(places, columns_of(frame))
    ]
    return frame.toDF(*places).selectExpr(*texts)


def explained(cause):
    """What an error says of the query, without the stacks of Spark."""
    text = str(cause)
    named = re.search(r"\[[A-Z][A-Z0-9_.]+\] (.*)", text)
    lines = [line.strip(": ") for line in text.split("\n") if line.strip()]
    said = [line for line in lines if not line.startswith("An error occurred while calling")]
    place = re.search(r"\bline (\d+),? pos(?:ition)? \d+", text)
    return {
        "message": named.group(1) if named else (said or [type(cause).__name__])[0],
        "line": int(place.group(1)) if place else None,
        "text": text[:4000],
        "amount": getattr(cause, "amount", None),
    }


if __name__ == "__main__":
    main()
