import type { DatabaseSync } from "node:sqlite";
import { InputError } from "../../errors/mod.ts";
import { routeOf } from "../../recordings/request_key.ts";
import { sha256 } from "../layout/durable_files.ts";
import type { ItemState } from "../layout/manifest.ts";
import { isAbsence } from "../shards/answered_item.ts";
import { type ItemAnswers, printAnswers } from "../state/segment_lines.ts";
import { answerProgress, areContrary, compareProgress } from "./answer_progress.ts";

/** A file of answers of one of the datasets. */
export interface AnswerFile {
  /** Place of the dataset among the inputs. */
  readonly input: number;
  /** Its folder, for errors. */
  readonly folder: string;
  /** Name of the 1,000 auctions. */
  readonly shard: string;
}

interface IndexRow {
  readonly shard: string;
  readonly input: number;
  readonly fromShard: string;
  readonly folder: string;
  readonly sha256: string;
  readonly content: string;
  readonly progress: string;
}

const TABLES = `
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
CREATE TABLE items (
  kind TEXT, key TEXT, shard TEXT, input INTEGER, fromShard TEXT, folder TEXT, sha256 TEXT,
  content TEXT, progress TEXT, routes TEXT, lines INTEGER, isFound INTEGER, PRIMARY KEY (kind, key)
) WITHOUT ROWID;
CREATE INDEX items_by_shard ON items (shard, input, fromShard);
CREATE TABLE counts (input INTEGER, shard TEXT, items INTEGER, PRIMARY KEY (input, shard));
`;

/**
 * Which dataset has the answer that counts for each thing, and in which 1,000 auctions it stands: in
 * the first ones of all datasets, as if they had been one export.
 */
export class AnswerIndex {
  readonly #database: DatabaseSync;

  /** Creates the index in a file. */
  constructor(file: string) {
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    this.#database = new DatabaseSync(file);
    this.#database.exec(TABLES);
  }

  /**
   * Notes the answers of a file; files are added in the order of their auctions.
   *
   * @param isAlone Whether no other dataset has these 1,000 auctions.
   * @throws {InputError} If an answer differs from that of another dataset, and none is later.
   */
  async add(
    file: AnswerFile,
    items: AsyncIterable<ItemAnswers>,
    isAlone: boolean,
  ): Promise<void> {
    const find = this.#database.prepare("SELECT * FROM items WHERE kind = ? AND key = ?");
    const insert = this.#database.prepare(
      "INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    const replace = this.#database.prepare(
      `UPDATE items SET input = ?, fromShard = ?, folder = ?, sha256 = ?, content = ?, progress = ?,
       routes = ?, lines = ?, isFound = ? WHERE kind = ? AND key = ?`,
    );
    let count = 0;
    for await (const item of items) {
      const { kind, key, answers } = item;
      count++;
      const known = find.get(kind, key) as IndexRow | undefined;
      const hash = sha256(printAnswers(item));
      if (known?.sha256 === hash) continue;
      const isCompared = kind !== "competition" || !isAlone;
      const content = isCompared ? answerContent(item) : "";
      if (known !== undefined && known.content === content) continue;
      const progress = isCompared ? answerProgress(kind, answers) : [];
      if (known !== undefined && !isLater(item, { file, progress, known })) continue;
      const values = [
        file.input,
        file.shard,
        file.folder,
        hash,
        content,
        JSON.stringify(progress.map(String)),
        routesOf(item),
        answers.length,
        answers.some((one) => !isAbsence(kind, one)) ? 1 : 0,
      ];
      if (known === undefined) insert.run(kind, key, file.shard, ...values);
      else replace.run(...values, kind, key);
    }
    this.#database.prepare("INSERT INTO counts VALUES (?, ?, ?)").run(
      file.input,
      file.shard,
      count,
    );
  }

  /** Whether the answers of a file count for a thing, and stand in some 1,000 auctions. */
  counts(kind: string, key: string, at: { input: number; fromShard: string; shard: string }) {
    const row = this.#database.prepare(
      "SELECT input, fromShard, shard FROM items WHERE kind = ? AND key = ?",
    ).get(kind, key);
    return row?.input === at.input && row.fromShard === at.fromShard && row.shard === at.shard;
  }

  /** The files whose answers stand in some 1,000 auctions. */
  filesOf(shard: string): { input: number; fromShard: string; items: number }[] {
    return this.#all(
      `SELECT input, fromShard, count(*) AS items FROM items WHERE shard = ?
       GROUP BY input, fromShard ORDER BY input, fromShard`,
      shard,
    );
  }

  /** The first 1,000 auctions that name the block of a key, whose table has it. */
  publisherOf(key: string): string {
    const [block = ""] = key.split(" ");
    const [row] = this.#all<{ shard: string }>(
      "SELECT min(shard) AS shard FROM items WHERE kind = 'block' AND key >= ? AND key < ?",
      `${block} `,
      `${block}!`,
    );
    return row?.shard ?? "";
  }

  /** Number of things in a file. */
  itemsIn(input: number, shard: string): number {
    const [row] = this.#all<{ items: number }>(
      "SELECT items FROM counts WHERE input = ? AND shard = ?",
      input,
      shard,
    );
    return row?.items ?? 0;
  }

  /** Number of answers that stand in some 1,000 auctions. */
  linesOf(shard: string): number {
    const [row] = this.#all<{ lines: number }>(
      "SELECT sum(lines) AS lines FROM items WHERE shard = ?",
      shard,
    );
    return row?.lines ?? 0;
  }

  /** The dataset whose answer counts for a thing; `undefined` if none has one. */
  inputOf(kind: string, key: string): number | undefined {
    const [row] = this.#all<{ input: number }>(
      "SELECT input FROM items WHERE kind = ? AND key = ?",
      kind,
      key,
    );
    return row?.input;
  }

  /** Number of things by kind and by whether they were found. */
  states(): { kind: string; state: ItemState; count: number }[] {
    return this.#all(
      `SELECT kind, CASE isFound WHEN 1 THEN 'present' ELSE 'absent' END AS state,
       count(*) AS count FROM items GROUP BY kind, state ORDER BY kind, state`,
    );
  }

  /** Number of answers by method, route and status. */
  routes(): Record<string, number> {
    const counts = new Map<string, number>();
    for (
      const { routes, times } of this.#all<{ routes: string; times: number }>(
        "SELECT routes, count(*) AS times FROM items GROUP BY routes",
      )
    ) {
      for (const route of JSON.parse(routes) as string[]) {
        counts.set(route, (counts.get(route) ?? 0) + times);
      }
    }
    return Object.fromEntries([...counts].sort(([a], [b]) => a < b ? -1 : 1));
  }

  /** Closes the index. */
  close(): void {
    this.#database.close();
  }

  #all<Row>(sql: string, ...values: (string | number)[]): Row[] {
    return this.#database.prepare(sql).all(...values) as Row[];
  }
}

