import pl, { type DataFrame } from "nodejs-polars";
import { createHash } from "node:crypto";

/**
 * Replaces a table's file by another one that the manifest agrees with, and returns what undoes it.
 */
export async function rewriteTable(
  folder: string,
  path: string,
  change: (frame: DataFrame) => DataFrame,
): Promise<() => Promise<void>> {
  const names = [path, "manifest.json", "SHA256SUMS"].map((name) => `${folder}/${name}`);
  const before = await Promise.all(names.map((name) => Deno.readFile(name)));
  const [table = "", manifestFile = "", sums = ""] = names;
  const changed = change(pl.readParquet(table));
  changed.writeParquet(table, { compression: "zstd" });
  const manifest = JSON.parse(await Deno.readTextFile(manifestFile));
  const entry = manifest.files.find((file: { path: string }) => file.path === path);
  const bytes = await Deno.readFile(table);
  const key = entry.leastKey.length;
  const keyColumns = KEYS[path.split("/")[0]!] ?? changed.columns.slice(3, 3 + key);
  const keys = changed.select(...keyColumns);
  Object.assign(entry, {
    sha256: createHash("sha256").update(bytes).digest("hex"),
    bytes: bytes.length,
    rows: changed.height,
    leastKey: keys.row(0),
    greatestKey: keys.row(changed.height - 1),
  });
  await Deno.writeTextFile(manifestFile, JSON.stringify(manifest, null, 1) + "\n");
  const digest = createHash("sha256").update(await Deno.readFile(manifestFile)).digest("hex");
  const lines = (await Deno.readTextFile(sums)).split("\n").map((line) =>
    line.endsWith(`  ${path}`)
      ? `${entry.sha256}  ${path}`
      : line.endsWith("  manifest.json")
      ? `${digest}  manifest.json`
      : line
  );
  await Deno.writeTextFile(sums, lines.join("\n"));
  return async () => {
    for (const [place, name] of names.entries()) await Deno.writeFile(name, before[place]!);
  };
}

const KEYS: Readonly<Record<string, readonly string[]>> = {
  orders: ["order_uid"],
  trades: ["chain_id", "block_number", "log_index"],
  solutions: ["auction_id", "ranking"],
  auctions: ["auction_id"],
  settlements: ["chain_id", "tx_hash"],
  protocol_fees: ["chain_id", "block_number", "log_index", "position"],
};
