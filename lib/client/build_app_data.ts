import { requireSame } from "../endpoints/calls.ts";
import { getAppData as requestAppData, putAppData as sendAppData } from "../endpoints/facts.ts";
import type { CallOptions, RegisteredAppData } from "../endpoints/mod.ts";
import { DecodeError, InputError } from "../errors/mod.ts";
import { isWhole, requireKnown } from "../errors/option_rules.ts";
import { hashAppData, isAppDataHash, stringifyAppData } from "../evm/orders/app_data.ts";
import type { Transport } from "../http/mod.ts";
import {
  type AppData,
  type AppDataMetadata,
  type AppDataRegistration,
  type Decode,
  decodeAppData,
  encodeAppData,
  type Hook,
  type Hooks,
  type PartnerFee,
  type Referrer,
} from "../schemas/mod.ts";
import { decodeValidAppData } from "../schemas/app_data.ts";

/** Content of an app data document. */
export interface AppDataTerms {
  /** Application that creates the order, such as `My trading bot`. */
  readonly appCode: string;
  /** Deployment of the front end, such as `production`. */
  readonly environment?: string;
  /** One or several fees of the partner that brings the order. */
  readonly partnerFee?: PartnerFee | readonly PartnerFee[];
  /** Contract calls before and after the trade. */
  readonly hooks?: Hooks;
  /** Slippage tolerance in the limit price, in whole basis points from 0 to 10,000. */
  readonly slippageBips?: number;
  /** Class of the order according to the front end. */
  readonly orderClass?: "market" | "limit" | "liquidity" | "twap";
  /** Referrer of the trader. */
  readonly referrer?: Referrer;
  /** Other members of `metadata`, as they are; the terms above take precedence. */
  readonly metadata?: AppDataMetadata;
  /** Version of the document's schema. @default {"1.14.0"} */
  readonly version?: string;
}

/** An app data document in the three forms that an order needs. */
export interface BuiltAppData {
  /** The document as a record. */
  readonly document: AppData;
  /** The document as text, for hashing, quotes and registration. */
  readonly fullAppData: string;
  /** Hash of the text: the `appData` that the order signs. */
  readonly hash: string;
}

const TERMS: readonly (keyof AppDataTerms)[] = [
  "appCode",
  "environment",
  "partnerFee",
  "hooks",
  "slippageBips",
  "orderClass",
  "referrer",
  "metadata",
  "version",
];
const VERSION = "1.14.0";
const MAX_BYTES = 8192;
const MAX_BPS = 10_000;
const MAX_GAS = 2n ** 64n - 1n;
const ORDER_CLASSES: readonly string[] = ["market", "limit", "liquidity", "twap"];
/** The fields of each form of partner fee. */
const FEE_FORMS: readonly string[] = [
  "volumeBps",
  "maxVolumeBps and surplusBps",
  "maxVolumeBps and priceImprovementBps",
  "bps",
];

/**
 * Builds an app data document, checks it, and hashes it.
 *
 * The result always decodes: every part that the service reads has one of its valid forms, basis
 * points are in range, and the text is within the service's size limit.
 *
 * @param terms Content of the document; omitted terms are not in it.
 * @returns Record, text and hash. The same terms give the same hash, whatever their key order.
 * @throws {InputError} If a term is unknown, a part has none of the service's forms, basis points
 *   are out of range, the document is nested more than 1,000 levels deep, or its text exceeds 8,192
 *   bytes.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/app-data/src/app_data.rs | what the service reads}
 *
 * @example A tolerance of half a percent
 * ```ts
 * import { buildAppData } from "orderlens";
 * import { hashAppData } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const { fullAppData, hash } = buildAppData({
 *   appCode: "Example",
 *   slippageBips: 50,
 *   orderClass: "market",
 * });
 *
 * assertEquals(
 *   fullAppData,
 *   '{"appCode":"Example","metadata":{"orderClass":{"orderClass":"market"},' +
 *     '"quote":{"slippageBips":50}},"version":"1.14.0"}',
 * );
 * assertEquals(hash, hashAppData(fullAppData));
 * ```
 */
