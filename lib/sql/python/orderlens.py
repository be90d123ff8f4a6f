"""Reads datasets of Orderlens in Spark or DuckDB, and publishes them as Iceberg tables.

    orderlens.open_spark(spark, "s3://bucket/mainnet")
    spark.sql("SELECT * FROM leaderboard").show()

    db = orderlens.open_duckdb("mainnet")
    db.sql("SELECT solver, sum(volume_atoms) FROM fills GROUP BY solver").show()

Tables and views have the names, columns and rows of `orderlens sql`. Amounts are whole numbers,
DECIMAL(38, 0) in Spark and BIGNUM in DuckDB: `sum`, `max`, `<` and `ORDER BY` are exact. In Spark,
quoted digits next to an amount turn both into doubles, and `a / b` of two amounts keeps six decimals:
write numbers without quotes, and divide doubles.

Each function needs only its own package: pyspark, duckdb, or pyiceberg with pyarrow.
"""

import json
import os
import re
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

__all__ = ["DatasetError", "exact_sum", "open_duckdb", "open_spark", "publish_iceberg"]

_VIEWS = Path(__file__).resolve().parent.parent / "views"
# Rows that two datasets of one chain may share, by what identifies them.
_SHARED_KEYS = {
    "auctions": ["auction_id"],
    "orders": ["order_uid"],
    "trades": ["block_number", "log_index"],
}
_MERGE = "Merge them with `orderlens merge`, which counts each row once"
_REPAIR = "List damaged files with `orderlens verify {0}`, and rebuild the tables with `orderlens rebuild {0}`"
# A sum of amounts as text is that of four parts of 20 digits.
_PARTS, _PART = 4, 20


class DatasetError(ValueError):
    """A dataset that cannot be read as requested; the message ends with the remedy."""

    def __init__(self, what, fix):
        super().__init__(f"{what}\nFix: {fix}")


def open_spark(spark, *folders, verify=False):
    """Registers the tables and views of datasets in a session of Spark, as temporary views.

    `folders` are paths or URIs that all workers can read; several are read as one. With `verify`, the
    files are first compared with the hashes of their manifests. Sets `spark.sql.ansi.enabled`, with
    which an overflow is an error, and the time zone UTC. Columns with amounts of more than 38 digits
    stay text, which is printed: add them with `exact_sum`.
    """
    spark.conf.set("spark.sql.ansi.enabled", "true")
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    scales = [10 ** (_PART * place) for place in reversed(range(_PARTS))]

    # A function of this scope is sent whole to the workers, which do not have this module.
    def join(*parts):
        return None if None in parts else str(sum(int(part) * scale for part, scale in zip(parts, scales)))

    spark.udf.register("orderlens_join", join, "string")
    _open(_Spark(spark), folders, verify)


def open_duckdb(*folders, verify=False):
    """Returns a connection of DuckDB with the tables and views of datasets.

    `folders` are paths; several are read as one. With `verify`, the files are first compared with the
    hashes of their manifests. Times are in UTC, and nulls are sorted as `orderlens sql` sorts them.
    """
    import duckdb

    connection = duckdb.connect()
    try:
        connection.execute(
            "SET TimeZone = 'UTC'; SET default_null_order = 'nulls_first_on_asc_last_on_desc'"
        )
        _open(_DuckDb(connection, duckdb.Error), folders, verify)
    except BaseException:
        connection.close()
        raise
    return connection


def exact_sum(x):
    """Returns SQL of Spark for the exact sum, as text, of amounts of up to 80 digits that are text.

    f"SELECT owner, {exact_sum('sell_amount_atoms')} FROM orders GROUP BY owner". It takes no window:
    add in a subquery, and join its rows.
    """
    text, digits = f"CAST({x} AS STRING)", _PARTS * _PART
    padded = (
        f"CASE WHEN {text} RLIKE '^-?[0-9]{{1,{digits}}}$' THEN lpad(replace({text}, '-', ''), {digits}, '0') "
        f"WHEN {text} IS NOT NULL THEN "
        f"raise_error('Not a whole number of at most {digits} digits: ' || {text}) END"
    )
    sign = f"CASE WHEN {text} LIKE '-%' THEN -1 ELSE 1 END"
    parts = (
        f"sum({sign} * CAST(substr({padded}, {1 + _PART * place}, {_PART}) AS DECIMAL(38, 0)))"
        for place in range(_PARTS)
    )
    return f"orderlens_join({', '.join(parts)})"


