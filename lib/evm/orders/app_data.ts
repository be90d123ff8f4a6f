import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { InputError } from "../../errors/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { hashUtf8, toHex } from "../hex.ts";

/** Maximum nesting depth; documents that the service reads have fewer than ten levels. */
const MAX_LEVELS = 1_000;

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
    throw new InputError(`Cannot write app data that is ${describeKind(document)}`, {
      remedy: "Pass the document as an object, such as { appCode, version, metadata: {} }",
    });
  }
  const text = write(document, { path: "", ancestors: [] });
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
  readonly ancestors: readonly object[];
}

/** Serializes a value; `undefined` if JSON has no text for it. */
function write(input: unknown, { path, ancestors }: Position): string | undefined {
  const value = callToJson(input);
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) {
    throw toValueError(path, `${typeof value} ${value}`);
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (ancestors.includes(value)) throw toValueError(path, "a circular reference");
  if (ancestors.length === MAX_LEVELS) {
    throw new InputError(
      `Cannot write app data that is nested more than ${MAX_LEVELS} levels deep`,
      {
        facts: { below: `${path.slice(0, 80)}…` },
        remedy:
          "Flatten the document: the service accepts at most 8,192 bytes, and reads no field that deep",
      },
    );
  }

  const inside = [...ancestors, value];
  if (Array.isArray(value)) {
    const items = Array.from(
      value,
      (item, index) => write(item, { path: `${path}[${index}]`, ancestors: inside }) ?? "null",
    );
    return `[${items.join(",")}]`;
  }
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, member]) => {
      const memberPath = path === "" ? key : `${path}.${key}`;
      const text = write(member, { path: memberPath, ancestors: inside });
      return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
    });
  return `{${members.join(",")}}`;
}

function callToJson(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("toJSON" in value)) return value;
  return typeof value.toJSON === "function" ? value.toJSON() : value;
}

function describeKind(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value;
}

function toValueError(path: string, value: string): InputError {
  return new InputError(`Cannot write app data: ${path} is ${value}`, {
    remedy: "Use only JSON values; pass large numbers as decimal text",
  });
}

/**
 * The hash of an app data document, which an order signs as its `appData`.
 *
 * `keccak256` of the text's UTF-8 bytes. Every character counts, including whitespace and key
 * order, so hash exactly the text that is registered with the service.
 *
 * @param fullAppData The document as text; `stringifyAppData` serializes it as clients do.
 * @returns 32 bytes as lower-case hex.
 * @throws {InputError} If it is not text, or contains an unpaired surrogate, which UTF-8 cannot
 * encode.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/app-data/src/app_data_hash.rs | hash_full_app_data in the service}
 *
 * @example The empty document
 * ```ts
 * import { hashAppData } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(
 *   hashAppData("{}"),
 *   "0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d",
 * );
 * ```
 */
export function hashAppData(fullAppData: string): string {
  if (typeof fullAppData !== "string") {
    throw new InputError(`Cannot hash app data that is ${typeof fullAppData}, not text`, {
      remedy: "Pass the document's text; stringifyAppData serializes an object",
    });
  }
  if (!fullAppData.isWellFormed()) {
    throw new InputError("Cannot hash app data with an unpaired surrogate", {
      remedy: "Pass well-formed text; UTF-8 cannot encode an unpaired surrogate",
    });
  }
  return hashUtf8(fullAppData);
}

/** The hash that orders without app data may sign; the service maps it to the empty document. */
const NO_APP_DATA = `0x${"00".repeat(32)}`;
const EMPTY = "{}";

/**
 * Whether a document matches a hash of the service, which uses three kinds:
 *
 * - the hash that orders sign today, `keccak256` of the text;
 * - the digest in the document's IPFS address (CID version 0), signed by orders before 2023:
 *   `sha256` of the text within a UnixFS file within a DAG-PB node, since documents are far smaller
 *   than the chunk size of IPFS;
 * - zeros, for the empty document `{}`.
 *
 * @throws {InputError} If the text cannot be encoded as UTF-8.
 * @see {@link https://github.com/cowprotocol/services/blob/18861f1d2c/crates/orderbook/src/ipfs_app_data.rs | old_app_data_cid in the service}
 */
export function isAppDataHash(hash: string, fullAppData: string): boolean {
  if (hash === NO_APP_DATA) return fullAppData === EMPTY;
  return sameHex(hashAppData(fullAppData), hash) || sameHex(hashForIpfs(fullAppData), hash);
}

/** Tags of the protocol buffers: field number and wire type. */
const UNIXFS_TYPE_FILE = [0x08, 0x02];
const UNIXFS_DATA = 0x12;
const UNIXFS_FILE_SIZE = 0x18;
const NODE_DATA = 0x0a;

function hashForIpfs(text: string): string {
  const bytes = utf8ToBytes(text);
  const size = encodeVarint(bytes.length);
  const file = concatBytes(
    Uint8Array.of(...UNIXFS_TYPE_FILE, UNIXFS_DATA, ...size),
    bytes,
    Uint8Array.of(UNIXFS_FILE_SIZE, ...size),
  );
  return toHex(sha256(concatBytes(Uint8Array.of(NODE_DATA, ...encodeVarint(file.length)), file)));
}

/** Encodes a length as a varint: groups of seven bits, lowest first, each but the last marked. */
function encodeVarint(length: number): number[] {
  const bytes: number[] = [];
  let remainder = length;
  for (; remainder > 0x7f; remainder = Math.floor(remainder / 0x80)) {
    bytes.push(remainder % 0x80 + 0x80);
  }
  return [...bytes, remainder];
}
