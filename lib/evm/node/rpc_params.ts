import { RpcError } from "./rpc_error.ts";

const TAGS = ["latest", "earliest", "pending", "safe", "finalized"] as const;

/** A block tag. */
export type BlockTag = typeof TAGS[number];

/** The error for an invalid parameter. */
export function invalidParams(name: string, expected: string, found: unknown): RpcError {
  const shown = JSON.stringify(found) ?? "nothing";
  const short = shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
  return new RpcError("invalidParams", `invalid params: ${name} must be ${expected}, not ${short}`);
}

/** Hex of a given number of bytes, in lower case. */
export function readHex(value: unknown, { name, bytes }: { name: string; bytes: number }): string {
  if (typeof value === "string" && value.length === 2 + 2 * bytes && isHex(value)) {
    return value.toLowerCase();
  }
  throw invalidParams(name, `0x and ${2 * bytes} hex digits`, value);
}

/** Whole bytes as hex, in lower case. */
export function readData(value: unknown, name: string): string {
  if (typeof value === "string" && value.length % 2 === 0 && isHex(value)) {
    return value.toLowerCase();
  }
  throw invalidParams(name, "0x and whole bytes as hex", value);
}

/** A block number, or a block tag. */
export function readBlock(value: unknown, name: string): number | BlockTag {
  const tag = TAGS.find((one) => one === value);
  if (tag !== undefined) return tag;
  if (typeof value === "string" && /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]*)$/.test(value)) {
    const number = Number(value);
    if (Number.isSafeInteger(number)) return number;
  }
  throw invalidParams(name, `a block number as hex without leading zeros, or a block tag`, value);
}

/** A boolean, false if absent. */
export function readFlag(value: unknown, name: string): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? false;
  throw invalidParams(name, "true or false", value);
}

/** The fields of an object. */
export function readObject(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw invalidParams(name, "an object", value);
}

function isHex(text: string): boolean {
  return /^0x[0-9a-fA-F]*$/.test(text);
}
