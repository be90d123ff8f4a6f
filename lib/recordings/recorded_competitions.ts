import type { AuctionRange } from "./deployment.ts";
import { type Answer, jsonAnswer } from "./exchange.ts";
import type { Tape } from "./tape.ts";

const byId = /^\/api\/v2\/solver_competition\/(\d+)$/;
const absent = '{"errorType":"NotFound","description":"solver competition not found"}';
const routeById = "/api/v2/solver_competition/";
const latestPath = `${routeById}latest`;

/** The competitions of a recording. */
export interface RecordedCompetitions {
  /** Auction ids whose competition was recorded, ascending. */
  readonly ids: readonly number[];
  /** Auction id of the recorded `latest` response. */
  readonly latest?: number;
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
  return id === undefined ? { ids } : { ids, latest: Number(id) };
}

/**
 * Derives a competition response: the newest competition for `latest`, and the service's 404 for an
 * id that the recording proves absent, in a gap of a complete range or above the latest.
 */
export function composeCompetition(
  { ids, latest }: RecordedCompetitions,
  path: string,
  context: { readonly tape: Tape; readonly walked: AuctionRange | undefined },
): Answer | undefined {
  const newest = ids.at(-1);
  if (path === latestPath) {
    return newest === undefined ? undefined : context.tape.get(`${routeById}${newest}`);
  }
  const id = Number(byId.exec(path)?.[1] ?? NaN);
  if (!Number.isSafeInteger(id)) return undefined;
  const { walked } = context;
  const isGap = walked !== undefined && walked.from <= id && id <= walked.to;
  const isAhead = latest !== undefined && id > latest && (newest === undefined || newest <= latest);
  return isGap || isAhead ? jsonAnswer(404, absent) : undefined;
}
