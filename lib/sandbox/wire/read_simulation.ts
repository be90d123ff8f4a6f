import { hashAppData } from "../../evm/mod.ts";
import { integer, readAddress, readText } from "./loose_values.ts";
import type { SignedOrder } from "../market/state/book_order.ts";
import { checkAppData } from "./check_app_data.ts";
import { optional, required } from "./field.ts";
import { Fields } from "./fields.ts";
import { orReject } from "./or_reject.ts";
import { readSignature, SIGNED_FIELDS } from "./read_order_creation.ts";
import { readPositive } from "./read_quote_request.ts";
import { type Rejection, rejection } from "./reply.ts";

/** An order to simulate, in the book or not. */
export interface ParsedSimulation {
  /** The signed order. */
  readonly signed: SignedOrder;
  /** Claimed signer. */
  readonly owner: string;
  /** Its app data document. */
  readonly document: string;
  /** Block of the simulation; `undefined` for the latest. */
  readonly blockNumber: number | undefined;
}

/**
 * Reads the body of a simulation.
 *
 * @throws {Rejection} 400 or 422.
 */
export function readSimulation(body: string): ParsedSimulation {
  const fields = new Fields(body, "SimulationRequest");
  const { owner, blockNumber, appData: document, receiver = null, ...terms } = fields.all({
    ...SIGNED_FIELDS,
    sellAmount: required(readPositive),
    owner: required(readAddress),
    appData: required(readText),
    blockNumber: optional(integer("u64")),
  });
  const signature = readSignature(fields);
  orReject(() => checkAppData(document), (reason) => invalidDocument(document, reason));
  const appData = hashAppData(document);
  return { signed: { ...terms, receiver, appData, ...signature }, owner, document, blockNumber };
}

function invalidDocument(document: string, reason: string): Rejection {
  return rejection(
    400,
    "BadRequest",
    `malformed input: app_data \`${document}\`: failed to parse app data: ${reason}`,
  );
}
