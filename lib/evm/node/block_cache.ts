import { isWhole } from "../../errors/is_whole.ts";
import type { LineCache } from "./line_cache.ts";
import { type CachedNode, nowSeconds, openCache, type OpenFile } from "./node_cache.ts";
import type { CachedRpcOptions } from "./rpc_options.ts";

/** Blocks per file, so that reading one stays fast however much is cached. */
const BLOCKS_PER_FILE = 100_000;
/** Age at fetching from which no reorganization replaces a block. */
const FINAL_AFTER_SECONDS = 3_600;
/** How long a younger block stays valid in the cache. */
const FRESH_SECONDS = 600;

/** Timestamps of blocks on disk, in files of 100,000 blocks each. */
export class BlockCache {
  readonly #open: OpenFile | null;
  readonly #now: () => number;
  readonly #files = new Map<number, LineCache>();

  private constructor(open: OpenFile | null, now: () => number) {
    this.#open = open;
    this.#now = now;
  }

  /** Opens the cache of the node's chain. */
  static async open(node: CachedNode, options: CachedRpcOptions): Promise<BlockCache> {
    return new BlockCache(await openCache(node, options), () => nowSeconds(options));
  }

  /** The cached timestamps of some of these blocks. */
  async read(blocks: readonly number[]): Promise<Map<number, number>> {
    const found = new Map<number, number>();
    for (const [part, wanted] of byPart(blocks)) {
      const known = new Map(
        (await this.#file(part)?.read() ?? []).flatMap((line) => this.#use(line)),
      );
      for (const block of wanted) {
        const at = known.get(block);
        if (at !== undefined) found.set(block, at);
      }
    }
    return found;
  }

  /** Stores timestamps. */
  async append(seconds: ReadonlyMap<number, number>): Promise<void> {
    const now = this.#now();
    for (const [part, blocks] of byPart(seconds.keys())) {
      await this.#file(part)?.append(blocks.map((block) => [block, seconds.get(block)!, now]));
    }
  }

  #file(part: number): LineCache | undefined {
    const known = this.#files.get(part) ?? this.#open?.(`block_times_${part}`);
    if (known !== undefined) this.#files.set(part, known);
    return known;
  }

  /** A line's block and timestamp, unless a reorganization may have replaced the block since. */
  #use([block, at, fetchedAt]: readonly unknown[]): [number, number][] {
    if (!isWhole(block, 0) || !isWhole(at, 0) || !isWhole(fetchedAt, 0)) return [];
    const isFinal = fetchedAt - at >= FINAL_AFTER_SECONDS;
    const isFresh = Math.abs(this.#now() - fetchedAt) < FRESH_SECONDS;
    return isFinal || isFresh ? [[block, at]] : [];
  }
}

/** Blocks by the file that they are in. */
function byPart(blocks: Iterable<number>): Map<number, number[]> {
  const parts = new Map<number, number[]>();
  for (const block of blocks) {
    const part = Math.floor(block / BLOCKS_PER_FILE);
    const known = parts.get(part);
    if (known === undefined) parts.set(part, [block]);
    else known.push(block);
  }
  return parts;
}
