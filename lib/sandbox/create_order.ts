import { orderDigest, packOrderUid } from "../evm/mod.ts";
import type { SignedOrder } from "./book_order.ts";
import type { Market } from "./market.ts";
import { placeOrder } from "./place_order.ts";
import { checkDocument } from "./app_data_field.ts";
import { checkSigner } from "./check_signer.ts";
import { checkTerms } from "./check_terms.ts";
import { type ReadOrder, readOrderCreation } from "./read_order_creation.ts";
import { json, refuse, type Reply } from "./reply.ts";

/** `POST orders`: checks an order and takes it into the book. */
export async function createOrder(market: Market, body: string): Promise<Reply> {
  const read = readOrderCreation(body);
  const { appData, fullAppData, signer } = appDataOf(market, read);
  const signed: SignedOrder = { ...read.terms, appData };
  const digest = orderDigest(market.domain, signed);
  const owner = await checkSigner(market, read, digest);
  if (signer !== null && signer !== owner) {
    throw refuse(
      400,
      "AppdataFromMismatch",
      `from address ${owner} cannot be different from metadata.signer ${signer} specified in the app data`,
    );
  }
  if (signed.feeAmount !== 0n) throw refuse(400, "NonZeroFee", "Fee must be zero");
  checkTerms(market, signed);
  if (signed.sellAmount === 0n || signed.buyAmount === 0n) {
    throw refuse(400, "ZeroAmount", "Buy or sell amount is zero.");
  }
  checkBalance(market, signed, { owner, isWhole: read.fullBalanceCheck });
  const uid = packOrderUid({ digest, owner, validTo: signed.validTo });
  if (market.book.orders.has(uid)) {
    throw refuse(400, "DuplicatedOrder", "order already exists");
  }
  placeOrder(market, { signed, uid, owner, fullAppData, quoteId: read.quoteId });
  return json(uid, 201);
}

function appDataOf(
  market: Market,
  { appData }: ReadOrder,
): { appData: string; fullAppData: string; signer: string | null } {
  if (appData.kind === "document") {
    const { hash, signer } = checkDocument(appData.document, appData.expected);
    return { appData: hash, fullAppData: appData.document, signer };
  }
  const known = market.book.documents.get(appData.hash);
  if (known === undefined) {
    throw refuse(400, "InvalidAppData", `Unknown pre-image for app data hash ${appData.hash}`);
  }
  return { appData: appData.hash, fullAppData: known, signer: checkDocument(known, null).signer };
}

function checkBalance(
  market: Market,
  { sellToken, sellAmount }: SignedOrder,
  { owner, isWhole }: { owner: string; isWhole: boolean },
): void {
  if (!market.isToken(sellToken)) {
    throw refuse(400, "TransferSimulationFailed", "sell token cannot be transferred");
  }
  const held = market.ledger.balanceOf(owner, sellToken);
  if (held < (isWhole ? sellAmount : 1n)) {
    throw refuse(
      400,
      "InsufficientBalance",
      "order owner must have funds worth at least x in his account",
    );
  }
}
