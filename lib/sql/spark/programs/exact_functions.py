"""The exact functions on amounts as decimal text, for Spark without a Java compiler.

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

    compute = {
        "u_muldiv": lambda a, b, c: divided_down(a * b, c),
        "u_muldiv_up": lambda a, b, c: -divided_down(-a * b, c),
        "u_sub": lambda a, b: a - b,
        "u_add": lambda a, b: a + b,
        "u_join": join,
        "u_quotient": lambda n, d: None if d == 0 else n * 10**100 // d,
    }

    def text_function(name):
        def call(*values):
            # int() and str() refuse long texts, unless told otherwise, once in each worker.
            import sys

            sys.set_int_max_str_digits(0)
            if any(value is None for value in values):
                return None
            try:
                found = compute[name](*(amount_of(value) for value in values))
                return None if found is None else str(found)
            except ArithmeticError as cause:
                words = ", ".join(shown(str(value)) for value in values)
                raise ValueError(f"<<{name}({words}): {cause}>>") from None

        return call

    return {name: text_function(name) for name in compute}