export function buildAppData(terms: AppDataTerms): BuiltAppData {
  requireKnown(terms, TERMS, "Cannot build app data");
  const { appCode, environment, version = VERSION } = terms;
  if (typeof appCode !== "string" || appCode === "") {
    throw new InputError("Cannot build app data without an appCode", {
      remedy: "Pass the name of the application that creates the order",
    });
  }
  const wire = encodeAppData({
    version,
    appCode,
    ...(environment === undefined ? {} : { environment }),
    metadata: buildMetadata(terms),
  });
  const fullAppData = stringifyAppData(wire as object);
  const document = decodeValidAppData(wire, { source: "the terms of buildAppData" });
  const size = new TextEncoder().encode(fullAppData).length;
  if (size > MAX_BYTES) {
    throw new InputError(`Cannot use app data of ${size} bytes`, {
      facts: { limit: MAX_BYTES },
      remedy: "Shorten it: the limit is 8,192 bytes",
    });
  }
  return { document, fullAppData, hash: hashAppData(fullAppData) };
}

function buildMetadata(terms: AppDataTerms): AppDataMetadata {
  const { partnerFee, hooks, slippageBips, orderClass, referrer, metadata = {} } = terms;
  if (partnerFee !== undefined) [partnerFee].flat().forEach(checkFee);
  if (slippageBips !== undefined) checkBps("slippageBips", slippageBips);
  if (orderClass !== undefined && !ORDER_CLASSES.includes(orderClass)) {
    throw new InputError(`Cannot build app data with orderClass ${JSON.stringify(orderClass)}`, {
      remedy: `Pass one of ${ORDER_CLASSES.join(", ")}`,
    });
  }
  return {
    ...metadata,
    ...(partnerFee === undefined ? {} : { partnerFee }),
    ...(hooks === undefined ? {} : { hooks: formatHooks(hooks) }),
    ...(slippageBips === undefined ? {} : { quote: { ...metadata.quote, slippageBips } }),
    ...(orderClass === undefined ? {} : { orderClass: { orderClass } }),
    ...(referrer === undefined ? {} : { referrer }),
  };
}

/** A fee has exactly one form: the service rejects a mix of two. */
function checkFee(fee: PartnerFee): void {
  const shares = Object.entries(fee ?? {}).filter(([name]) => /bps$/i.test(name));
  const names = shares.map(([name]) => name).toSorted().join(" and ");
  if (!FEE_FORMS.includes(names)) {
    throw new InputError(
      `Cannot build app data with a partner fee ${
        names === "" ? "without basis points" : `of ${names}`
      }`,
      { remedy: `Pass ${FEE_FORMS.join(", or ")}; pass several fees as a list` },
    );
  }
  for (const [name, bps] of shares) checkBps(`partnerFee.${name}`, bps);
}

function checkBps(name: string, bps: unknown): void {
  if (isWhole(bps, 0, MAX_BPS)) return;
  throw new InputError(`Cannot build app data with ${name} ${bps}`, {
    remedy: "Pass whole basis points from 0 to 10000, where 100 is one percent",
  });
}

/** Formats hooks with gas limits as text, which is all that the service accepts. */
function formatHooks(hooks: Hooks): Hooks {
  const formatHook = (hook: Hook): Hook => ({ ...hook, gasLimit: formatGas(hook.gasLimit) });
  const { pre, post } = hooks;
  return {
    ...hooks,
    ...(pre === undefined ? {} : { pre: pre.map(formatHook) }),
    ...(post === undefined ? {} : { post: post.map(formatHook) }),
  };
}

