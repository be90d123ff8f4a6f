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
  const found: DatasetDrift[] = [];
  for await (const exchange of exchangesIn(file)) {
    const { unknownFields, unknownValues } = drift(bodiesOf(exchange));
    if (unknownFields.length + unknownValues.length === 0) continue;
    found.push({
      unknownFields: unknownFields.map(({ kind, path, count }) => ({ kind, path, count })),
      unknownValues: unknownValues.map(({ kind, path, count, value }) => {
        return { kind, path, value: value.slice(0, LONGEST_VALUE_CHARS), count };
      }),
    });
  }
  return sumOfDrift(found);
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

function bodiesOf({ method, path, status, responseBody }: Exchange): KindedBody[] {
  const kind = status === 200 ? KINDS[`${method} ${routeOf(path)}`] : undefined;
  if (kind === undefined) return [];
  try {
    return [JSON.parse(responseBody)].flat().map((body) => ({ kind, body }));
  } catch {
    // What is not JSON failed, and stands among the failures.
    return [];
  }
}
