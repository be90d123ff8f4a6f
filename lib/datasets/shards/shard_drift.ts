import { exchangesIn } from "../../recordings/read_recording.ts";
import type { Exchange } from "../../recordings/exchange.ts";
import { routeOf } from "../../recordings/request_key.ts";
import { drift, type KindedBody, type WireKind } from "../../schemas/mod.ts";
import type { DatasetDrift } from "../layout/manifest.ts";

/** What is read of each route; lists have one body for each element. */
const KINDS: Readonly<Record<string, WireKind>> = {
  "GET /api/v2/solver_competition/{id}": "competition_v2",
  "GET /api/v2/solver_competition/by_tx_hash/{hash}": "competition_v2",
  "POST /api/v1/orders/by_uids": "order_by_uid",
  "GET /api/v1/account/{address}/orders": "order",
  "GET /api/v2/trades?orderUid": "trade",
  "GET /restricted/api/v1/debug/order/{uid}": "debug_report",
};
const LONGEST_VALUE_CHARS = 80;

/** Counts what the answers of a file hold that this version of the library does not know. */
export async function shardDrift(file: string): Promise<DatasetDrift> {
  const counter = new DriftCounter();
  for await (const exchange of exchangesIn(file)) {
    const body = exchange.status === 200 ? parsed(exchange.responseBody) : undefined;
    if (body !== undefined) counter.add(exchange, body);
  }
  return counter.sum();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is not JSON failed, and stands among the failures.
    return undefined;
  }
}

/** Counts, answer by answer, what this version of the library does not know. */
export class DriftCounter {
  readonly #found: DatasetDrift[] = [];

  /** Takes an answer with its body. */
  add({ method, path }: Exchange, body: unknown): void {
    const kind = KINDS[`${method} ${routeOf(path)}`];
    if (kind === undefined) return;
    const { unknownFields, unknownValues } = drift(
      [body].flat().map((one): KindedBody => ({ kind, body: one })),
    );
    if (unknownFields.length + unknownValues.length === 0) return;
    this.#found.push({
      unknownFields: unknownFields.map(({ kind, path, count }) => ({ kind, path, count })),
      unknownValues: unknownValues.map(({ kind, path, count, value }) => {
        return { kind, path, value: value.slice(0, LONGEST_VALUE_CHARS), count };
      }),
    });
  }

  /** The counts of all answers. */
  sum(): DatasetDrift {
    return sumOfDrift(this.#found);
  }
}

/** The counts of several files together, by kind, path and value. */
export function sumOfDrift(found: readonly DatasetDrift[]): DatasetDrift {
  return {
    unknownFields: summed(found.flatMap(({ unknownFields }) => unknownFields)),
    unknownValues: summed(found.flatMap(({ unknownValues }) => unknownValues)),
  };
}

function summed<Counted extends { readonly count: number }>(
  counted: readonly Counted[],
): Counted[] {
  const sums = new Map<string, Counted>();
  for (const one of counted) {
    const key = JSON.stringify({ ...one, count: 0 });
    sums.set(key, { ...one, count: (sums.get(key)?.count ?? 0) + one.count });
  }
  return [...sums].sort(([a], [b]) => a < b ? -1 : 1).map(([, one]) => one);
}
