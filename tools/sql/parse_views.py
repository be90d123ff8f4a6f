"""Parses the views that are written for Trino and for Dune, and runs the functions written for Trino.

Standard input has a JSON list of views: "name", "dialect", "sql", "columns". Standard output has one line
for each comparison; the exit status is 1 if one fails.
"""

import json
import logging
import re
import sys
import threading
from fractions import Fraction

import sqlglot
from sqlglot import exp

logging.disable(logging.WARNING)
EXACT = {"u_muldiv", "u_muldiv_up", "u_sub", "u_add", "u_join", "u_quotient"}
LARGEST = 2**256 - 1
failed = 0


def check(what, found, expected):
    global failed
    if found == expected:
        print(f"ok      {what}")
    else:
        failed += 1
        print(f"FAILED  {what}: found {found} instead of {expected}")


def parsed(dialect, sql):
    """The one query of a text; the parser's message if it is none."""
    try:
        trees = sqlglot.parse(sql, read=dialect)
    except sqlglot.errors.SqlglotError as error:
        return str(error).split("\n")[0]
    if len(trees) != 1 or not isinstance(trees[0], exp.Select):
        return f"{[type(tree).__name__ for tree in trees]}"
    return trees[0]


def view(name, dialect, sql, columns):
    what = f"{dialect}, {name}"
    tree = parsed(dialect, sql)
    if isinstance(tree, str):
        return check(what, tree, "a query")
    unknown = {node.name.lower() for node in tree.find_all(exp.Anonymous)}
    names = [column.alias_or_name for column in tree.expressions]
    check(
        f"{what}: its columns, and no function that the parser does not know",
        (names, sorted(unknown - (EXACT if dialect == "trino" else set()))),
        (columns, []),
    )


def functions(text):
    """The functions of Trino's text, run by this Python."""
    programs = set(re.findall(r"AS \$\$\n(.*?)\n\$\$", text, re.DOTALL))
    check("trino, its functions have one program", len(programs), 1)
    scope = {}
    exec(programs.pop(), scope)
    large = str(LARGEST)
    check("trino, u_muldiv", scope["u_muldiv"](large, large, "2"), str(LARGEST**2 // 2))
    check("trino, u_muldiv below zero", scope["u_muldiv"]("-7", "1", "2"), "-4")
    check("trino, u_muldiv_up", scope["u_muldiv_up"](large, large, "2"), str(LARGEST**2 // 2 + 1))
    check("trino, u_sub", scope["u_sub"]("0", large), str(-LARGEST))
    check("trino, u_add", scope["u_add"](large, large), str(2 * LARGEST))
    check("trino, u_join", scope["u_join"]("1", "0", "0", "-1", "5"), str(10**72 - 10**18 + 5))
    quotient = scope["u_quotient"]
    check("trino, u_quotient", quotient("10000", "-1", "3"), float(Fraction(-10000, 3)))
    check("trino, u_quotient of 2^256 - 1", quotient("1", large, "-1"), -(2.0**256))
    check("trino, u_quotient below the normal doubles", quotient("1", "1", str(10**320)), 1e-320)
    check("trino, u_quotient of a half", quotient("1", "9007199254740993", "1"), 2.0**53)
    check("trino, u_quotient of 0", repr(quotient("1", "0", "-3")), "0.0")
    check("trino, u_quotient by 0", [quotient("1", "1", zero) for zero in ["0", "00", "-0"]], [None] * 3)
    try:
        check("trino, u_quotient beyond the largest double", quotient("1", str(10**309), "1"), "an error")
    except ValueError as error:
        said = f"u_quotient(1, 1{'0' * 99}, 1): it is beyond the largest double"
        check("trino, u_quotient beyond the largest double fails", str(error), said)
    kinds = re.findall(r"FUNCTION (\w+)\(.*\)\nRETURNS (\w+)", text)
    texts = {name: "VARCHAR" for name in EXACT}
    check("trino, types of its functions", dict(kinds), {**texts, "u_quotient": "DOUBLE"})
    for bad in ["1e20", "1.6", "", " 1", "1\n", "1_0", "\u0661"]:
        try:
            check(f"trino, u_add of {bad!r}", scope["u_add"](bad, "1"), "an error")
        except ValueError:
            check(f"trino, u_add of {bad!r} fails", True, True)
        try:
            check(f"trino, u_quotient of {bad!r}", quotient("1", bad, "0"), "an error")
        except ValueError:
            check(f"trino, u_quotient of {bad!r} by 0 fails", True, True)


def main():
    global failed
    failed = 0
    for dialect, broken in [("trino", "SELECT FROM WHERE"), ("dune", "SELECT CAST(a UINT256)")]:
        check(f"{dialect}, the parser refuses what is no query", isinstance(parsed(dialect, broken), str), True)
    views = json.load(sys.stdin)
    for one in views:
        text = one["sql"]
        if one["dialect"] == "trino":
            start = text.rindex("\n$$\n") + len("\n$$\n")
            functions_text, text = text[:start], text[start:]
        view(one["name"], one["dialect"], text, one["columns"])
    functions(functions_text)


# The parser descends into expressions in each other, deeper than Python's usual limits.
sys.setrecursionlimit(100_000)
threading.stack_size(512 * 2**20)
thread = threading.Thread(target=main)
failed = 1
thread.start()
thread.join()
sys.exit(1 if failed else 0)