def publish_iceberg(folder, catalog, location=None):
    """Registers the Parquet files of a dataset as Iceberg tables, without copying them.

    `catalog` is one of pyiceberg, such as load_catalog("glue"), or a new folder for one in SQLite. The
    tables name the files where they are; with `location`, such as s3://bucket/data, where the folders
    will be copied to under their names. Returns the rows of each table, counted in the catalogue.
    """
    from pyarrow import parquet
    from pyiceberg.catalog.sql import SqlCatalog
    from pyiceberg.io.pyarrow import PyArrowFile, PyArrowFileIO, PyArrowLocalFileSystem

    folder = os.path.realpath(folder)
    manifest = _parse_manifest(folder, Path(folder, "manifest.json").read_text("utf-8"))
    action = f"Cannot publish at {location}"
    if location is not None and not re.match(r"[A-Za-z][A-Za-z0-9+.-]+://.", location):
        raise DatasetError(f"{action}: it is not a URI", "Pass that of a folder, such as s3://bucket/data")

    def uri(path):
        return f"file://{path}" if location is None else f"{location.rstrip('/')}/{os.path.basename(path)}"

    if isinstance(catalog, (str, os.PathLike)):
        root = os.path.abspath(catalog)
        if os.path.exists(root):
            raise DatasetError(f"Cannot publish into {root}: it exists", "Pass a new folder")
        places = {uri(root): root, uri(folder): folder}
        if len(places) == 1:
            name = os.path.basename(root)
            raise DatasetError(f"{action}: both folders are called {name}", "Pass one of another name")

        class LocatedIO(PyArrowFileIO):
            """Files of the URIs in the folders of this machine."""

            def new_input(self, location):
                own = next(own for own in places if location.startswith(f"{own}/"))
                path = places[own] + location[len(own) :]
                return PyArrowFile(location=location, path=path, fs=PyArrowLocalFileSystem())

            new_output = new_input

        # The catalogue finds it by its name.
        globals()["LocatedIO"] = LocatedIO
        os.makedirs(root)
        options = {"uri": f"sqlite:///{root}/catalog.db", "py-io-impl": f"{__name__}.LocatedIO"}
        catalog = SqlCatalog("orderlens", warehouse=uri(root), **options)
    catalog.create_namespace_if_not_exists("orderlens")
    rows = {}
    for name, files in _tables(manifest).items():
        schema = parquet.read_schema(Path(folder, files[0]["path"]))
        table = catalog.create_table(f"orderlens.{name}", schema=schema)
        table.add_files([f"{uri(folder)}/{file['path']}" for file in files])
        rows[name] = table.scan().count()
    print(f"Catalogue {catalog.name}, namespace orderlens: {len(rows)} tables, {sum(rows.values())} rows")
    return rows


class _Spark:
    """What opening datasets needs of Spark; rows are frames."""

    keeps_long_as_text = True

    def __init__(self, spark):
        self.spark, self.query = spark, spark.sql

    def escape(self, paths):
        # Spark takes paths as patterns.
        return [re.sub(r"[\[\]{}*?\\]", r"\\\g<0>", path) for path in paths]

    def text(self, path):
        return self.spark.read.text(self.escape([path]), wholetext=True).first()[0]

    def hashes(self, paths):
        files = self.spark.read.format("binaryFile").load(self.escape(paths))
        return files.selectExpr("path", "sha2(content, 256)").collect()

    def read(self, paths, long):
        # Folders such as chain=1 above the files are no columns.
        frame = self.spark.read.option("recursiveFileLookup", True).parquet(*self.escape(paths))
        amount = _amount_sql("RLIKE", "raise_error", "DECIMAL(38, 0)")
        return frame.selectExpr(
            *(amount(name) if _is_amount(name, kind) and name not in long else name for name, kind in frame.dtypes)
        )

    def unite(self, one, other):
        return one.unionByName(other)

    def count_repeated(self, rows, key):
        return rows.groupBy("chain_id", *key).count().where("count > 1").count()

    def register(self, name, rows):
        rows.createOrReplaceTempView(name)


