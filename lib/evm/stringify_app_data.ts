import { InputError } from "../errors/mod.ts";

/** Lists and objects that may stand within each other; what the service reads has fewer than ten. */
const MOST_LEVELS = 1_000;

/**
 * An app data document as the one text that clients of the service hash and register.
 *
 * JSON without blanks, the keys of every object sorted by UTF-16 code units, lists in their order;
 * numbers and texts as `JSON.stringify` writes them. The same document gives the same text, whatever
 * order its keys were set in.
 *
 * As in `JSON.stringify`, a member that is `undefined` or a function is left out, in a list it is
 * `null`, and `toJSON` is asked for an object's form.
 *
 * @param document An object of JSON values.
 * @returns Text for `hashAppData`, the `appData` of an order creation or `registerAppData`.
 * @throws {InputError} If the document is no object, or holds what JSON cannot express: a bigint, a
 *   number that is not finite, or itself; names the path. If it is nested more than 1,000 levels deep.
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
    throw new InputError("Cannot write app data whose toJSON gives no object", {
      remedy: "Pass the document as a plain object",
    });
  }
  return text;
}

interface Position {
  /** Path of the value from the document, as `metadata.hooks.pre[0]`. */
  readonly path: string;
  /** The objects that the value is inside of. */
  readonly within: readonly object[];
}

/** The text of a value, or `undefined` where JSON has none for it. */
function write(given: unknown, { path, within }: Position): string | undefined {
  const value = formOf(given);
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) {
    throw inexpressible(path, `${typeof value} ${value}`);
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (within.includes(value)) throw inexpressible(path, "an object that it is inside of");
  if (within.length === MOST_LEVELS) {
    throw new InputError(
      `Cannot write app data that is nested more than ${MOST_LEVELS} levels deep`,
      {
        facts: { below: `${path.slice(0, 80)}…` },
        remedy:
          "Flatten the document: the service takes at most 8,192 bytes, and reads no such depth",
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
    remedy: "Use only what JSON has; give large numbers as decimal text",
  });
}
