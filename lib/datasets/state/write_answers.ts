import { VERSION } from "../../http/mod.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import { type AnswerSources, deriveAnswers } from "../shards/derive_answers.ts";
import { ANSWER_NAMES } from "../shards/published_tables.ts";
import type { TableContext } from "../shards/table_context.ts";
import type { ExportState } from "./export_state.ts";

/** Name of what says which version derived the answers; empty while records change. */
const DERIVED = "derived";

/**
 * Writes what follows from the records, unless it stands there already. Without an end, a run leaves
 * records without answers, which the next run or a rebuild adds.
 */
export async function writeAnswers(
  { paths, state }: { readonly paths: DatasetPaths; readonly state: ExportState },
  context: TableContext,
  { signal, atHand }: Pick<AnswerSources, "signal" | "atHand">,
): Promise<void> {
  if (state.meta(DERIVED) === VERSION) return;
  const raws = state.files().filter(({ path }) => path.startsWith("raw/"));
  // A run that is stopped while it follows still leaves answers.
  const ended = signal?.aborted === true ? undefined : signal;
  const files = await deriveAnswers({ paths, raws, context, signal: ended, atHand });
  const shardOf = new Map(raws.map(({ path, shard }) => [path, shard]));
  state.inOneStep(() => {
    for (const { raw, path, sha256, bytes, rows, leastKey, greatestKey } of files) {
      state.run(
        "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?)",
        path,
        shardOf.get(raw)!,
        sha256,
        bytes,
        rows,
        JSON.stringify(leastKey),
        JSON.stringify(greatestKey),
      );
    }
    state.setMeta(DERIVED, VERSION);
  });
}

/** Forgets the answers, since records change: a manifest names none until they are derived again. */
export function forgetAnswers(state: ExportState): void {
  state.setMeta(DERIVED, "");
  for (const name of ANSWER_NAMES) state.run("DELETE FROM files WHERE path GLOB ?", `${name}/*`);
}
