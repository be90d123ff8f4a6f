/** Number of previous pages in which a row may occur again. */
const PAGES_KEPT = 8;

/** The keys of the rows of the latest pages only, so that memory does not grow with the list. */
export class RecentKeys {
  readonly #pages: Set<string>[] = [];

  /** Starts a page. */
  turnPage(): void {
    this.#pages.unshift(new Set());
    this.#pages.length = Math.min(this.#pages.length, PAGES_KEPT);
  }

  /** Adds a key; returns `false` if a row of the latest pages has it. */
  add(key: string): boolean {
    if (this.#pages.some((page) => page.has(key))) return false;
    this.#pages[0]?.add(key);
    return true;
  }
}
