import type { Abi, AbiEvent, AbiParameter } from "viem";
import {
  decodeAbiParameters,
  decodeEventLog,
  type DecodeEventLogReturnType,
  encodeAbiParameters,
  toEventSelector,
} from "viem/utils";
import { InputError } from "../../errors/mod.ts";
import { wholeBytes } from "../hex.ts";

/** A log as returned by JSON-RPC, or with its numbers already parsed. */
export interface EventLog {
  /** Contract that emitted it. */
  readonly address: string;
  /** Topics: the hash of the event, then the indexed parameters. */
  readonly topics: readonly string[];
  /** Data: the parameters that are not indexed, as hex. */
  readonly data: string;
  /** Block, as a number or as JSON-RPC's hex text. */
  readonly blockNumber: number | bigint | string;
  /** Transaction. */
  readonly transactionHash: string;
  /** Log index in the block, as a number or as JSON-RPC's hex text. */
  readonly logIndex: number | bigint | string;
}

/** Position of an event on the chain. */
export interface EventPlace {
  /** Block. */
  readonly blockNumber: number;
  /** Log index in the block. */
  readonly logIndex: number;
  /** Transaction. */
  readonly transactionHash: string;
  /** Contract that emitted it, in lower case. */
  readonly address: string;
}

/** A log that is not an event of the settlement contract. */
export interface OtherEvent extends EventPlace {
  /** Kind of event: unknown. */
  readonly event: "other";
  /** Topics, as received. */
  readonly topics: readonly string[];
  /** Data, as received. */
  readonly data: string;
}

type KnownEvent<A extends Abi> = AbiEvent & {
  readonly name: DecodeEventLogReturnType<A>["eventName"];
};

/** Decodes the logs of an ABI's events. */
export class LogDecoder<const A extends Abi> {
  readonly #abi: A;
  #events: ReadonlyMap<string, KnownEvent<A>> | undefined;

  /** Decodes the events of an ABI. */
  constructor(abi: A) {
    this.#abi = abi;
  }

  /** Its events by their first topic; hashed on first use, which takes longer than loading a module. */
  get events(): ReadonlyMap<string, KnownEvent<A>> {
    const abi: Abi = this.#abi;
    return this.#events ??= new Map(
      abi.filter((item) => item.type === "event")
        .map((event) => [toEventSelector(event), event as KnownEvent<A>]),
    );
  }

  /**
   * Decodes a log.
   *
   * @returns The name of the event with its parameters, hex in lower case; `null` if the ABI lacks it.
   * @throws {InputError} If its topics or data are not those of its event.
   */
  decode({ topics, data, ...place }: EventLog): DecodeEventLogReturnType<A> | null {
    const event = this.events.get(topics[0]?.toLowerCase() ?? "");
    if (event === undefined) return null;
    const abi: Abi = [event];
    try {
      const [first, ...rest] = topics.map(wholeBytes);
      const { args } = decodeEventLog({ abi, topics: [first!, ...rest], data: wholeBytes(data) });
      return { eventName: event.name, args: lowerCase(args) } as DecodeEventLogReturnType<A>;
    } catch (cause) {
      throw malformedLog(place, "its data does not match its event", cause);
    }
  }
}

/** The error for a log that no contract emits. */
export function malformedLog(
  { blockNumber, logIndex, transactionHash }: Omit<EventLog, "address" | "topics" | "data">,
  fault: string,
  cause?: unknown,
): InputError {
  return new InputError(
    `Cannot decode log ${Number(logIndex)} of block ${Number(blockNumber)}: ${fault}`,
    {
      facts: { transaction: transactionHash },
      remedy: "Pass the log with all its topics and data, as returned by the node",
      ...cause === undefined ? {} : { cause },
    },
  );
}

/** Where a log was emitted. */
export function placeOf(log: EventLog): EventPlace {
  return {
    blockNumber: Number(log.blockNumber),
    logIndex: Number(log.logIndex),
    transactionHash: log.transactionHash,
    address: log.address.toLowerCase(),
  };
}

/** A log of an event that is not decoded. */
export function otherEvent(log: EventLog): OtherEvent {
  return { event: "other", ...placeOf(log), topics: log.topics, data: log.data };
}

/** Values, and where what was read of the text ends. */
interface PlainValues<Values> {
  readonly values: Values;
  readonly end: number;
}

/**
 * Reads ABI-encoded values in the one layout that compilers and libraries write: encoded again, they
 * are the same digits. viem alone reads other layouts too, and finds values in almost any bytes.
 *
 * @param digits Hex digits without `0x`; what follows the values is left.
 * @returns The values as viem has them, with hex in lower case; `null` in any other layout.
 */
export function plainValues<Values extends readonly unknown[]>(
  parameters: readonly AbiParameter[],
  digits: string,
): PlainValues<Values> | null {
  try {
    const values = decodeAbiParameters(parameters, wholeBytes(`0x${digits}`));
    const encoded = encodeAbiParameters(parameters, values).slice(2);
    if (!digits.toLowerCase().startsWith(encoded)) return null;
    return { values: lowerCase(values as unknown as Values), end: encoded.length };
  } catch {
    return null;
  }
}

/** The same value with all its text in lower case: viem gives addresses with a checksum. */
export function lowerCase<Value>(value: Value): Value {
  const lower = (one: unknown): unknown => {
    if (typeof one === "string") return one.toLowerCase();
    if (Array.isArray(one)) return one.map(lower);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, lower(inner)]));
  };
  return lower(value) as Value;
}
