import { MismatchError } from "../../errors/mod.ts";
import type { DecodedSettlement, SettlementTrade } from "./decode_settlement.ts";
import type {
  DecodedEvent,
  InteractionEvent,
  SettlementEvent,
  TradeEvent,
} from "./decode_settlement_events.ts";

const NO_SELECTOR = "0x00000000";
const SELECTOR_LENGTH = 10;

/** What the calldata says that the settlement contract emits, in order. */
function expectedEvents(
  { trades, interactions: { pre, intra, post } }: Pick<
    DecodedSettlement,
    "trades" | "interactions"
  >,
  solver: string,
): string[] {
  const called = ({ target, value, callData }: typeof pre[number]) => {
    const isLong = callData.length >= SELECTOR_LENGTH;
    const selector = isLong ? callData.slice(0, SELECTOR_LENGTH) : NO_SELECTOR;
    return `Interaction ${target} ${value} ${selector.toLowerCase()}`;
  };
  return [
    ...pre.map(called),
    ...trades.map(tradeText),
    ...intra.map(called),
    ...post.map(called),
    `Settlement ${solver}`,
  ];
}

function tradeText({ sellToken, buyToken, validTo }: SettlementTrade): string {
  return `Trade ${sellToken} ${buyToken} ${validTo}`;
}

type OwnEvent = TradeEvent | InteractionEvent | SettlementEvent;

function isOwn(event: DecodedEvent): event is OwnEvent {
  return event.event === "Trade" || event.event === "Interaction" || event.event === "Settlement";
}

function eventText(event: OwnEvent): string {
  switch (event.event) {
    case "Trade": {
      const validTo = Number.parseInt(event.orderUid.slice(-8), 16);
      return `Trade ${event.sellToken} ${event.buyToken} ${validTo}`;
    }
    case "Interaction":
      return `Interaction ${event.target} ${event.value} ${event.selector.toLowerCase()}`;
    case "Settlement":
      return `Settlement ${event.solver}`;
  }
}

/**
 * Requires the events that the calldata of a successful settlement emits: its interactions, its
 * trades and its end, in order. Hooks may approve and cancel orders in between.
 *
 * @throws {MismatchError} If one is missing, added, or another.
 */
export function requireEvents(
  settlement: Pick<DecodedSettlement, "trades" | "interactions">,
  { events, solver }: { readonly events: readonly DecodedEvent[]; readonly solver: string },
): void {
  const expected = expectedEvents(settlement, solver);
  const found = events.filter(isOwn).map(eventText);
  const length = Math.max(expected.length, found.length);
  for (let place = 0; place < length; place++) {
    if (expected[place] === found[place]) continue;
    throw new MismatchError({
      request: "eth_getTransactionReceipt",
      field: "logs",
      asked: expected[place] ?? "no further event of the settlement contract",
      answered: found[place] ?? "no further event of the settlement contract",
      remedy: "Ask another node: the logs are not those of the transaction's calldata",
    });
  }
}