function formatGas(gasLimit: string | number): string {
  const text = `${gasLimit}`;
  if (/^\d{1,20}$/.test(text) && BigInt(text) <= MAX_GAS) return text;
  throw new InputError(`Cannot build app data with a hook whose gasLimit is ${gasLimit}`, {
    remedy: "Pass whole gas units, as decimal digits",
  });
}

/**
 * Gets the app data document with a hash, as the text that was hashed.
 *
 * Calls `GET /api/v1/app_data/{hash}`, and verifies the hash: `keccak256` of the text, or for
 * documents from before 2023 the digest in their IPFS address. For the zero hash, which orders
 * without app data may sign, the service has `{}`.
 *
 * @param transport Transport that sends the request.
 * @param hash The `appData` of an order.
 * @returns The document as text, in `fullAppData`; `appData` of a connection parses it.
 * @throws {InputError} If `hash` is not a hash; nothing is sent.
 * @throws {NotFoundError} If the service does not know the document.
 * @throws {DecodeError} If the response is not a document.
 * @throws {MismatchError} If the document has another hash.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example The text has the requested hash
 * ```ts
 * import { getAppData } from "orderlens/client";
 * import { hashAppData } from "orderlens/evm";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const hash = "0x5706014aeecac857b4b0f7f11d1f4b35ef984fca0dabda93c2426dd369120421";
 * const { fullAppData } = await getAppData(await replay("market_1"), hash);
 *
 * assertEquals(hashAppData(fullAppData), hash);
 * ```
 */
export async function getAppData(
  transport: Transport,
  hash: string,
  options: CallOptions = {},
): Promise<AppDataRegistration> {
  const registration = await requestAppData(transport, hash, options);
  const { fullAppData } = registration;
  if (!isAppDataHash(hash, fullAppData)) {
    requireSame(`GET /api/v1/app_data/${hash}`, {
      field: "hash",
      asked: hash,
      answered: hashAppData(fullAppData),
    });
  }
  return registration;
}

/**
 * Registers an app data document, so that orders may refer to it by its hash.
 *
 * Calls `PUT /api/v1/app_data`. Registering a document again changes nothing.
 *
 * @param transport Transport that sends the request.
 * @param fullAppData The document as text: every character counts for the hash.
 * @returns Its hash, and whether it is new to the service.
 * @throws {InputError} If it is not text, or cannot be encoded as UTF-8; nothing is sent.
 * @throws {ServiceError} If the service rejects it, for example with `AppDataInvalid`.
 * @throws {HttpStatusError} With status 413 if it is too large; the limit is 8192 bytes unless the
 *   operator of the service set another.
 * @throws {DecodeError} If the response is not a hash.
 * @throws {MismatchError} If the response is the hash of another document.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example
 * ```ts
 * import { putAppData } from "orderlens/client";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const { hash, created } = await putAppData(await replay("edges"), "{}");
 *
 * assertEquals(hash, "0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d");
 * assertEquals(created, false);
 * ```
 */
export async function putAppData(
  transport: Transport,
  fullAppData: string,
  options: CallOptions = {},
): Promise<RegisteredAppData> {
  const hash = hashAppData(fullAppData);
  const registered = await sendAppData(transport, fullAppData, options);
  requireSame("PUT /api/v1/app_data", { field: "hash", asked: hash, answered: registered.hash });
  return registered;
}

/**
 * Parses the text of an app data document.
 *
 * @param decode Decodes the document: `decodeValidAppData` for one of a new order.
 * @throws {DecodeError} If it is not JSON, or `decode` cannot read it.
 */
export function parseAppData(
  fullAppData: string,
  source: string,
  decode: Decode<AppData> = decodeAppData,
): AppData {
  let document: unknown;
  try {
    document = JSON.parse(fullAppData);
  } catch (cause) {
    throw new DecodeError({
      what: "an app data document",
      path: "",
      expected: "JSON",
      found: fullAppData.slice(0, 80),
      source,
    }, cause);
  }
  return decode(document, { source });
}
