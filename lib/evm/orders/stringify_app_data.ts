import { InputError } from "../../errors/mod.ts";

/** Maximum nesting depth; documents that the service reads have fewer than ten levels. */
const MOST_LEVELS = 1_000;

/**
 * Serializes an app data document in the canonical form that clients of the service hash and
 * register.
 *
 * JSON without whitespace, with the keys of every object sorted by UTF-16 code units, lists in
 * their order, and numbers and strings as in `JSON.stringify`. The same document gives the same
 * text, whatever its key order.
 *
 * As in `JSON.stringify`, a member that is `undefined` or a function is omitted, or `null` in a
 * list, and `toJSON` is called if an object has it.
 *
 * @param document An object of JSON values.
 * @returns Text for `hashAppData`, the `appData` of an order creation or `registerAppData`.
 * @throws {InputError} If the document is not an object, or contains a value that JSON cannot
 *   express: a bigint, a number that is not finite, or a circular reference; names the path. If it
 *   is nested more than 1,000 levels deep.
 * @see {@link https://github.com/cowprotocol/cow-sdk/blob/1b53cdd28d7c0cccd48587a8099c7501391cdf91/packages/app-data/src/utils/stringify.ts | stringifyDeterministic in the service's SDK}
 *
 * @example
 * ```ts
 * import { stringifyAppData } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const text = stringifyAppData({
 *   version: "1.14.0",
 *   appCode: "Example",
 *   metadata: { quote: { slippageBips: 50 }, orderClass: { orderClass: "limit" } },
 * });
 *
 * assertEquals(
 *   text,
 *   '{"appCode":"Example","metadata":{"orderClass":{"orderClass":"limit"},' +
 *     '"quote":{"slippageBips":50}},"version":"1.14.0"}',
 * );
 * ```
 */
export function stringifyAppData(document: object): string {
  if (typeof document !== "object" || document === null || Array.isArray(document)) {
    throw new InputError(`Cannot write app data that is ${kindOf(document)}`, {
      remedy: "Pass the document as an object, such as { appCode, version, metadata: {} }",
    });
  }
  const text = write(document, { path: "", within: [] });
  if (text === undefined || !text.startsWith("{")) {
    throw new InputError("Cannot write app data whose toJSON does not return an object", {
      remedy: "Pass the document as a plain object",
    });
  }
  return text;
}

interface Position {
  /** Path of the value in the document, such as `metadata.hooks.pre[0]`. */
  readonly path: string;
  /** The objects that contain the value. */
  readonly within: readonly object[];
}

/** The text of a value, or `undefined` if JSON has none. */
function write(given: unknown, { path, within }: Position): string | undefined {
  const value = formOf(given);
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) {
    throw inexpressible(path, `${typeof value} ${value}`);
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (within.includes(value)) throw inexpressible(path, "a circular reference");
  if (within.length === MOST_LEVELS) {
    throw new InputError(
      `Cannot write app data that is nested more than ${MOST_LEVELS} levels deep`,
      {
        facts: { below: `${path.slice(0, 80)}…` },
        remedy:
          "Flatten the document: the service accepts at most 8,192 bytes, and reads no field that deep",
      },
    );
  }

  const inside = [...within, value];
  if (Array.isArray(value)) {
    const items = Array.from(
      value,
      (item, index) => write(item, { path: `${path}[${index}]`, within: inside }) ?? "null",
    );
    return `[${items.join(",")}]`;
  }
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, member]) => {
      const at = path === "" ? key : `${path}.${key}`;
      const text = write(member, { path: at, within: inside });
      return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
    });
  return `{${members.join(",")}}`;
}

function formOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("toJSON" in value)) return value;
  return typeof value.toJSON === "function" ? value.toJSON() : value;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value;
}

function inexpressible(path: string, found: string): InputError {
  return new InputError(`Cannot write app data: ${path} is ${found}`, {
    remedy: "Use only JSON values; pass large numbers as decimal text",
  });
}
