import {
  integer,
  readAddress,
  readAmount,
  readBytes,
  readFlag,
  readText,
  word,
  wordIn,
} from "./loose_values.ts";
import type { SignedOrder } from "../market/state/book_order.ts";
import { type AppDataField, readAppDataField } from "./app_data_field.ts";
import { defaulted, Fields, optional, required } from "./fields.ts";

/** How orders can be signed. */
export const SIGNING_SCHEMES = ["eip712", "ethsign", "eip1271", "presign"] as const;
/** Where sell tokens can be taken from. */
export const SELL_SOURCES = ["erc20", "internal", "external"] as const;
/** Where buy tokens can go. */
export const BUY_DESTINATIONS = ["erc20", "internal"] as const;

/** An order as it came in, well formed and not yet checked. */
export interface ReadOrder {
  /** What was signed; its app data is to be filled in. */
  readonly terms: Omit<SignedOrder, "appData">;
  /** App data as it came. */
  readonly appData: AppDataField;
  /** Who says to have signed; `undefined` where the body does not say. */
  readonly from: string | undefined;
  /** Quote that it was made from. */
  readonly quoteId: number | undefined;
  /** Whether the whole sell amount must be there. */
  readonly fullBalanceCheck: boolean;
}

const ECDSA_BYTES = 65;
const ADDRESS_BYTES = 20;

/** The fields that are signed, as every body with an order has them. */
export const SIGNED_FIELDS = {
  sellToken: required(readAddress),
  buyToken: required(readAddress),
  receiver: optional(readAddress),
  sellAmount: required(readAmount),
  buyAmount: required(readAmount),
  validTo: required(integer("u32")),
  feeAmount: required(readAmount),
  kind: required(word(["buy", "sell"])),
  partiallyFillable: required(readFlag),
  sellTokenBalance: defaulted(word(SELL_SOURCES), "erc20"),
  buyTokenBalance: defaulted(word(BUY_DESTINATIONS), "erc20"),
};

/**
 * Reads the body of an order.
 *
 * @throws {Rejection} 400 or 422 as text.
 */
export function readOrderCreation(body: string): ReadOrder {
  const fields = new Fields(body, "OrderCreation");
  const { from, quoteId, fullBalanceCheck, receiver = null, ...signed } = fields.all({
    ...SIGNED_FIELDS,
    from: optional(readAddress),
    quoteId: optional(integer("i64")),
    fullBalanceCheck: defaulted(readFlag, false),
  });
  const terms = { ...signed, receiver, ...readSignature(fields) };
  const appData = readAppDataField(fields);
  if (appData === null) {
    throw fields.wrong("data did not match any variant of untagged enum OrderCreationAppData");
  }
  return { terms, appData, from, quoteId, fullBalanceCheck };
}

/** Reads how something was signed; faults of it come without the field's name, as from the service. */
export function readSignature(
  fields: Fields,
): { signingScheme: SignedOrder["signingScheme"]; signature: string } {
  const signingScheme = fields.late(
    "signingScheme",
    (node) => wordIn(readText(node), SIGNING_SCHEMES),
  );
  if (signingScheme === undefined) throw fields.wrong("missing field `signingScheme`");
  const signature = fields.late("signature", readBytes);
  if (signature === undefined) throw fields.wrong("missing field `signature`");
  const bytes = signature.length / 2 - 1;
  if (isEcdsa(signingScheme) && bytes !== ECDSA_BYTES) {
    throw fields.wrong("ECDSA signature must be 65 bytes long");
  }
  if (isEcdsa(signingScheme)) return { signingScheme, signature: withContractV(fields, signature) };
  if (signingScheme !== "presign") return { signingScheme, signature };
  if (bytes !== 0 && bytes !== ADDRESS_BYTES) {
    throw fields.wrong("presign signature bytes should be empty or an address (legacy)");
  }
  return { signingScheme, signature: "0x" };
}

/** The last byte of a signature by what it may be sent as: 0 and 1 are stored as the contract has them. */
const CONTRACT_V: Readonly<Record<number, string>> = { 0: "1b", 1: "1c", 27: "1b", 28: "1c" };

function withContractV(fields: Fields, signature: string): string {
  const v = Number(`0x${signature.slice(-2)}`);
  const stored = CONTRACT_V[v];
  if (stored === undefined) {
    throw fields.wrong(`invalid signature v value: ${v}, expected 0, 1, 27, or 28`);
  }
  return `${signature.slice(0, -2)}${stored}`;
}

/** Whether a signature is made with a key alone, off the chain. */
export function isEcdsa(signingScheme: string): boolean {
  return signingScheme === "eip712" || signingScheme === "ethsign";
}
