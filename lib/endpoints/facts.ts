import { HttpError, HttpStatusError, UnavailableError } from "../errors/mod.ts";
import { checkOptions } from "../errors/option_rules.ts";
import type { Transport } from "../http/mod.ts";
import {
  type AppDataRegistration,
  decodeAppDataHash,
  decodeAppDataRegistration,
  decodeNativePrice,
  decodeNotifications,
  decodeTokenMetadata,
  decodeTotalSurplus,
  encodeAppDataRegistration,
  type Notification,
  type TokenMetadata,
} from "../schemas/mod.ts";
import type { Decimal } from "../units/mod.ts";
import {
  CALL_OPTIONS,
  type CallOptions,
  MAX_UNPAGED,
  requireAtMost,
  requireHex,
  requireSame,
} from "./calls.ts";
import { LIST_OPTIONS, type ListOptions, requireWholeList } from "./paged_rows.ts";
import { requestJson, send } from "./send.ts";

/** Result of {@linkcode putAppData}. */
export interface RegisteredAppData {
  /** Hash of the document: the `appData` that orders sign. */
  readonly hash: string;
  /** Whether the document is new to the service. */
  readonly created: boolean;
}

/**
 * Registers an app data document, so that orders may refer to it by its hash. The response is not
 * verified here; the client's `putAppData` compares it with the document's own hash.
 *
 * Calls `PUT /api/v1/app_data`. Registering a document again changes nothing.
 *
 * @throws {ServiceError} If the service rejects it, for example with `AppDataInvalid`.
 * @throws {HttpStatusError} With status 413 if it is too large.
 * @throws {DecodeError} If the response is not a hash.
 */
export async function putAppData(
  transport: Transport,
  fullAppData: string,
  options: CallOptions = {},
): Promise<RegisteredAppData> {
  checkOptions(options, CALL_OPTIONS, "Cannot register app data");
  const { json, source, response } = await requestJson(transport, {
    method: "PUT",
    path: "/api/v1/app_data",
    body: encodeAppDataRegistration({ fullAppData }),
    action: "register app data",
  }, options);
  return { hash: decodeAppDataHash(json, { source }), created: response.status === 201 };
}

/**
 * Gets the app data document with a hash, as the text that was hashed. The hash is not verified
 * here; the client's `getAppData` verifies it.
 *
 * Calls `GET /api/v1/app_data/{hash}`.
 *
 * @throws {InputError} If `hash` is not a hash; nothing is sent.
 * @throws {NotFoundError} If the service does not know the document.
 * @throws {DecodeError} If the response is not a document.
 */
export async function getAppData(
  transport: Transport,
  hash: string,
  options: CallOptions = {},
): Promise<AppDataRegistration> {
  checkOptions(options, CALL_OPTIONS, "Cannot get app data");
  requireHex(hash, "a hash");
  const { json, source } = await requestJson(transport, {
    path: `/api/v1/app_data/${hash}`,
    action: `get app data ${hash}`,
    absentText: "full app data not found",
    notFound:
      "Proceed without the document: the service only has documents that were registered with it",
  }, options);
  return decodeAppDataRegistration(json, { source });
}

/**
 * Gets the version of the service that a deployment runs.
 *
 * Calls `GET /api/v1/version`.
 *
 * @param transport Transport that sends the request.
 * @returns The version text of the service, such as a release tag and a commit.
 * @throws {HttpStatusError} If the response is an HTML page instead of plain text.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example
 * ```ts
 * import { getVersion } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(await getVersion(await replay("market_1")), "unknown@unknown");
 * ```
 */
export async function getVersion(
  transport: Transport,
  options: CallOptions = {},
): Promise<string> {
  checkOptions(options, CALL_OPTIONS, "Cannot get the version");
  const action = "get the version of the service";
  const { response, source } = await send(transport, { path: "/api/v1/version", action }, options);
  const { status, contentType, body } = response;
  if (!/^\s*text\/html\b/i.test(contentType ?? "") && !/^\s*</.test(body)) return body;
  throw new HttpStatusError(`Cannot ${action}: the response is an HTML page, not plain text`, {
    request: source,
    status,
    body,
    remedy: "Check that the address is an order book's, and that no proxy answers for it",
  });
}

/**
 * Gets the native price of a token.
 *
 * Calls `GET /api/v1/token/{token}/native_price`.
 *
 * @param transport Transport that sends the request.
 * @param token Address of the token.
 * @returns Native atoms per atom of the token: the exact decimal that the service printed, itself a
 *   double.
 * @throws {InputError} If `token` is not an address; nothing is sent.
 * @throws {ServiceError} With `NoLiquidity`, if the service has no price for the token.
 * @throws {DecodeError} If the response is not a price.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example
 * ```ts
 * import { getNativePrice } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const token = "0x67d269191c92caf3cd7723f116c85e6e9bf55933";
 * const price = await getNativePrice(await replay("market_1"), token);
 *
 * assertEquals(price.toString(), "0.009731496163109856");
 * ```
 */
export async function getNativePrice(
  transport: Transport,
  token: string,
  options: CallOptions = {},
): Promise<Decimal> {
  checkOptions(options, CALL_OPTIONS, "Cannot get a native price");
  requireHex(token, "an address");
  const { json, source } = await requestJson(transport, {
    path: `/api/v1/token/${token}/native_price`,
    action: `get the native price of token ${token}`,
  }, options);
  return decodeNativePrice(json, { source }).price;
}

