import type { Frame } from "../tables/mod.ts";
import { type Markup, raw } from "../reports/page/html_cell.ts";
import type { ExplorerSource, OpenedSource } from "./explorer_source.ts";
import { Kept } from "./kept.ts";

/** Most fills of a source whose pages have a view, and of one view: a page of them is some 2 MB. */
const MOST = { read: 100_000, shown: 20_000 };
/** Of a sandbox that goes on: auction ids that are read, and for how long the fills are kept. */
const GOES_ON = { last: 100, freshMs: 15_000 };

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
  readonly #source: ExplorerSource;
  readonly #kept: Kept<readonly Fill[]>;
  readonly #about: Pick<OpenedSource, "isLocal" | "isFixed">;

  /** Reads nothing yet. */
  constructor(source: ExplorerSource, about: OpenedSource, now: () => number) {
    this.#source = source;
    this.#about = about;
    const freshMs = about.isFixed ? Infinity : GOES_ON.freshMs;
    this.#kept = new Kept({ mostWeight: 1, freshMs, now });
  }

  /**
   * A view of some fills; `null` without any, of very many, and of a deployment elsewhere, which
   * would have to be asked for every auction.
   *
   * @param count How many fills the source has.
   */
  async view(count: number, isShown: (fill: Fill) => boolean): Promise<FillsView | null> {
    if (!this.#about.isLocal || count === 0 || count > MOST.read) return null;
    const fills = (await this.#kept.of("fills", () => this.#read())).filter(isShown);
    if (fills.length === 0) return null;
    const newest = fills.toSorted((a, b) => b.block_number - a.block_number);
    const { explore } = await import("../charts/explore/explore.ts");
    const { html } = explore(newest.slice(0, MOST.shown), { href: "/" });
    return { intro: raw(html), script: await scriptSource() };
  }

  /** Tables need native code, so they are loaded for the first view only. */
  async #read(): Promise<readonly Fill[]> {
    const { openMarket } = await import("../market/mod.ts");
    const { last } = GOES_ON;
    const market = await openMarket(this.#source, this.#about.isFixed ? {} : { last });
    const fills = await market.fills();
    return (fills.select(...COLUMNS) as Frame).toRecords<Fill>();
  }
}

let known: Promise<string> | undefined;

/** The hash of the script, which is the same in all views. */
function scriptSource(): Promise<string> {
  return known ??= (async () => {
    const { explorationScript } = await import("../charts/explore/exploration_view.ts");
    const text = new TextEncoder().encode(explorationScript());
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
    return `'sha256-${btoa(String.fromCharCode(...hash))}'`;
  })();
}
