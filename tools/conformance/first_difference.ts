import { Decimal } from "orderlens";

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isSameNumberText(body: string, encoded: string): boolean {
  if (!/^[0-9.]+[eE][+-]?[0-9]+$/.test(body) || !/^[0-9.]+$/.test(encoded)) return false;
  const decimal = Decimal.tryParse(body);
  const encodedDecimal = Decimal.tryParse(encoded);
  if (decimal === undefined || encodedDecimal === undefined) return false;
  const scale = Math.max(decimal.scale, encodedDecimal.scale);
  return decimal.coefficient * 10n ** BigInt(scale - decimal.scale) ===
    encodedDecimal.coefficient * 10n ** BigInt(scale - encodedDecimal.scale);
}

/**
 * Finds the path of the first difference between a body and the encoding of its record; `undefined` if
 * they are equal. Keys may be in any order, and exponent text equals the plain digits of the same value.
 */
export function findDifference(body: unknown, encoded: unknown, path = ""): string | undefined {
  if (typeof body === "string" && typeof encoded === "string") {
    return body === encoded || isSameNumberText(body, encoded) ? undefined : path || "the body";
  }
  if (!isObject(body) || !isObject(encoded)) {
    return body === encoded ? undefined : path || "the body";
  }
  if (Array.isArray(body) !== Array.isArray(encoded)) return path || "the body";
  for (const key of new Set([...Object.keys(body), ...Object.keys(encoded)])) {
    const inner = Array.isArray(body) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    if (!Object.hasOwn(body, key) || !Object.hasOwn(encoded, key)) return inner;
    const difference = findDifference(body[key], encoded[key], inner);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
