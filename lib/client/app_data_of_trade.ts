import { DecodeError, InputError, MismatchError, NotFoundError } from "../errors/mod.ts";
import type { CallOptions } from "../endpoints/mod.ts";
import { hashAppData } from "../evm/app_data/hash_app_data.ts";
import { holdsKeyOf } from "../evm/signing/holds_key_of.ts";
import type { AppData, AppDataMetadata, DocumentBps } from "../schemas/mod.ts";
import { sameHex } from "../units/mod.ts";
import type { OrderBook } from "./order_book.ts";
import { getAppData } from "./get_app_data.ts";
import { isOutcomeUnknown } from "./is_outcome_unknown.ts";
import { parseAppData } from "./parse_app_data.ts";

/** The app data that an order is placed with. */
export interface AppDataOfTrade {
  /** The document's text. */
  readonly fullAppData: string;
  /** Its hash, which the order signs. */
  readonly hash: string;
  /** Volume fees of its partners together, in basis points. */
  readonly partnerFeeBps: number;
  /** Tolerance in the document, in basis points. */
  readonly slippageBps: DocumentBps | undefined;
}

/**
 * The app data of a trade request, parsed and hashed: a document as text, or the hash of a
 * registered one.
 *
 * @throws {InputError} If it is not a document that the service accepts, or is an unregistered
 *   hash; if it contains the private key of `from`, which would become public.
 */
export async function appDataOfTrade(
  book: OrderBook,
  appData: string | null | undefined,
  { from, ...call }: CallOptions & { from: string },
): Promise<AppDataOfTrade> {
  const input = appData ?? "{}";
  if (await holdsKeyOf(input, from)) {
    throw new InputError(
      "Cannot place an order: its app data contains the private key of its owner",
      {
        remedy: "Remove the key from appData, which is public",
      },
    );
  }
  const fullAppData = /^0x[0-9a-f]{64}$/i.test(input)
    ? await registeredDocument(book, input, call)
    : input;
  const { metadata } = parse(fullAppData);
  const hash = hashAppData(fullAppData);
  if (input !== fullAppData && !sameHex(input, hash)) {
    throw new InputError(
      "Cannot place an order with an outdated hash of its app data",
      {
        facts: { given: input, hash },
        remedy: "Pass the document itself as appData, or its own hash",
      },
    );
  }
  return {
    fullAppData,
    hash,
    partnerFeeBps: volumeBpsOf(metadata),
    slippageBps: metadata?.quote?.slippageBips,
  };
}

/**
 * Registers a document that the service does not have. The order also contains the document, so a
 * lost answer does not prevent placing it; an answer about another document does.
 *
 * @throws {MismatchError} If the service has another document under this hash.
 */
export async function registerUnknown(
  book: OrderBook,
  { fullAppData, hash }: AppDataOfTrade,
  call: CallOptions,
): Promise<void> {
  try {
    if (!await isKnown(book, hash, call)) await book.registerAppData(fullAppData, call);
  } catch (error) {
    if (call.signal?.aborted || error instanceof MismatchError || !isOutcomeUnknown(error)) {
      throw error;
    }
  }
}

async function isKnown(book: OrderBook, hash: string, call: CallOptions): Promise<boolean> {
  try {
    await getAppData(book.transport, hash, call);
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

async function registeredDocument(
  book: OrderBook,
  hash: string,
  call: CallOptions,
): Promise<string> {
  try {
    return (await getAppData(book.transport, hash, call)).fullAppData;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new InputError("Cannot place an order with the hash of unregistered app data", {
      remedy: "Pass the document itself as appData; it is then registered with the order",
    });
  }
}

/** Parses the document; its error omits the value found, which may contain secrets. */
function parse(fullAppData: string): AppData {
  try {
    return parseAppData(fullAppData, "the app data of the request");
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { path, expected } = error.failure;
    throw new InputError(
      `Cannot place an order with this app data: ${path || "the document"} must be ${expected}`,
      { remedy: "Build the document with buildAppData, which checks it" },
    );
  }
}

function volumeBpsOf(metadata: AppDataMetadata | undefined): number {
  const fees = [metadata?.partnerFee ?? []].flat();
  return fees.reduce((sum, fee) => {
    if ("volumeBps" in fee) return sum + fee.volumeBps;
    return "bps" in fee ? sum + fee.bps : sum;
  }, 0);
}
