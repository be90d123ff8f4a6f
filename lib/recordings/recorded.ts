import { DecodeError } from "../errors/mod.ts";
import { decodeAuction } from "../schemas/mod.ts";
import { countRoutes } from "./not_recorded.ts";
import type { RecordedCompetitions } from "./recorded_competitions.ts";
import type { RecordedOrders } from "./recorded_orders.ts";
import type { Tape } from "./tape.ts";

/** What a recording contains. All lists are sorted and without duplicates. */
export interface Recorded {
  /** Auctions whose competition can be requested by id, ascending. */
  readonly auctionIds: readonly number[];
  /** Orders whose body can be requested. */
  readonly orderUids: readonly string[];
  /** Accounts whose orders can be requested. */
  readonly accounts: readonly string[];
  /** Settlement transactions whose orders or competition can be requested. */
  readonly txHashes: readonly string[];
  /** Tokens whose native price can be requested. */
  readonly tokens: readonly string[];
  /** App data documents that can be requested. */
  readonly appDataHashes: readonly string[];
  /**
   * Owners whose JIT orders capture surplus, as listed in the last recorded `GET auction`; `null`
   * without such a response.
   */
  readonly surplusCapturingJitOrderOwners: readonly string[] | null;
  /** Number of exchanges by method and route, such as `GET /api/v1/orders/{uid}`, largest first. */
  readonly routes: ReadonlyMap<string, number>;
}

const accountOrders = /^\/api\/v1\/account\/(0x[0-9a-f]{40})\/orders(?:\?|$)/;
const txOrders = /^\/api\/v1\/(?:transactions\/|orders\/tx\/)(0x[0-9a-f]{64})/;
const txCompetition = /^\/api\/v2\/solver_competition\/by_tx_hash\/(0x[0-9a-f]{64})$/;
const nativePrice = /^\/api\/v1\/token\/(0x[0-9a-f]{40})\/native_price$/;
const appData = /^\/api\/v1\/app_data\/(0x[0-9a-f]{64})$/;

/** Lists what a tape answers with status 200. */
export function listRecorded(
  tape: Tape,
  from: { readonly orders: RecordedOrders; readonly competitions: RecordedCompetitions },
): Recorded {
  const uids = from.orders.elements.entries().filter(([, element]) => element !== null);
  const routes = countRoutes(tape).entries().toArray().sort((a, b) => b[1] - a[1]);
  return Object.freeze({
    auctionIds: Object.freeze([...from.competitions.ids]),
    orderUids: Object.freeze(uids.map(([uid]) => uid).toArray().sort()),
    accounts: namesIn(tape, [accountOrders]),
    txHashes: namesIn(tape, [txOrders, txCompetition]),
    tokens: namesIn(tape, [nativePrice]),
    appDataHashes: namesIn(tape, [appData]),
    surplusCapturingJitOrderOwners: capturingOwners(tape),
    routes: new Map(routes),
  });
}

function capturingOwners(tape: Tape): readonly string[] | null {
  const answer = tape.get("/api/v1/auction");
  if (answer === undefined || answer.status !== 200) return null;
  try {
    const owners = decodeAuction(JSON.parse(answer.responseBody)).surplusCapturingJitOrderOwners;
    return owners === undefined ? null : Object.freeze([...owners]);
  } catch (error) {
    if (error instanceof DecodeError || error instanceof SyntaxError) return null;
    throw error;
  }
}

function namesIn(tape: Tape, patterns: readonly RegExp[]): readonly string[] {
  const names = new Set<string>();
  for (const [key, { status }] of tape.gets) {
    if (status !== 200) continue;
    for (const pattern of patterns) {
      const name = pattern.exec(key)?.[1];
      if (name !== undefined) names.add(name);
    }
  }
  return Object.freeze([...names].sort());
}
