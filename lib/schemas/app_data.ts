import { z } from "zod";
import {
  type Decode,
  decode,
  type Encode,
  encode,
  toDecoder,
  toEncoder,
  type Unknown,
} from "./codec/codec.ts";
import { INVALID } from "./codec/compile.ts";
import * as wire from "./codec/scalars.ts";
import {
  listUnreadable,
  readTolerantly,
  restoreOmitted,
  type TolerantReading,
  type UnreadableMember,
} from "./codec/tolerant.ts";

/** A partner fee on the volume. */
export interface VolumePartnerFee {
  /** Share of the volume, in basis points. */
  volumeBps: number;
  /** Account that receives it. */
  recipient: string;
}

/** A partner fee on the volume, as in documents before 1.4.0. */
export interface LegacyPartnerFee {
  /** Share of the volume, in basis points. */
  bps: number;
  /** Account that receives it. */
  recipient: string;
}

/** A partner fee on the surplus over the limit price. */
export interface SurplusPartnerFee {
  /** Share of the surplus, in basis points. */
  surplusBps: number;
  /** Cap, in basis points of the volume. */
  maxVolumeBps: number;
  /** Account that receives it. */
  recipient: string;
}

/** A partner fee on the improvement over the quote. */
export interface PriceImprovementPartnerFee {
  /** Share of the improvement, in basis points. */
  priceImprovementBps: number;
  /** Cap, in basis points of the volume. */
  maxVolumeBps: number;
  /** Account that receives it. */
  recipient: string;
}

/** A partner fee in any of its forms. */
export type PartnerFee =
  | VolumePartnerFee
  | LegacyPartnerFee
  | SurplusPartnerFee
  | PriceImprovementPartnerFee;

/** Schema of {@linkcode PartnerFee}: the service takes the first form that fits, in this order. */
const partnerFee: z.ZodType<PartnerFee> = z.union([
  z.looseObject({ surplusBps: wire.integer, maxVolumeBps: wire.integer, recipient: wire.address }),
  z.looseObject({
    priceImprovementBps: wire.integer,
    maxVolumeBps: wire.integer,
    recipient: wire.address,
  }),
  z.looseObject({ volumeBps: wire.integer, recipient: wire.address }),
  z.looseObject({ bps: wire.integer, recipient: wire.address }),
]);

/** A share in basis points as in documents: a number, or a number as text (before 2024). */
export type DocumentBps = number | string;

/** A contract call requested by a document. */
export interface Hook {
  /** Contract to call. */
  target: string;
  /** Calldata. */
  callData: string;
  /** Gas to forward, in gas units; text in documents. */
  gasLimit: string | number;
  /** Tool that made the hook. */
  dappId?: string;
}

/** Contract calls before and after the trade. */
export interface Hooks {
  /** Version of this part of the document. */
  version?: string;
  /** Called before the trade. */
  pre?: readonly Hook[];
  /** Called after the trade. */
  post?: readonly Hook[];
}

/** Terms of the trader's quote. */
export interface QuoteMetadata {
  /** Tolerated slippage, in basis points. */
  slippageBips?: DocumentBps;
  /** Whether the tolerance was chosen by the front end. */
  smartSlippage?: boolean;
  /** Version of this part of the document. */
  version?: string;
}

/** Class of the order according to the front end. */
export interface OrderClassMetadata {
  /** `market`, `limit`, `liquidity` or `twap`. */
  orderClass: "market" | "limit" | "liquidity" | "twap" | Unknown;
  /** Version of this part of the document. */
  version?: string;
}

/** The referrer of the trader. */
export interface Referrer {
  /** Account of the referrer. */
  address?: string;
  /** Code of the referrer, in documents from 1.8.0 on. */
  code?: string;
  /** Version of this part of the document. */
  version?: string;
}

/** Origin of a visit, in UTM parameters. */
export interface Utm {
  /** Origin. */
  utmSource?: string;
  /** Medium. */
  utmMedium?: string;
  /** Campaign. */
  utmCampaign?: string;
  /** Content. */
  utmContent?: string;
  /** Search term. */
  utmTerm?: string;
}

