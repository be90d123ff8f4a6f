import { orderDigest, packOrderUid } from "../../evm/mod.ts";
import type { SignedOrder } from "../market/state/book_order.ts";
import { cancelOrder } from "../market/traders/cancel_order.ts";
import { hookGas } from "../wire/check_app_data.ts";
import type { Market } from "../market/state/market.ts";
import { placeOrder, quoteForOrder } from "../market/traders/place_order.ts";
import { checkDocument, type ValidDocument } from "../wire/app_data_field.ts";
import { cancellableOrder } from "./cancel_orders.ts";
import { checkFunds } from "../rules/check_funds.ts";
import { checkQuoted } from "../rules/check_quoted.ts";
import { checkReplacement } from "../rules/check_replacement.ts";
import { checkSigner } from "../rules/check_signer.ts";
import { checkTerms } from "../rules/check_terms.ts";
import type { SandboxLimits } from "../rules/rate_limit.ts";
import { type ParsedOrder, readOrderCreation } from "../wire/read_order_creation.ts";
import { json, rejection, type Reply } from "../wire/reply.ts";

/** `POST orders`: runs the checks in the service's sequence, then adds the order to the book. */
export async function createOrder(
  market: Market,
  { body, limits }: { body: string; limits: SandboxLimits },
): Promise<Reply> {
  const read = readOrderCreation(body);
  const document = documentOf(market, read);
  const { replacedOrder } = document;
  if (replacedOrder !== null) cancellableOrder(market, replacedOrder);
  const signed: SignedOrder = { ...read.terms, appData: document.hash };
  const digest = orderDigest(market.domain, signed);
  const owner = await checkSigner(market, { read, digest, namedSigner: document.signer });
  if (signed.feeAmount !== 0n) throw rejection(400, "NonZeroFee", "Fee must be zero");
  if (signed.sellAmount === 0n || signed.buyAmount === 0n) {
    throw rejection(400, "ZeroAmount", "Buy or sell amount is zero.");
  }
  checkTerms(market, { ...signed, owner });
  checkFunds(market, signed, { owner, requiresFullBalance: read.fullBalanceCheck });
  const quote = quoteForOrder(market, signed, read.quoteId);
  if (quote !== null) {
    checkQuoted(market, { signed, owner, quote }, { ...limits, hookGas: hookGas(document) });
  }
  const replaced = replacedOrder === null ? null : cancellableOrder(market, replacedOrder);
  if (replaced !== null) checkReplacement(market, { replaced, signed, owner });
  const uid = packOrderUid({ digest, owner, validTo: signed.validTo });
  if (market.book.orders.has(uid)) {
    throw rejection(400, "DuplicatedOrder", "order already exists");
  }
  placeOrder(market, { signed, uid, owner, fullAppData: document.text, quote });
  if (replaced !== null) cancelOrder(market, replaced);
  return json(uid, 201);
}

function documentOf(market: Market, { appData }: ParsedOrder): ValidDocument & { text: string } {
  if (appData.kind === "document") {
    return { ...checkDocument(appData.document, appData.expected), text: appData.document };
  }
  const { hash } = appData;
  const text = market.book.documents.get(hash);
  if (text === undefined) {
    throw rejection(400, "InvalidAppData", `Unknown pre-image for app data hash ${hash}`);
  }
  return { ...checkDocument(text, null), hash, text };
}
