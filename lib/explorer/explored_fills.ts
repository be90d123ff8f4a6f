import { OrderlensError } from "../errors/mod.ts";
import type { Market } from "../market/mod.ts";
import { html, type Markup, raw } from "../reports/page/html_cell.ts";
import type { Frame } from "../tables/mod.ts";
import type { OpenedSource } from "./explorer_source.ts";
import { scriptSource } from "./reply.ts";

/** Most fills of a source whose pages have a view, and of one view, and its bytes. */
const MOST = { read: 100_000, shown: 1_500, bytes: 130_000 };

/** What a page needs to have a view, which stands above its lists. */
export interface FillsView {
  /** The view. */
  readonly intro: Markup;
  /** Its script, as a source of a content security policy. */
  readonly script: string;
}

/** What pages choose fills by. */
export interface Fill {
  readonly block_number: number;
  readonly solver: string | null;
  readonly sell_token: string;
  readonly buy_token: string;
}

const COLUMNS = [
  ...["order_uid", "block_number", "solver", "solver_name", "sell_token", "buy_token", "pair"],
  ...["kind", "market_position", "volume_native", "slippage_net_bps", "slippage_gross_bps"],
  ...["slippage_user_shown_bps", "slippage_limit_bps"],
];

/** The fills of a source as a view that answers: slippage by size, with links to the orders. */
export class ExploredFills {
  readonly #market: () => Promise<Market>;
  readonly #source: OpenedSource;
  readonly #read = new WeakMap<Market, Promise<readonly Fill[]>>();

  /** Reads nothing yet. */
  constructor(source: OpenedSource, market: () => Promise<Market>) {
    this.#source = source;
    this.#market = market;
  }

  /**
   * A view of the newest of some fills; `null` without any, of very many, of a dataset that does not
   * have what it needs, and of a deployment elsewhere, which would have to be asked for every auction.
   *
   * @param count How many fills the source has.
   */
  async view(count: number, isShown: (fill: Fill) => boolean): Promise<FillsView | null> {
    if (!this.#source.isLocal || count === 0 || count > MOST.read) return null;
    const fills = (await this.#fills().catch(noneIfMissing)).filter(isShown);
    if (fills.length === 0) return null;
    const newest = fills.toSorted((a, b) => b.block_number - a.block_number);
    const { explore } = await import("../charts/explore/explore.ts");
    let most = Math.min(MOST.shown, newest.length);
    let text = explore(newest.slice(0, most), { href: "/" }).html;
    while (text.length > MOST.bytes) {
      most = Math.floor(most * Math.min(0.9, MOST.bytes / text.length));
      text = explore(newest.slice(0, most), { href: "/" }).html;
    }
    const note = most === newest.length
      ? ""
      : html`<p>These are the newest ${String(most)} of ${String(newest.length)} fills.</p>`;
    return { intro: html`${raw(text)}${note}`, script: await explorationSource() };
  }

  async #fills(): Promise<readonly Fill[]> {
    const market = await this.#market();
    const known = this.#read.get(market) ??
      market.fills().then((fills) => (fills.select(...COLUMNS) as Frame).toRecords<Fill>());
    this.#read.set(market, known);
    return await known;
  }
}

function noneIfMissing(error: unknown): readonly Fill[] {
  if (error instanceof OrderlensError) return [];
  throw error;
}

/** The source of the script of views, which is the same in all of them. */
export async function explorationSource(): Promise<string> {
  const { explorationScript } = await import("../charts/explore/exploration_view.ts");
  return await scriptSource(explorationScript());
}
