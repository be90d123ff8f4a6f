import { InputError } from "../../errors/mod.ts";
import { orderDigest } from "../orders/order_digest.ts";
import { type OrderDomain, packOrderUid } from "../orders/order_uid.ts";
import { recoverSigner } from "../orders/request_signature.ts";
import type { SettlementTrade } from "./decode_settlement.ts";

const ADDRESS_END = 2 + 2 * 20;

/**
 * Computes the UID of the order that an encoded trade executes: digest of its fields, owner, and
 * expiry.
 *
 * The owner of `eip712` and `ethsign` orders is recovered from the signature; for `eip1271` and
 * `presign` orders it is the first 20 bytes of the signature.
 *
 * @param domain Chain and settlement contract, from {@linkcode orderDomain}.
 * @param trade A trade of a decoded settlement.
 * @returns `0x` and 112 lower-case hex digits.
 * @throws {InputError} If the signature does not contain the owner, or the settlement contract
 * rejects its form: a last byte other than 27 and 28, or more than the owner in a `presign` one.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/transaction/tokenized.rs | order_uid of the service}
 *
 * @example
 * ```ts
 * import { orderDomain, tradeOrderUid } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const domain = orderDomain({
 *   chainId: 1,
 *   settlementContract: "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853",
 * });
 * const uid = await tradeOrderUid(domain, {
 *   sellTokenIndex: 0,
 *   buyTokenIndex: 1,
 *   sellToken: "0x84ea74d481ee0a5332c457a4d796187f6ba67feb",
 *   buyToken: "0xe6e340d132b5f46d1e472debcd681b2abc16e57e",
 *   receiver: "0xae8be95be03288071217078950278910001dcbc8",
 *   sellAmount: 125349568184000000000n,
 *   buyAmount: 123396655958901778055n,
 *   validTo: 1795273344,
 *   appData: "0x5706014aeecac857b4b0f7f11d1f4b35ef984fca0dabda93c2426dd369120421",
 *   feeAmount: 0n,
 *   kind: "sell",
 *   partiallyFillable: false,
 *   sellTokenBalance: "erc20",
 *   buyTokenBalance: "erc20",
 *   executedAmount: 125349568184000000000n,
 *   signingScheme: "eip712",
 *   signature: "0xd16cdc11d6cc8108a9a1896fcaf841f7fe9666f1942e14750606084fbf31e09f" +
 *     "3e52dc6e60df61823eeb96ee2dde9c9da418756b0b063d45c015e4b86aa841951c",
 * });
 *
 * assertEquals(
 *   uid,
 *   "0xb5640e91382b683c89aec1283cc579646ddcf5df8d93edc2dcc639faab8a21d6" +
 *     "ba78423395063915fbf92bab6d4c769676f0f55e6b01b280",
 * );
 * ```
 */
export async function tradeOrderUid(domain: OrderDomain, trade: SettlementTrade): Promise<string> {
  const digest = orderDigest(domain, trade);
  return packOrderUid({ digest, owner: await ownerOf(trade, digest), validTo: trade.validTo });
}

async function ownerOf(trade: SettlementTrade, digest: string): Promise<string> {
  const { signature, signingScheme } = trade;
  if (signingScheme === "eip712" || signingScheme === "ethsign") {
    requireContractForm(signature);
    return await recoverSigner(digest, { signature, signingScheme });
  }
  const isWrong = signingScheme === "presign"
    ? signature.length !== ADDRESS_END
    : signature.length < ADDRESS_END;
  if (isWrong) {
    throw new InputError(`Cannot read the owner from a signature of scheme ${signingScheme}`, {
      facts: { signature },
      remedy: "Pass a trade of a successful transaction: its signature begins with the owner",
    });
  }
  return signature.slice(0, ADDRESS_END);
}

/** The contract takes 27 and 28 only; elsewhere 0 and 1 mean the same. */
function requireContractForm(signature: string): void {
  if (/1[bc]$/i.test(signature)) return;
  throw new InputError("Cannot read the owner from a signature that does not end in 27 or 28", {
    facts: { signature },
    remedy: "Pass a trade of a successful transaction: the contract rejects other signatures",
  });
}
