import {
  enumOf,
  integer,
  parseEnum,
  readAddress,
  readAmount,
  readBoolean,
  readBytes,
  readText,
} from "./loose_values.ts";
import type { SignedOrder } from "../market/state/book_order.ts";
import { type AppDataField, readAppDataField } from "./app_data_field.ts";
import { defaulted, optional, required } from "./field.ts";
import { Fields } from "./fields.ts";

/** Signing schemes. */
export const SIGNING_SCHEMES = ["eip712", "ethsign", "eip1271", "presign"] as const;
/** Sources of sell tokens. */
export const SELL_SOURCES = ["erc20", "internal", "external"] as const;
/** Destinations of buy tokens. */
export const BUY_DESTINATIONS = ["erc20", "internal"] as const;

/** An order as received: well formed, not yet validated. */
export interface ParsedOrder {
  /** Signed terms, except the app data hash. */
  readonly terms: Omit<SignedOrder, "appData">;
  /** App data as received. */
  readonly appData: AppDataField;
  /** Claimed signer; `undefined` if the body names none. */
  readonly from: string | undefined;
  /** Id of the quote it was made from. */
  readonly quoteId: number | undefined;
  /** Whether the owner must hold the whole sell amount. */
  readonly fullBalanceCheck: boolean;
}

const ECDSA_BYTES = 65;
const ADDRESS_BYTES = 20;

/** The signed fields of every body with an order. */
export const SIGNED_FIELDS = {
  sellToken: required(readAddress),
  buyToken: required(readAddress),
  receiver: optional(readAddress),
  sellAmount: required(readAmount),
  buyAmount: required(readAmount),
  validTo: required(integer("u32")),
  feeAmount: required(readAmount),
  kind: required(enumOf(["buy", "sell"])),
  partiallyFillable: required(readBoolean),
  sellTokenBalance: defaulted(enumOf(SELL_SOURCES), "erc20"),
  buyTokenBalance: defaulted(enumOf(BUY_DESTINATIONS), "erc20"),
};

/**
 * Reads the body of an order.
 *
 * @throws {Rejection} 400 or 422 as text.
 */
export function readOrderCreation(body: string): ParsedOrder {
  const fields = new Fields(body, "OrderCreation");
  const { from, quoteId, fullBalanceCheck, receiver = null, ...signed } = fields.all({
    ...SIGNED_FIELDS,
    from: optional(readAddress),
    quoteId: optional(integer("i64")),
    fullBalanceCheck: defaulted(readBoolean, false),
  });
  const terms = { ...signed, receiver, ...readSignature(fields) };
  const appData = readAppDataField(fields);
  if (appData === null) {
    throw fields.rejection("data did not match any variant of untagged enum OrderCreationAppData");
  }
  return { terms, appData, from, quoteId, fullBalanceCheck };
}

/** Reads scheme and signature; as in the service, their errors do not name the field. */
export function readSignature(
  fields: Fields,
): { signingScheme: SignedOrder["signingScheme"]; signature: string } {
  const signingScheme = fields.deferred(
    "signingScheme",
    (node) => parseEnum(readText(node), SIGNING_SCHEMES),
  );
  if (signingScheme === undefined) throw fields.rejection("missing field `signingScheme`");
  const signature = fields.deferred("signature", readBytes);
  if (signature === undefined) throw fields.rejection("missing field `signature`");
  const bytes = signature.length / 2 - 1;
  if (isEcdsa(signingScheme) && bytes !== ECDSA_BYTES) {
    throw fields.rejection("ECDSA signature must be 65 bytes long");
  }
  if (isEcdsa(signingScheme)) return { signingScheme, signature: withContractV(fields, signature) };
  if (signingScheme !== "presign") return { signingScheme, signature };
  if (bytes !== 0 && bytes !== ADDRESS_BYTES) {
    throw fields.rejection("presign signature bytes should be empty or an address (legacy)");
  }
  return { signingScheme, signature: "0x" };
}

/** Recovery bytes as the contract expects them: 0 and 1 become 27 and 28. */
const CONTRACT_V: Readonly<Record<number, string>> = { 0: "1b", 1: "1c", 27: "1b", 28: "1c" };

function withContractV(fields: Fields, signature: string): string {
  const v = Number(`0x${signature.slice(-2)}`);
  const stored = CONTRACT_V[v];
  if (stored === undefined) {
    throw fields.rejection(`invalid signature v value: ${v}, expected 0, 1, 27, or 28`);
  }
  return `${signature.slice(0, -2)}${stored}`;
}

/** Whether a scheme signs with a private key, off-chain. */
export function isEcdsa(signingScheme: string): boolean {
  return signingScheme === "eip712" || signingScheme === "ethsign";
}