/**
 * Gets the metadata that the service has of a token: its first trade and its native price. It has
 * neither decimals nor a symbol.
 *
 * Calls `GET /api/v1/token/{token}/metadata`.
 *
 * @param transport Transport that sends the request.
 * @param token Address of the token.
 * @returns The block of the first trade, and native atoms per 10^18 token atoms; `null` where
 *   unknown.
 * @throws {InputError} If `token` is not an address; nothing is sent.
 * @throws {DecodeError} If the response is not token metadata.
 * @see {@link https://github.com/cowprotocol/services/tree/6a3eb4265/crates/orderbook/src/api | the service}
 * @example
 * ```ts
 * import { getTokenMetadata } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const token = "0x67d269191c92caf3cd7723f116c85e6e9bf55933";
 * const metadata = await getTokenMetadata(await replay("market_1"), token);
 *
 * assertEquals(metadata, { firstTradeBlock: 201, nativePrice: 9705660743530312n });
 * ```
 */
export async function getTokenMetadata(
  transport: Transport,
  token: string,
  options: CallOptions = {},
): Promise<TokenMetadata> {
  checkOptions(options, CALL_OPTIONS, "Cannot get token metadata");
  requireHex(token, "an address");
  const { json, source } = await requestJson(transport, {
    path: `/api/v1/token/${token}/metadata`,
    action: `get the metadata of token ${token}`,
    feature: "metadata of tokens",
  }, options);
  return decodeTokenMetadata(json, { source });
}

/**
 * Gets the notifications of an account, in the format of the API specification or in that of the
 * current service.
 *
 * Calls `GET {root}/accounts/{account}/notifications`: a service next to the order book, under the
 * root of the host. Its responses may be reused for as long as their `Cache-Control` allows,
 * currently five minutes.
 *
 * @param transport Transport that sends the request.
 * @param account The account.
 * @returns The notifications; an empty list if there are none.
 * @throws {InputError} If `account` is not an address; nothing is sent.
 * @throws {UnavailableError} If the deployment does not offer notifications (404 or 503), as
 *   opposed to an empty list.
 * @throws {DecodeError} If there are more than 10,000.
 * @throws {MismatchError} If a notification is for another account.
 * @throws {IncompleteListError} If some could not be decoded and `onFailure` is not set; `items`
 *   holds the others.
 * @example A deployment without notifications
 * ```ts
 * import { UnavailableError } from "orderlens";
 * import { getNotifications } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertRejects } from "@std/assert";
 *
 * const edges = await replay("edges");
 * const account = "0xd217e8a0924a6806c7616a4ab0c39df86e0bf889";
 *
 * await assertRejects(() => getNotifications(edges, account), UnavailableError);
 * ```
 */
export async function getNotifications(
  transport: Transport,
  account: string,
  options: ListOptions = {},
): Promise<Notification[]> {
  checkOptions(options, LIST_OPTIONS, "Cannot get notifications");
  requireHex(account, "an address");
  const call = {
    path: `/accounts/${account}/notifications`,
    at: "root",
    action: `get the notifications of account ${account}`,
  } as const;
  const { json, source } = await requestJson(transport, call, options).catch((error) => {
    if (!(error instanceof HttpError) || error.status !== 404 && error.status !== 503) throw error;
    const { request, status, body } = error;
    const fault = "this deployment does not offer notifications";
    throw new UnavailableError(`Cannot ${call.action}: ${fault}`, {
      request,
      status,
      body,
      remedy:
        "Check the option `rootUrl`, which notifications are served under, or poll the account's orders instead",
    });
  });
  requireAtMost(json, MAX_UNPAGED, { rows: "notifications", source });
  const page = decodeNotifications(json, { source });
  for (const notification of page.items) {
    requireSame(source, { field: "account", asked: account, answered: notification.account });
  }
  return requireWholeList(page, `the notifications of account ${account}`, options);
}

/**
 * Gets the surplus that an account received over its limit prices since March 2023.
 *
 * Calls `GET /api/v1/users/{account}/total_surplus`. An estimate: the service sums doubles and may
 * count orders with several fills twice.
 *
 * @param transport Transport that sends the request.
 * @param account The trader.
 * @returns Wei; `0n` for an account without trades.
 * @throws {InputError} If `account` is not an address; nothing is sent.
 * @throws {DecodeError} If the response is not a total surplus.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/database/total_surplus.rs | the service}
 * @example
 * ```ts
 * import { getTotalSurplus } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const account = "0xae8be95be03288071217078950278910001dcbc8";
 * const surplus = await getTotalSurplus(await replay("market_1"), account);
 *
 * assertEquals(surplus, 1214535409241168128n);
 * ```
 */
export async function getTotalSurplus(
  transport: Transport,
  account: string,
  options: CallOptions = {},
): Promise<bigint> {
  checkOptions(options, CALL_OPTIONS, "Cannot get the total surplus");
  requireHex(account, "an address");
  const { json, source } = await requestJson(transport, {
    path: `/api/v1/users/${account}/total_surplus`,
    action: `get the total surplus of account ${account}`,
    feature: "total surpluses",
  }, options);
  return decodeTotalSurplus(json, { source }).totalSurplus;
}
