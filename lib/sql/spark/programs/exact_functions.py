"""The exact functions on amounts as decimal text, for Spark.

Null in any argument gives null; bad text and division by zero fail the query. exact_functions.ts
documents them.
"""


def exact_functions():
    """The functions by name; they refer to nothing outside, so that workers need no file of ours."""
    import re

    amount = re.compile(r"-?[0-9]+", re.ASCII)

    def shown(text):
        return re.sub(r"[\r\n]+", " ", text)[:100]

    def amount_of(value):
        text = str(value)
        if amount.fullmatch(text) is None:
            raise ArithmeticError(f'"{shown(text)}" is not a whole number in decimal digits')
        return int(text)

    def divided_down(numerator, denominator):
        if denominator == 0:
            raise ArithmeticError("division by zero")
        return numerator // denominator

    def join(*limbs):
        total = 0
        for limb in limbs:
            total = total * 10**18 + limb
        return total

    def quotient(a, n, d):
        if d == 0:
            return None
        try:
            # Of whole numbers this is the nearest double, half to even; the sum makes 0 of -0.
            return a * n / d + 0.0
        except OverflowError:
            raise ArithmeticError("it is beyond the largest double") from None

    compute = {
        "u_muldiv": lambda a, b, c: divided_down(a * b, c),
        "u_muldiv_up": lambda a, b, c: -divided_down(-a * b, c),
        "u_sub": lambda a, b: a - b,
        "u_add": lambda a, b: a + b,
        "u_join": join,
        "u_quotient": quotient,
    }

    def function_of(name):
        def call(*values):
            # int() and str() refuse long texts, unless told otherwise, once in each worker.
            import sys

            sys.set_int_max_str_digits(0)
            if any(value is None for value in values):
                return None
            try:
                found = compute[name](*(amount_of(value) for value in values))
                return str(found) if isinstance(found, int) else found
            except ArithmeticError as cause:
                words = ", ".join(shown(str(value)) for value in values)
                raise ValueError(f"<<{name}({words}): {cause}>>") from None

        return call

    return {name: function_of(name) for name in compute}