/** A flash loan used to settle the order. */
export interface Flashloan {
  /** Token lent. */
  token: string;
  /** Amount lent, in its atoms. */
  amount: bigint;
  /** Lender, in documents before 1.5.0. */
  lender?: string;
  /** Borrower, in documents before 1.5.0. */
  borrower?: string;
  /** Lender. */
  liquidityProvider?: string;
  /** Adapter of the protocol. */
  protocolAdapter?: string;
  /** Account that receives the loan. */
  receiver?: string;
}

/** A contract that wraps the settlement. */
export interface Wrapper {
  /** Contract. */
  address: string;
  /** Data for it. */
  data?: string;
  /** Whether a solver may leave it out. */
  isOmittable?: boolean;
}

/** A bridge that takes the proceeds to another chain. */
export interface Bridging {
  /** Provider of the bridge, such as `cow-sdk://bridging/providers/across`; absent before version 0.2.0. */
  providerId?: string;
  /** Chain where the proceeds arrive, by its id; text from version 0.1.0 on. */
  destinationChainId?: string | number;
  /** Token that arrives there, as that chain writes it: not all chains are EVM chains. */
  destinationTokenAddress?: string;
  /** Quote of the bridge. */
  quoteId?: string;
  /** Signature of that quote, of bridges that give a deposit address. */
  quoteSignature?: string;
  /** Signature of the deposit address. */
  attestationSignature?: string;
  /** That quote, as JSON text. */
  quoteBody?: string;
}

/** The page that a swap widget was embedded in. */
export interface Widget {
  /** Application around the widget; the document's `appCode` is then the page that embeds it. */
  appCode?: string | null;
  /** Deployment of the widget. */
  environment?: string | null;
}

/** Terms that the trader accepted. */
export interface UserConsent {
  /** IPFS hash of the terms. */
  terms: string;
  /** Time of acceptance, as ISO 8601 text. */
  acceptedDate: string;
}

/** A document's metadata about its order; unknown keys are preserved. */
export interface AppDataMetadata {
  /** Fees of the partner that submitted the order: one or several. */
  partnerFee?: PartnerFee | readonly PartnerFee[];
  /** Contract calls before and after the trade. */
  hooks?: Hooks;
  /** Tolerance of the trader. */
  quote?: QuoteMetadata;
  /** Class of the order according to the front end. */
  orderClass?: OrderClassMetadata;
  /** The referrer of the trader. */
  referrer?: Referrer;
  /** Origin of the visit. */
  utm?: Utm;
  /** Flash loan. */
  flashloan?: Flashloan;
  /** Contracts that wrap the settlement. */
  wrappers?: readonly Wrapper[];
  /** Order that this one replaces. */
  replacedOrder?: {
    /** UID of that order. */
    uid: string;
  };
  /** Account that signed, if it is not the owner. */
  signer?: string;
  /** Earliest time to enter an auction, in unix seconds. */
  validFrom?: number;
  /**
   * Whether the solver of the quote may settle the order alone, before it enters auctions. In
   * services#4661, not in a release as of 2026-09; services#4915 refuses it beside `validFrom`.
   */
  enableFastPath?: boolean;
  /** Bridge that takes the proceeds to another chain. */
  bridging?: Bridging;
  /** The swap widget that made the order. */
  widget?: Widget;
  /** Terms that the trader accepted. */
  userConsents?: readonly UserConsent[];
}

/**
 * An app data document. All fields are optional: the service accepts any JSON object (`{}` is the
 * most common) and reads `metadata`.
 */
export interface AppData {
  /** Version of the document's schema, from 0.1.0 to 1.x. */
  version?: string;
  /** Application that created the order. */
  appCode?: string | null;
  /** Deployment of the front end. */
  environment?: string | null;
  /** Metadata about the order. */
  metadata?: AppDataMetadata;
}

const version = z.exactOptional(wire.text);
const bps = z.union([wire.integer, wire.text]);
const name = z.exactOptional(z.nullable(wire.text));

