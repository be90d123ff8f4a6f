import { hideWholeSecrets } from "../errors/secrets.ts";
import type { Leaf } from "./outline.ts";

const DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?$/;
const INTEGER = /^-?[0-9]+$/;
/** Text that is ambiguous or invisible without quotes. */
const NEEDS_QUOTES = /^$|^\s|\s$|\p{Cc}|^(?:null|undefined|true|false)$/u;
const CONTROL = /[^\P{Cc}\n\t]/gu;
const TEXT_LIMIT = 1000;
const BYTES_LIMIT = 500;

/** The outline of `value` if one line can hold it, otherwise `undefined`. */
export function leaf(value: unknown): Leaf | undefined {
  switch (typeof value) {
    case "string":
      return textLeaf(value);
    case "bigint":
      return { kind: "leaf", text: String(value), numeric: true, isExact: true };
    case "number":
      return { kind: "leaf", text: Object.is(value, -0) ? "-0" : String(value), numeric: true };
    case "undefined":
      return { kind: "leaf", text: "undefined", faint: true };
    case "function":
      return { kind: "leaf", text: `[function ${value.name || "without a name"}]`, faint: true };
    case "boolean":
    case "symbol":
      return { kind: "leaf", text: String(value) };
  }
  return value === null ? { kind: "leaf", text: "null", faint: true } : objectLeaf(value as object);
}

/**
 * Escapes control characters, so that terminal codes have no effect, and hides the keys of
 * transports, because notebooks are shared with their outputs.
 */
export function visibleText(text: string): string {
  return hideWholeSecrets(text).replace(
    CONTROL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The text of an object with its own `toString`, such as a Decimal or an Instant. */
export function ownText(object: object): string | undefined {
  if (object instanceof Date) return Number.isNaN(+object) ? String(object) : object.toISOString();
  if (Array.isArray(object) || ArrayBuffer.isView(object)) return undefined;
  const { toString } = object;
  if (typeof toString !== "function" || toString === Object.prototype.toString) return undefined;
  return String(toString.call(object));
}

/** An error on one line; semicolons separate its facts and remedy. */
export function failureText(error: Error): string {
  return visibleText(`${error.name}: ${error.message}`.replaceAll(/\s*\n\s*/g, "; "));
}

function textLeaf(whole: string): Leaf {
  const text = hideWholeSecrets(whole);
  const cut = text.length > TEXT_LIMIT
    ? `${text.slice(0, TEXT_LIMIT)}… ${text.length - TEXT_LIMIT} more characters`
    : text;
  return {
    kind: "leaf",
    text: NEEDS_QUOTES.test(text) ? visibleText(JSON.stringify(cut)) : cut,
    ...(DECIMAL.test(text) ? { numeric: true } : {}),
    ...(INTEGER.test(text) ? { isExact: true } : {}),
  };
}

function objectLeaf(value: object): Leaf | undefined {
  if (value instanceof Error) return { kind: "leaf", text: failureText(value) };
  if (value instanceof Uint8Array) return { kind: "leaf", text: bytesText(value) };
  if (value instanceof Promise) {
    return { kind: "leaf", text: "[a promise: await it first]", faint: true };
  }
  if (Symbol.asyncIterator in value) {
    const text = "[an async iterable: collect it first with await Array.fromAsync(…)]";
    return { kind: "leaf", text, faint: true };
  }
  const text = ownText(value);
  return text === undefined ? undefined : textLeaf(text);
}

function bytesText(bytes: Uint8Array): string {
  const hex = Array.from(
    bytes.subarray(0, BYTES_LIMIT),
    (byte) => byte.toString(16).padStart(2, "0"),
  );
  const more = bytes.length > BYTES_LIMIT ? `… ${bytes.length - BYTES_LIMIT} more bytes` : "";
  return `0x${hex.join("")}${more}`;
}
