import type { SignedOrder } from "./book_order.ts";
import { type AppDataField, readAppDataField } from "./app_data_field.ts";
import { Fields } from "./fields.ts";
import { parseBody } from "./json_body.ts";
import { Mismatch, readAmount, readBytes, readFlag, readHex, readInteger } from "./loose_values.ts";

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
  /** Who says to have signed; `null` where the body does not say. */
  readonly from: string | null;
  /** Quote that it was made from. */
  readonly quoteId: number | undefined;
  /** Whether the whole sell amount must be there. */
  readonly fullBalanceCheck: boolean;
}

const ECDSA_BYTES = 65;

/**
 * Reads the body of an order.
 *
 * @throws {Rejection} 400 or 422 as text.
 */
export function readOrderCreation(body: string): ReadOrder {
  const fields = new Fields(parseBody(body), { struct: "OrderCreation", length: body.length });
  const address = (value: unknown) => readHex(value, 20);
  const sellToken = fields.required("sellToken", address);
  const buyToken = fields.required("buyToken", address);
  const receiver = fields.optional("receiver", address) ?? null;
  const sellAmount = fields.required("sellAmount", readAmount);
  const buyAmount = fields.required("buyAmount", readAmount);
  const validTo = fields.required("validTo", (value) => readInteger(value, "u32"));
  const feeAmount = fields.required("feeAmount", readAmount);
  const kind = fields.word("kind", ["buy", "sell"]);
  const partiallyFillable = fields.required("partiallyFillable", readFlag);
  const sellTokenBalance = fields.word("sellTokenBalance", SELL_SOURCES, "erc20");
  const buyTokenBalance = fields.word("buyTokenBalance", BUY_DESTINATIONS, "erc20");
  const from = fields.optional("from", address) ?? null;
  const quoteId = fields.optional("quoteId", (value) => readInteger(value, "i64"));
  const fullBalanceCheck = fields.has("fullBalanceCheck")
    ? fields.required("fullBalanceCheck", readFlag)
    : false;
  const { signingScheme, signature } = readSignature(fields);
  const appData = readAppDataField(fields);
  if (appData === null) {
    throw fields.wrong("data did not match any variant of untagged enum OrderCreationAppData");
  }
  return {
    terms: {
      sellToken,
      buyToken,
      receiver,
      sellAmount,
      buyAmount,
      validTo,
      feeAmount,
      kind,
      partiallyFillable,
      sellTokenBalance,
      buyTokenBalance,
      signingScheme,
      signature,
    },
    appData,
    from,
    quoteId,
    fullBalanceCheck,
  };
}

/** Reads how something was signed; faults of it come without the field's name, as from the service. */
export function readSignature(
  fields: Fields,
): { signingScheme: SignedOrder["signingScheme"]; signature: string } {
  for (const name of ["signingScheme", "signature"]) {
    if (!fields.has(name)) throw fields.wrong(`missing field \`${name}\``);
  }
  const given = fields.raw("signingScheme");
  const signingScheme = SIGNING_SCHEMES.find((scheme) => scheme === given);
  if (signingScheme === undefined) {
    throw fields.wrong(
      `unknown variant \`${given}\`, expected one of ${
        SIGNING_SCHEMES.map((scheme) => `\`${scheme}\``).join(", ")
      }`,
    );
  }
  try {
    const signature = readBytes(fields.raw("signature"));
    const isEcdsa = signingScheme === "eip712" || signingScheme === "ethsign";
    if (isEcdsa && signature.length !== 2 + 2 * ECDSA_BYTES) {
      throw new Mismatch("ECDSA signature must be 65 bytes long");
    }
    return { signingScheme, signature };
  } catch (error) {
    throw error instanceof Mismatch ? fields.wrong(error.message) : error;
  }
}
