import type { Exchange } from "../../recordings/exchange.ts";
import { routeOf } from "../../recordings/request_key.ts";
import type { DatasetManifest } from "../layout/manifest.ts";
import { answeredItem } from "../shards/answered_item.ts";

/** Counts the answers of files, as a manifest does: by route and status, and the things they are for. */
export class AnswerCounts {
  readonly #routes = new Map<string, number>();
  readonly #things = new Map<string, number>();
  #last = "";

  /** Counts an answer of a file; those for one thing stand next to each other. */
  noted(exchange: Exchange, file: string): Exchange {
    const { method, path, status } = exchange;
    add(this.#routes, `${method} ${routeOf(path)} ${status}`);
    const { kind, key } = answeredItem(exchange, file);
    const thing = `${file} ${kind} ${key}`;
    if (thing !== this.#last) add(this.#things, kind);
    this.#last = thing;
    return exchange;
  }

  /** What a manifest says of these answers that is not so. Something that failed may have answers. */
  falseClaims({ answers, items }: DatasetManifest): string[] {
    const said: string[] = [];
    for (const route of new Set([...Object.keys(answers), ...this.#routes.keys()])) {
      const [count, found] = [answers[route] ?? 0, this.#routes.get(route) ?? 0];
      if (count !== found) said.push(`it counts ${count} answers of ${route}, its files ${found}`);
    }
    for (const kind of new Set([...Object.keys(items), ...this.#things.keys()])) {
      if (kind === "settlement" || kind === "other") continue;
      const states = items[kind] ?? {};
      const most = Object.values(states).reduce((sum, count) => sum + count, 0);
      const found = this.#things.get(kind) ?? 0;
      if (found <= most && found >= most - (states.failed ?? 0)) continue;
      said.push(`it counts ${most} things of kind ${kind}, its files ${found}`);
    }
    return said;
  }
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
