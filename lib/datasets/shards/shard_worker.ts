/**
 * A worker that builds one shard after another, for {@linkcode ShardBuilders}.
 *
 * @module
 */
import { buildShard, type BuiltShard } from "./build_shard.ts";
import type { TableContext } from "./table_context.ts";

/** A shard to build. */
export interface ShardTask {
  /** File of the answers. */
  readonly raw: string;
  /** What the tables are built with. */
  readonly context: TableContext;
  /** Where the file of each table goes. */
  readonly files: Readonly<Record<string, string>>;
}

/** What was built; `null` if it could not be. */
export type ShardReply = BuiltShard | null;

addEventListener("message", async (event: Event) => {
  if (!(event instanceof MessageEvent)) return;
  const { raw, context, files }: ShardTask = event.data;
  let reply: ShardReply = null;
  try {
    const { tables, drift } = await buildShard(raw, context, (table) => files[table]!);
    reply = { tables, drift };
  } catch { /* An error loses its class on the way; whoever asked builds the shard itself. */ }
  event.ports[0]?.postMessage(reply);
});
