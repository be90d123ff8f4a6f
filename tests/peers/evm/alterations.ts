import type { SignedOrder } from "./batch.ts";

/** Order of the group of secp256k1. */
const GROUP = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const LARGEST = 2n ** 256n - 1n;

/** An order with one thing altered after it was signed. */
export type Alteration = readonly [what: string, altered: Partial<SignedOrder>];

/** What could be altered of an order of scheme `eip712` or `ethsign`. */
export function alterations(order: SignedOrder): Alteration[] {
  return [["nothing", {}], ...ofSignature(order), ...ofFields(order)];
}

function ofSignature({ signature, signingScheme }: SignedOrder): Alteration[] {
  const r = signature.slice(2, 66);
  const s = signature.slice(66, 130);
  const v = signature.slice(130);
  const otherV = v === "1b" ? "1c" : "1b";
  const word = (value: bigint) => value.toString(16).padStart(64, "0");
  const signatures: [what: string, digits: string][] = [
    ["the other of the two signatures", r + word(GROUP - BigInt(`0x${s}`)) + otherV],
    ["s of the other signature", r + word(GROUP - BigInt(`0x${s}`)) + v],
    ["r is 0", word(0n) + s + v],
    ["s is 0", r + word(0n) + v],
    ["r is the group's order", word(GROUP) + s + v],
    ["s is the group's order", r + word(GROUP) + v],
    ["r is no point", word(5n) + s + v],
    ["s and r swapped", s + r + v],
    ["a byte less", r + s],
    ["a byte more", r + s + v + "00"],
    ["no signature", ""],
    ["two signatures", r + s + v + r + s + v],
    ["a byte in front", "00" + r + s + v],
    ["compact, of 64 bytes", r + compact(s, v)],
    ["v in front", v + r + s],
    ["r and the group's order together", word((BigInt(`0x${r}`) + GROUP) & LARGEST) + s + v],
    ["all bits set", "ff".repeat(64) + v],
    ...["00", "01", "1a", "1d", "25", "26", "ff", otherV].map((last): [string, string] => [
      `v is ${last}`,
      r + s + last,
    ]),
    ...[0, 31, 32, 63].map((place): [string, string] => [
      `bit of byte ${place}`,
      flipped(r + s + v, place),
    ]),
  ];
  return [
    ...signatures.map(([what, digits]): Alteration => [what, { signature: `0x${digits}` }]),
    ["the other scheme", { signingScheme: signingScheme === "eip712" ? "ethsign" : "eip712" }],
  ];
}

/** The 64 bytes of EIP-2098: whether v is 28 is the first bit of s. */
function compact(s: string, v: string): string {
  const bit = v === "1c" ? 1n << 255n : 0n;
  return (BigInt(`0x${s}`) | bit).toString(16).padStart(64, "0");
}

function ofFields(order: SignedOrder): Alteration[] {
  return ([
    { sellToken: order.buyToken, buyToken: order.sellToken },
    { receiver: order.from },
    { receiver: `0x${"00".repeat(19)}01` },
    { sellAmount: order.sellAmount + 1n },
    { sellAmount: order.sellAmount - 1n },
    { buyAmount: order.buyAmount - 1n },
    { validTo: order.validTo - 1 },
    { validTo: order.validTo + 1 },
    { appData: `0x${"00".repeat(32)}` },
    { feeAmount: 1n },
    { kind: "buy" },
    { partiallyFillable: true },
    { buyAmount: order.buyAmount + 1n },
    { buyTokenBalance: "internal" },
    { sellTokenBalance: "external" },
    { sellTokenBalance: "internal" },
  ] satisfies Partial<SignedOrder>[]).map((altered): Alteration => [
    Object.keys(altered).join(" and "),
    altered,
  ]);
}

function flipped(digits: string, place: number): string {
  const byte = Number.parseInt(digits.slice(2 * place, 2 * place + 2), 16) ^ 1;
  return digits.slice(0, 2 * place) + byte.toString(16).padStart(2, "0") +
    digits.slice(2 * place + 2);
}