class _DuckDb:
    """What opening datasets needs of DuckDB; rows are queries."""

    keeps_long_as_text = False

    def __init__(self, connection, error):
        self.connection, self.error = connection, error

    def fetch(self, query):
        return self.connection.execute(query).fetchall()

    def escape(self, paths):
        patterns = (re.sub(r"[\[*?]", r"[\g<0>]", path).replace("'", "''") for path in paths)
        return "[" + ", ".join(f"'{pattern}'" for pattern in patterns) + "]"

    def text(self, path):
        for (content,) in self.fetch(f"SELECT content FROM read_text({self.escape([path])})"):
            return content
        folder = os.path.dirname(path)
        raise DatasetError(f"Cannot open {folder}: it has no manifest.json", "Pass the folder of an export")

    def hashes(self, paths):
        return self.fetch(f"SELECT filename, sha256(content) FROM read_blob({self.escape(paths)})")

    def read(self, paths, long):
        scan = f"read_parquet({self.escape(paths)}, hive_partitioning = false)"
        amount = _amount_sql("SIMILAR TO", "error", "BIGNUM")
        try:
            described = self.fetch(f"DESCRIBE FROM {scan}")
        except self.error as error:
            absent = (path for path in paths if not self.fetch(f"FROM glob({self.escape([path])})"))
            reason = next((f"{path} is missing" for path in absent), str(error).split("\n")[0])
            folder = os.path.dirname(os.path.dirname(paths[0]))
            raise DatasetError(f"Cannot open {folder}: {reason}", _REPAIR.format(folder)) from error
        columns = (amount(name) if _is_amount(name, kind) else name for name, kind, *_ in described)
        return f"SELECT {', '.join(columns)} FROM {scan}"

    def unite(self, one, other):
        columns = [name for name, *_ in self.fetch(f"DESCRIBE {one}")]
        return f"{one} UNION ALL SELECT {', '.join(columns)} FROM ({other})"

    def count_repeated(self, rows, key):
        keys = ", ".join(["chain_id", *key])
        repeated = f"SELECT 1 FROM ({rows}) GROUP BY {keys} HAVING count(*) > 1"
        return self.fetch(f"SELECT count(*) FROM ({repeated})")[0][0]

    def query(self, query):
        return query

    def register(self, name, rows):
        self.connection.execute(f"CREATE VIEW {name} AS {rows}")


def _is_amount(name, kind):
    return name.endswith("_atoms") and kind.lower() in ("string", "varchar")


def _amount_sql(matches, error, number):
    """SQL of an amount as a number; engines alone would also take texts such as 1.6 for one."""
    return lambda name: (
        f"CASE WHEN {name} IS NULL OR {name} {matches} '^-?[0-9]+$' THEN CAST({name} AS {number}) "
        f"ELSE {error}('{name} is not a whole number: ' || {name}) END AS {name}"
    )


def _open(engine, folders, verify):
    if not folders:
        raise DatasetError("Cannot open datasets: no folder is given", "Pass the folder of an export")
    datasets = {}
    for folder in (str(folder).rstrip("/") for folder in folders):
        if folder in datasets:
            raise DatasetError(f"Cannot open {folder} twice", "Pass each dataset once")
        datasets[folder] = _parse_manifest(folder, engine.text(f"{folder}/manifest.json"))
    shares_chain = _refuse_overlap(datasets)
    for folder, manifest in datasets.items():
        for line in _describe_gaps(manifest):
            print(f"{folder}: {line}")
        if verify:
            _verify(engine, folder, _tables(manifest))
    files = {folder: _tables(manifest) for folder, manifest in datasets.items()}
    names = set.intersection(*map(set, files.values()))
    if lacking := set.union(*map(set, files.values())) - names:
        print(f"Not all datasets have the tables {', '.join(sorted(lacking))}: queries cannot name them")
    long, tables = {}, {}
    views = list(_read_views())
    for name in sorted(names | (lacking & {view.optional for view in views})):
        having = {folder: own for folder, own in files.items() if name in own}
        for own in having.values():
            for column, digits in (item for file in own[name] for item in file.get("longAmounts", {}).items()):
                long[name, column] = max(digits, long.get((name, column), 0))
        texts = [column for table, column in long if table == name]
        for folder, own in having.items():
            rows = engine.read([f"{folder}/{file['path']}" for file in own[name]], texts)
            tables[name] = engine.unite(tables[name], rows) if name in tables else rows
    for name, key in _SHARED_KEYS.items():
        if shares_chain and name in tables and (count := engine.count_repeated(tables[name], key)):
            raise DatasetError(f"Cannot open {' and '.join(datasets)} as one: shared rows of {name}: {count}", _MERGE)
    for name, rows in tables.items():
        engine.register(name if name in names else _partial(name), rows)
    _register_views(engine, views, {name: name in names for name in tables}, long if engine.keeps_long_as_text else {})


def _parse_manifest(folder, text):
    manifest = json.loads(text)
    if manifest.get("schema") == "orderlens/dataset@1":
        return manifest
    raise DatasetError(
        f"Cannot open {folder}: its manifest.json has another format", "Use the version of Orderlens that wrote it"
    )


def _tables(manifest):
    """The Parquet files of a dataset, by table."""
    tables = {}
    for file in manifest["files"]:
        if file["path"].endswith(".parquet"):
            tables.setdefault(file["path"].split("/")[0], []).append(file)
    return tables


