import { EXACT_FUNCTIONS } from "../functions/exact_functions.ts";

/** The exact functions in Python, as Trino has them in front of a query or in a catalog. */
const PROGRAM = `import re
import sys
def amounts(values):
    sys.set_int_max_str_digits(0)
    for value in values:
        if re.fullmatch(r"-?[0-9]+", value, re.ASCII) is None:
            raise ValueError(f"not a whole number in decimal digits: {value[:100]}")
    return [int(value) for value in values]
def u_muldiv(*values):
    a, b, c = amounts(values)
    return str(a * b // c)
def u_muldiv_up(*values):
    a, b, c = amounts(values)
    return str(-(-a * b // c))
def u_sub(*values):
    a, b = amounts(values)
    return str(a - b)
def u_add(*values):
    return str(sum(amounts(values)))
def u_join(*values):
    total = 0
    for limb in amounts(values):
        total = total * 10**18 + limb
    return str(total)
def u_quotient(*values):
    a, n, d = amounts(values)
    if d == 0:
        return None
    try:
        return a * n / d + 0.0
    except OverflowError:
        shown = ", ".join(value[:100] for value in values)
        raise ValueError(f"u_quotient({shown}): it is beyond the largest double") from None`;

/** Declarations of the exact functions, to stand in `WITH` in front of a query, or in `CREATE`. */
export function trinoFunctions(): string[] {
  return EXACT_FUNCTIONS.map(({ name, parameters, returns }) =>
    `FUNCTION ${name}(${parameters.map((one) => `${one} VARCHAR`).join(", ")})
RETURNS ${returns === "double" ? "DOUBLE" : "VARCHAR"}
LANGUAGE PYTHON
DETERMINISTIC
RETURNS NULL ON NULL INPUT
WITH (handler = '${name}')
AS $$
${PROGRAM}
$$`
  );
}
