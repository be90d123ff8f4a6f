"""Runs queries over datasets on Spark: one JSON object a line in, and one or more a line out.

It ends when its input ends, and Spark with it.
"""

import datetime
import json
import math
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
    jobs = queue.Queue()
    sessions = []
    threading.Thread(target=read_jobs, args=(jobs, sessions), daemon=True).start()
    while (job := jobs.get()) is not None:
        try:
            if job["kind"] == "open":
                sessions.append(Session(job))
            else:
                getattr(sessions[0], job["kind"])(job)
        except Exception as cause:  # What fails is an answer, not the end.
            say("failed", **explained(cause))
    if sessions:
        sessions[0].stop()


def read_jobs(jobs, sessions):
    """A thread of its own: the end of the input also ends what is running."""
    for line in sys.stdin:
        job = json.loads(line)
        if job["kind"] != "cancel":
            jobs.put(job)
        elif sessions:
            sessions[0].spark.sparkContext.cancelAllJobs()
    if sessions:
        sessions[0].spark.sparkContext.cancelAllJobs()
    jobs.put(None)


class Session:
    def __init__(self, job):
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.appName("orderlens").master(job["master"])
        for name, value in job["conf"].items():
            builder = builder.config(name, value)
        self.spark = builder.getOrCreate()
        self.collation = job["collation"]
        self.forbid()
        say("opened", version=self.spark.version)

    def stop(self):
        """Ends Spark, and waits for its JVM, which removes what it has in folders."""
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
        from pyspark.sql.types import StructField, StructType, _parse_datatype_string

        columns, amounts = job["columns"], set(job["amounts"])
        schema = StructType(
            [StructField(name, _parse_datatype_string(kind)) for name, kind in columns]
        )
        if job["files"]:
            frame = self.spark.read.schema(schema).parquet(*job["files"])
        else:
            frame = self.spark.createDataFrame([], schema)
        frame.select(
            *[
                F.collate(F.col(name), self.collation).alias(name)
                if name in amounts
                else F.col(name)
                for name, _ in columns
            ]
        ).createOrReplaceTempView(job["name"])
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
        to_texts = [encoder_of(kind) for _, kind in columns_of(frame)]
        with Progress(self.spark):
            part = []
            for row in frame.toLocalIterator(prefetchPartitions=True):
                part.append([encode(value) for encode, value in zip(to_texts, row)])
                if len(part) == ROWS_IN_MESSAGE:
                    say("rows", rows=part)
                    part = []
            say("rows", rows=part)
        say("done")

    def write(self, job):
        frame = self.frame(job["query"])
        columns = columns_of(frame)
        frame = self.plain(frame, job["format"])
        writer = frame.write.mode("error")
        with Progress(self.spark):
            if job["format"] == "parquet":
                writer.parquet(job["folder"], compression="zstd")
            elif job["format"] == "csv":
                writer.csv(
                    job["folder"], header=True, escape='"', emptyValue='""', nullValue=""
                )
            else:
                writer.json(job["folder"], ignoreNullFields=False)
        say("columns", columns=columns)
        say("written", rows=self.count(job, frame.schema))

    def plain(self, frame, form):
        """Amounts as text like any other, and null for what JSON cannot say."""
        from pyspark.sql import functions as F

        def column(field):
            kind, value = field.dataType.simpleString(), F.col(f"`{field.name}`")
            if self.collation in kind:
                return value.cast("string").alias(field.name)
            if form == "json" and kind in ("double", "float"):
                is_finite = F.abs(value) < float("inf")
                return F.when(is_finite, value).alias(field.name)
            return value

        return frame.select(*[column(field) for field in frame.schema.fields])

    def count(self, job, schema):
        """Rows in the files that were written."""
        reader = self.spark.read.schema(schema)
        if job["format"] == "parquet":
            return reader.parquet(job["folder"]).count() if schema else 0
        if job["format"] == "csv":
            return reader.csv(job["folder"], header=True, escape='"', multiLine=True).count()
        return self.spark.read.text(job["folder"]).count()


class Progress:
    """Says how many tasks of the stages that run are done."""

    def __init__(self, spark):
        self.tracker = spark.sparkContext.statusTracker()
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)

    def watch(self):
        while not self.ended.wait(PROGRESS_SECONDS):
            stages = [self.tracker.getStageInfo(stage) for stage in self.tracker.getActiveStageIds()]
            known = [stage for stage in stages if stage is not None]
            total = sum(stage.numTasks for stage in known)
            if total > 0:
                done = sum(stage.numCompletedTasks for stage in known)
                say("progress", done=done, total=total)

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()


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


def encoder_of(kind):
    """Values as JSON without a loss: whole numbers as text, and doubles that JSON does not have."""
    if kind in ("tinyint", "smallint", "int", "bigint") or kind.startswith("decimal"):
        return lambda value: None if value is None else format(value, "f" if "d" == kind[0] else "d")
    if kind in ("double", "float"):
        return lambda value: value if value is None or math.isfinite(value) else str(value)
    if kind in ("string", "boolean"):
        return lambda value: value
    if kind == "timestamp":
        return lambda value: None if value is None else timestamp_text(value)
    return lambda value: None if value is None else str(value)


def timestamp_text(value):
    """A time in UTC as DuckDB writes it, from the local time that Spark gives."""
    text = str(value.astimezone(datetime.timezone.utc).replace(tzinfo=None))
    return f"{text.rstrip('0') if '.' in text else text}+00"


def explained(cause):
    """What an error says of the query, without the stacks of Spark."""
    text = str(cause)
    named = re.search(r"\[([A-Z][A-Z0-9_.]+)\] (.*)", text)
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if lines and lines[0].startswith("An error occurred while calling"):
        lines = lines[1:]
    said = lines[0].lstrip(": ") if lines else type(cause).__name__
    if named is not None:
        said = named.group(2)
    place = re.search(r"\bline (\d+),? pos(?:ition)? (\d+)", text)
    return {
        "message": said,
        "place": [int(one) for one in place.groups()] if place else None,
        "text": text[:4000],
        "amount": getattr(cause, "amount", None),
    }


if __name__ == "__main__":
    main()
