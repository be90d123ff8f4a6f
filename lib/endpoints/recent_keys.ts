/** How many pages back a row can be met again. */
const PAGES_KEPT = 8;

/** The keys of the rows of the last pages, so that memory does not grow with a long list. */
export class RecentKeys {
  readonly #pages: Set<string>[] = [];

  /** Begins a page. */
  turnPage(): void {
    this.#pages.unshift(new Set());
    this.#pages.length = Math.min(this.#pages.length, PAGES_KEPT);
  }

  /** Adds a key; `false` if a row of the last pages has it. */
  add(key: string): boolean {
    if (this.#pages.some((page) => page.has(key))) return false;
    this.#pages[0]?.add(key);
    return true;
  }
}
