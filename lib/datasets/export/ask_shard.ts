import { type FiledKind, type Item, ITEM_KINDS, type Outcome } from "../state/items.ts";
import { type Keeping, keepOutcomes } from "../state/keep_outcomes.ts";
import { askBlocks } from "./ask_blocks.ts";
import type { CompetitionAsker } from "./ask_competitions.ts";
import { askOrders } from "./ask_orders.ts";
import { askOthers, askReports } from "./ask_others.ts";
import { askSettlements } from "./ask_settlements.ts";
import type { Asking } from "./asking.ts";

/** Outcomes that are kept together, their characters, and the time after which they are kept. */
export const KEPT_TOGETHER = 512;
export const KEPT_CHARS = 4_000_000;
const KEPT_AFTER_MS = 500;

/** What asking for everything of a shard needs. */
export interface ShardAsking {
  /** How to ask. */
  readonly asking: Asking;
  /** Where what comes of it is kept. */
  readonly keeping: Keeping;
  /** Asks for auctions; one for all shards of a walk. */
  readonly competitions: Pick<CompetitionAsker, "ask">;
  /** Called after outcomes were kept. */
  readonly onKept: (kind: FiledKind) => void;
}

/** Asks for everything of a shard that is open in this round, and keeps it: one kind after another. */
export async function askShard(shard: number, asked: ShardAsking): Promise<void> {
  const { asking: { state }, keeping } = asked;
  for (const kind of ITEM_KINDS) {
    const items = state.pending(shard, kind, keeping.round);
    if (items.length > 0) await keepAll(outcomesOf(kind, items, asked), { kind, shard }, asked);
  }
}

/** Asks for things of one kind. */
export function outcomesOf(
  kind: FiledKind,
  items: readonly Item[],
  { asking, competitions }: Pick<ShardAsking, "asking" | "competitions">,
): AsyncGenerator<Outcome, void, undefined> {
  switch (kind) {
    case "competition":
      return competitions.ask(items);
    case "order":
      return askOrders(asking, items);
    case "report":
      return askReports(asking, items);
    case "block":
      return askBlocks(asking, items);
    case "receipt":
      return askSettlements(asking, items);
    default:
      return askOthers(asking, kind, items);
  }
}

/** Keeps outcomes several at a time: meanwhile, the next ones are asked for. */
async function keepAll(
  outcomes: AsyncGenerator<Outcome, void, undefined>,
  { kind, shard }: { readonly kind: FiledKind; readonly shard: number },
  { keeping, onKept }: ShardAsking,
): Promise<void> {
  let kept = Promise.resolve();
  let waiting: Outcome[] = [];
  let [chars, keptAt] = [0, performance.now()];
  const keep = async () => {
    await kept;
    kept = keepOutcomes(keeping, shard, waiting);
    // It fails when it is awaited.
    kept.catch(() => {});
    [waiting, chars, keptAt] = [[], 0, performance.now()];
    onKept(kind);
  };
  try {
    for await (const outcome of outcomes) {
      waiting.push(outcome);
      for (const { line } of outcome.answers) chars += line.length;
      const isTime = performance.now() - keptAt > KEPT_AFTER_MS;
      if (waiting.length >= KEPT_TOGETHER || chars >= KEPT_CHARS || isTime) await keep();
    }
  } finally {
    await keep();
    await kept;
  }
  onKept(kind);
}