const hook: z.ZodType<Hook> = z.looseObject({
  target: wire.address,
  callData: wire.bytes,
  gasLimit: z.union([wire.text, wire.integer]),
  dappId: z.exactOptional(wire.text),
});

const metadata: z.ZodType<AppDataMetadata> = z.looseObject({
  partnerFee: z.exactOptional(z.union([partnerFee, z.array(partnerFee)])),
  hooks: z.exactOptional(z.looseObject({
    version,
    pre: z.exactOptional(z.array(hook)),
    post: z.exactOptional(z.array(hook)),
  })),
  quote: z.exactOptional(z.looseObject({
    slippageBips: z.exactOptional(bps),
    smartSlippage: z.exactOptional(wire.boolean),
    version,
  })),
  orderClass: z.exactOptional(z.looseObject({
    orderClass: wire.openEnum(["market", "limit", "liquidity", "twap"]),
    version,
  })),
  referrer: z.exactOptional(z.looseObject({
    address: z.exactOptional(wire.address),
    code: z.exactOptional(wire.text),
    version,
  })),
  utm: z.exactOptional(z.looseObject({
    utmSource: z.exactOptional(wire.text),
    utmMedium: z.exactOptional(wire.text),
    utmCampaign: z.exactOptional(wire.text),
    utmContent: z.exactOptional(wire.text),
    utmTerm: z.exactOptional(wire.text),
  })),
  flashloan: z.exactOptional(z.looseObject({
    token: wire.address,
    amount: wire.atoms,
    lender: z.exactOptional(wire.address),
    borrower: z.exactOptional(wire.address),
    liquidityProvider: z.exactOptional(wire.address),
    protocolAdapter: z.exactOptional(wire.address),
    receiver: z.exactOptional(wire.address),
  })),
  wrappers: z.exactOptional(z.array(z.looseObject({
    address: wire.address,
    data: z.exactOptional(wire.bytes),
    isOmittable: z.exactOptional(wire.boolean),
  }))),
  replacedOrder: z.exactOptional(z.looseObject({ uid: wire.orderUid })),
  signer: z.exactOptional(wire.address),
  validFrom: z.exactOptional(wire.unixSeconds),
  enableFastPath: z.exactOptional(wire.boolean),
  bridging: z.exactOptional(z.looseObject({
    providerId: z.exactOptional(wire.text),
    destinationChainId: z.exactOptional(z.union([wire.text, wire.integer])),
    destinationTokenAddress: z.exactOptional(wire.text),
    quoteId: z.exactOptional(wire.text),
    quoteSignature: z.exactOptional(wire.text),
    attestationSignature: z.exactOptional(wire.text),
    quoteBody: z.exactOptional(wire.text),
  })),
  widget: z.exactOptional(z.looseObject({ appCode: name, environment: name })),
  userConsents: z.exactOptional(z.array(z.looseObject({
    terms: wire.text,
    acceptedDate: wire.text,
  }))),
});

export const appData: z.ZodType<AppData> = z.looseObject({
  version,
  appCode: name,
  environment: name,
  metadata: z.exactOptional(metadata),
});

const SUBJECT = "an app data document";

/**
 * Decodes a parsed app data document of which every part must be valid, as for an order that is to
 * be placed.
 *
 * @throws {DecodeError} If a part has none of its valid forms.
 */
export const decodeValidAppData: Decode<AppData> = toDecoder(appData, SUBJECT);

/** Omitted members, by the record that was decoded without them. */
const omissions = new WeakMap<object, TolerantReading["omitted"]>();

/**
 * Decodes a parsed app data document. Parse its text first: the text is what is hashed.
 *
 * The service reads few members of a document and accepts any others. So an optional member that has
 * none of its valid forms costs that member only: the record lacks it,
 * {@linkcode unreadableMembers} names it, `drift` counts it and {@linkcode encodeAppData} writes it
 * back. A member that is `null` is absent from the record too, as it is for the service.
 *
 * @throws {DecodeError} If the body is not an object.
 * @example The application and tolerance of an order
 * ```ts
 * import { decodeAppData } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const { appCode, metadata } = decodeAppData(
 *   JSON.parse('{"appCode":"Bot","metadata":{"quote":{"slippageBips":50}},"version":"1.6.0"}'),
 * );
 *
 * assertEquals([appCode, metadata?.quote?.slippageBips], ["Bot", 50]);
 * ```
 */