def _refuse_overlap(datasets):
    """Refuses datasets whose manifests tell that they share rows; returns whether two are of one chain."""
    shares_chain = False
    for (one, its), (other, others) in combinations(datasets.items(), 2):
        if its["source"]["chainId"] != others["source"]["chainId"]:
            continue
        shares_chain, action = True, f"Cannot open {one} and {other} as one"
        if its["source"]["environment"] != others["source"]["environment"]:
            raise DatasetError(
                f"{action}: they are of several environments of one chain, which report the same fills",
                "Open one of them, or query both with `orderlens sql`, which counts each fill once",
            )
        if its["range"] and others["range"]:
            first = max(its["range"]["from"], others["range"]["from"])
            last = min(its["range"]["to"], others["range"]["to"])
            if first <= last:
                raise DatasetError(f"{action}: both have the auctions {first} to {last}", _MERGE)
    return shares_chain


def _describe_gaps(manifest):
    """What any sum over a dataset lacks, in sentences."""
    if manifest.get("derived", True) is None:
        yield "its export was interrupted, so that derived tables are missing"
    if manifest["isComplete"]:
        return
    counts = {
        f"auctions {state}": sum(last - first + 1 for first, last in manifest["ids"][state])
        for state in ("failed", "hidden")
    }
    for kind, states in manifest["items"].items():
        counts[f"{kind} failed"] = states.get("failed", 0) if kind != "competition" else 0
    gaps = ", ".join(f"{what}: {count}" for what, count in counts.items() if count)
    yield f"it has gaps: {gaps or 'its manifest.json names them'}"
    for failure in manifest["failures"][:3]:
        yield f"{failure['kind']} {failure['key']}: {failure['reason']}"


def _verify(engine, folder, tables):
    files = [file for own in tables.values() for file in own]
    found = engine.hashes([f"{folder}/{file['path']}" for file in files])
    hashes = {"/".join(path.split("/")[-2:]): value for path, value in found}
    damaged = [file["path"] for file in files if hashes.get(file["path"]) != file["sha256"]]
    if damaged:
        raise DatasetError(
            f"Cannot open {folder}: damaged files: {len(damaged)}, such as {damaged[0]}",
            "Take them from where the dataset is published, or resume its export",
        )


def _partial(name):
    """The name of a table that not all datasets have, which views alone read."""
    return f"orderlens_{name}"


def _register_views(engine, views, found, long):
    """Registers the views whose tables are there: `found` maps each to whether all datasets have it.

    `long` has digits by table and column that is text.
    """
    for name, tables, optional, empty, query in views:
        lacking = [table for table in tables if not found.get(table) and table != optional]
        texts = [column for table, column in long if table in tables and re.search(rf"\b{column}\b", query)]
        if lacking:
            print(f"No view {name}: it reads {', '.join(lacking)}, which the datasets lack")
        elif texts:
            print(f"No view {name}: it adds {', '.join(texts)}, which stays text")
        else:
            if optional and not found.get(optional):
                rows = f"SELECT * FROM {_partial(optional)}" if optional in found else empty
                query = f"WITH {optional} AS ({rows}) {query}"
            engine.register(name, engine.query(query))
    for (table, column), digits in long.items():
        print(
            f"{table}.{column} has amounts of {digits} digits and stays text: add it with "
            f"exact_sum('{column}'), since sum() computes in doubles"
        )


class _View(NamedTuple):
    """A view: `empty` is a query without rows, to be read where no dataset has the table `optional`."""

    name: str
    tables: list
    optional: str
    empty: str
    query: str


def _read_views():
    """The views, from the files that `orderlens sql` reads."""
    files = {path.stem: path.read_text("utf-8") for path in sorted(_VIEWS.glob("*.sql"))}
    for text in files.values():
        lines = text.split("\n")
        head = [line[3:] for line in lines[: next(n for n, line in enumerate(lines) if line[:3] != "-- ")]]
        if len(head) < 4 or not head[3].startswith("tables: "):
            continue  # A part of other views, where they have its name in braces.
        name, _, _, tables, *columns = head
        optional = empty = None
        if columns[0].startswith("optional: "):
            _, optional, needed = columns.pop(0).split(": ")
            nulls = (f"CAST(NULL AS {kind}) AS {column}" for column, kind in map(str.split, needed.split(", ")))
            empty = f"SELECT {', '.join(nulls)} WHERE FALSE"
        query = re.sub(r"\{(\w+)\}", lambda found: files[found[1]], "\n".join(lines[len(head) :]))
        selected = []
        for column, kind in (line.split(" | ")[:2] for line in columns):
            atoms = re.sub("_native$", "_atoms", column)
            # By its text, an amount becomes the nearest double.
            native = f"CAST(CAST({atoms} AS STRING) || 'e-18' AS DOUBLE) AS {column}"
            whole = f"CAST({column} AS BIGINT) AS {column}" if kind == "Int64" else column
            selected.append(whole if atoms == column else native)
        query = f"SELECT {', '.join(selected)} FROM (\n{query}\n)"
        yield _View(name, tables[len("tables: ") :].split(", "), optional, empty, query)
