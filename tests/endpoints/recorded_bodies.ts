import { replay } from "orderlens/recordings";

type Body = Readonly<Record<string, unknown>>;

const recording = await replay("trades_v2__trades_v2_endpoints");
const [anyUid = ""] = recording.recorded.orderUids;

async function recorded(path: string): Promise<unknown> {
  return JSON.parse((await recording.send({ method: "GET", path })).body);
}

const ORDER = await recorded(`/api/v1/orders/${anyUid}`) as Body;
const [TRADE] = await recorded(`/api/v2/trades?orderUid=${anyUid}&limit=1000`) as [Body];
const COMPETITION = await recorded("/api/v2/solver_competition/latest") as Body;

/** Owner of the recorded order and trade, and of all that are made of them. */
export const RECORDED_OWNER = String(ORDER.owner);

/** The UID that the `n`th made-up order has: another digest before the recorded owner and expiry. */
export function uidNumber(n: number): string {
  return `0x${n.toString(16).padStart(64, "0")}${anyUid.slice(66)}`;
}

/** The UIDs that the made-up orders `from` to `to` have, in either direction. */
export function uidNumbers(from: number, to: number): string[] {
  const step = from > to ? -1 : 1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => uidNumber(from + step * at));
}

/** A recorded order's body with another digest in its UID. */
export function orderNumber(n: number): Body {
  return { ...ORDER, uid: uidNumber(n) };
}

/** A recorded trade's body with another log index. */
export function tradeNumber(n: number): Body {
  return { ...TRADE, logIndex: n };
}

/** A recorded competition's body under another auction id. */
export function competitionNumber(auctionId: number): Body {
  return { ...COMPETITION, auctionId };
}

/** A recorded order's body. */
export const RECORDED_ORDER: Body = ORDER;
/** A recorded competition's body. */
export const RECORDED_COMPETITION: Body = COMPETITION;