export const decodeAppData: Decode<AppData> = (body, options): AppData => {
  const { record, omitted } = readTolerantly(appData, body);
  if (record === INVALID) return decode(appData, body, SUBJECT, options);
  if (omitted.length > 0) omissions.set(record as AppData, omitted);
  return record as AppData;
};

/**
 * The members of a document that {@linkcode decodeAppData} could not read, by path; none for a
 * record that it did not decode.
 *
 * @example A class as text, which some front ends wrote
 * ```ts
 * import { decodeAppData, unreadableMembers } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const document = decodeAppData({ appCode: "Bot", metadata: { orderClass: "market" } });
 *
 * assertEquals([document.appCode, document.metadata], ["Bot", {}]);
 * assertEquals(unreadableMembers(document), [{ path: "metadata.orderClass", value: "market" }]);
 * ```
 */
export function unreadableMembers(document: AppData): readonly UnreadableMember[] {
  return listUnreadable(omissions.get(document) ?? []);
}

/**
 * Whether a member of a document's metadata can be read: not if the member, a part of it or all
 * metadata are unreadable.
 */
export function isReadable(document: AppData, member: keyof AppDataMetadata): boolean {
  const path = `metadata.${member}`;
  return !unreadableMembers(document).some((unreadable) =>
    unreadable.path === "metadata" || unreadable.path === path ||
    unreadable.path.startsWith(`${path}.`)
  );
}

/** Unreadable members by document text: orders of one application repeat their document. */
const textCache = new wire.ParseCache<readonly UnreadableMember[]>(1 << 10);

/** Lists the unreadable members of a document as text; all of it under an empty path. */
function listUnreadableInText(text: string): readonly UnreadableMember[] {
  return textCache.getOrParse(text, () => {
    try {
      const { record, omitted } = readTolerantly(appData, JSON.parse(text));
      if (record !== INVALID) return listUnreadable(omitted);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    return [{ path: "", value: text }];
  }) ?? [];
}

/** A document as text, as orders have it. */
export const documentText: z.ZodType<string> = wire.inspectedText(listUnreadableInText);

/**
 * Writes an app data document as a JSON value; the inverse of {@linkcode decodeAppData}.
 *
 * @throws {InputError} If the record is not an app data document.
 */
export const encodeAppData: Encode<AppData> = (record): unknown =>
  restoreOmitted(encode(appData, record, SUBJECT), omissions.get(record) ?? []);

/** A whole document, as returned by `GET app_data/{hash}` and accepted by `PUT app_data`. */
export interface AppDataRegistration {
  /** The document, exactly as it was hashed. */
  fullAppData: string;
}

export const appDataRegistration: z.ZodType<AppDataRegistration> = z.looseObject({
  fullAppData: documentText,
});

/**
 * Decodes a response of `GET app_data/{hash}` or a body of `PUT app_data`.
 *
 * @throws {DecodeError} If the body does not match.
 */
export const decodeAppDataRegistration: Decode<AppDataRegistration> = toDecoder(
  appDataRegistration,
  "an app data registration",
);

/**
 * Writes an app data registration in its wire format; the inverse of
 * {@linkcode decodeAppDataRegistration}.
 *
 * @throws {InputError} If the record does not match.
 */
export const encodeAppDataRegistration: Encode<AppDataRegistration> = toEncoder(
  appDataRegistration,
  "an app data registration",
);

/**
 * Decodes the response of `PUT app_data`: the hash of the document, as text.
 *
 * @throws {DecodeError} If the body is not a 32-byte hash.
 */
export const decodeAppDataHash: Decode<string> = toDecoder(wire.hash32, "an app data hash");
