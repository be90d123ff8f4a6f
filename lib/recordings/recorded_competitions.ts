import type { AuctionRange } from "./deployment.ts";
import { type Answer, jsonAnswer } from "./exchange.ts";
import type { Tape } from "./tape.ts";

const byId = /^\/api\/v2\/solver_competition\/(\d+)$/;
const byHash = /^\/api\/v2\/solver_competition\/by_tx_hash\/(0x[0-9a-f]{64})$/;
const settlements = /"(?:transactionHashes"\s*:\s*\[[^\]]*\]|txHash"\s*:\s*"0x[0-9a-fA-F]{64}")/g;
const hashes = /0x[0-9a-fA-F]{64}/g;
const absent = '{"errorType":"NotFound","description":"solver competition not found"}';
const routeById = "/api/v2/solver_competition/";
const latestPath = `${routeById}latest`;

/** The competitions of a recording. */
export interface RecordedCompetitions {
  /** Auction ids whose competition was recorded, ascending. */
  readonly ids: readonly number[];
  /** Auction id of the recorded `latest` response. */
  readonly latest?: number;
  /** Finds the auction that a transaction settled, by its hash in lower case. */
  readonly settledBy: (txHash: string) => number | undefined;
}

/** Collects the auction ids of recorded competitions. */
export function recordedCompetitions(tape: Tape): RecordedCompetitions {
  const ids: number[] = [];
  for (const [key, { status }] of tape.gets) {
    const id = byId.exec(key)?.[1];
    if (id !== undefined && status === 200) ids.push(Number(id));
  }
  ids.sort((a, b) => a - b);
  const latest = tape.get(latestPath);
  const id = /"auctionId"\s*:\s*(\d+)/.exec(latest?.status === 200 ? latest.responseBody : "")?.[1];
  let known: Map<string, number> | undefined;
  const settledBy = (txHash: string) => (known ??= bySettlement(tape, ids)).get(txHash);
  return id === undefined ? { ids, settledBy } : { ids, latest: Number(id), settledBy };
}

/** Auctions by the transactions that settled them, as their competitions name them. */
function bySettlement(tape: Tape, ids: readonly number[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const id of ids) {
    const body = tape.get(`${routeById}${id}`)?.responseBody ?? "";
    for (const [settled] of body.matchAll(settlements)) {
      for (const [hash] of settled.matchAll(hashes)) found.set(hash.toLowerCase(), id);
    }
  }
  return found;
}

/**
 * Derives a competition response: the newest competition for `latest`, that of an auction for the
 * transaction which settled it, and the service's 404 for an
 * id that the recording proves absent, in a gap of a complete range or above the latest.
 */
export function composeCompetition(
  { ids, latest, settledBy }: RecordedCompetitions,
  path: string,
  context: { readonly tape: Tape; readonly walked: AuctionRange | undefined },
): Answer | undefined {
  const newest = ids.at(-1);
  if (path === latestPath) {
    return newest === undefined ? undefined : context.tape.get(`${routeById}${newest}`);
  }
  const hash = byHash.exec(path)?.[1];
  if (hash !== undefined) {
    const settled = settledBy(hash);
    return settled === undefined ? undefined : context.tape.get(`${routeById}${settled}`);
  }
  const id = Number(byId.exec(path)?.[1] ?? NaN);
  if (!Number.isSafeInteger(id)) return undefined;
  const { walked } = context;
  const isGap = walked !== undefined && walked.from <= id && id <= walked.to;
  const isAhead = latest !== undefined && id > latest && (newest === undefined || newest <= latest);
  return isGap || isAhead ? jsonAnswer(404, absent) : undefined;
}