function isLater(
  { kind, key }: ItemAnswers,
  { file, progress, known }: {
    readonly file: AnswerFile;
    readonly progress: readonly bigint[];
    readonly known: IndexRow;
  },
): boolean {
  const before = (JSON.parse(known.progress) as string[]).map(BigInt);
  const order = areContrary(kind, progress, before) ? 0 : compareProgress(progress, before);
  if (order !== 0) return order > 0;
  throw new InputError(`Cannot merge ${known.folder} with ${file.folder}: answers differ`, {
    facts: {
      "answer for": `${kind} ${kind === "competition" ? Number(key) : key}`,
      "in the first": `raw/${known.fromShard}.ndjson.zst`,
      "in the second": `raw/${file.shard}.ndjson.zst`,
    },
    remedy: "Resume both exports so that both have the last answer, or leave one of them out",
  });
}

function routesOf({ answers }: ItemAnswers): string {
  const routes = answers.map(({ method, path, status }) => `${method} ${routeOf(path)} ${status}`);
  return JSON.stringify(routes);
}

/**
 * SHA-256 of what answers say: the same for two answers about an auction that differ in the order of
 * its transactions, and of orders in its solutions, alone. The service keeps no order of either, and
 * two answers of one moment may have another.
 */
function answerContent(item: ItemAnswers): string {
  const { kind, answers } = item;
  if (kind !== "competition") return sha256(printAnswers(item));
  return sha256(
    JSON.stringify(answers.map(({ status, responseBody }) => [status, sortedBody(responseBody)])),
  );
}

function sortedBody(text: string): unknown {
  try {
    const { transactionHashes, solutions, ...others } = JSON.parse(text);
    return {
      ...others,
      transactionHashes: transactionHashes.toSorted(),
      solutions: solutions.map(({ orders, ...solution }: { orders: { id: string }[] }) => ({
        ...solution,
        orders: orders.toSorted((a, b) => a.id < b.id ? -1 : 1),
      })),
    };
  } catch {
    // Not a competition: it is what it says, character for character.
    return text;
  }
}
