import { hashAppData } from "../../evm/mod.ts";
import { readText } from "../wire/loose_values.ts";
import { checkAppData } from "../wire/check_app_data.ts";
import type { Market } from "../market/state/market.ts";
import { required } from "../wire/field.ts";
import { Fields } from "../wire/fields.ts";
import { orReject } from "../wire/or_reject.ts";
import { json, rejection, type Reply, text } from "../wire/reply.ts";

/** `GET app_data/{hash}`. */
export function getAppData(market: Market, hash: string): Reply {
  const fullAppData = market.book.documents.get(hash);
  return fullAppData === undefined ? text("full app data not found", 404) : json({ fullAppData });
}

/** `PUT app_data` and `PUT app_data/{hash}`: registers a document; 201 if it is new. */
export function putAppData(
  market: Market,
  { body, expected }: { body: string; expected: string | null },
): Reply {
  const { fullAppData: document } = new Fields(body, "AppDataDocument").all({
    fullAppData: required(readText),
  });
  orReject(() => checkAppData(document), (reason) => rejection(400, "AppDataInvalid", reason));
  const hash = hashAppData(document);
  if (expected !== null && expected !== hash) {
    throw rejection(
      400,
      "AppDataHashMismatch",
      `computed appDataHash ${hash} doesn't match expected ${expected}`,
    );
  }
  const { documents } = market.book;
  const isNew = !documents.has(hash);
  documents.set(hash, document);
  return json(hash, isNew ? 201 : 200);
}
