import { assertEquals } from "@std/assert";
import { listShards } from "../../lib/datasets/export/list_shards.ts";
import { DatasetPaths, padId } from "../../lib/datasets/layout/files.ts";
import { ExportState } from "../../lib/datasets/state/export_state.ts";
import { inFolder } from "../sandbox/temp_folder.ts";

inFolder.test("listShards() finds the floor below gaps that are longer together than one may be", async (folder) => {
  const paths = new DatasetPaths(folder);
  await Deno.mkdir(paths.internal, { recursive: true });
  using state = new ExportState(paths);
  // Each of the last ids has 39 without an auction before it: a hundred in all, and never 64 in a row.
  const present = [1_520, 1_560, 1_600, 1_640, 1_680];
  const isPresent = (id: number) => present.includes(id) || id > 1_680;
  const asked = new Set<number>();
  const transport = {
    baseUrl: "http://localhost",
    send({ path }: { path: string }) {
      const id = Number(/\d+$/.exec(path)?.[0]);
      asked.add(id);
      // What cannot be read is there.
      const [status, body] = isPresent(id)
        ? [200, "{}"]
        : [404, '{"errorType":"NotFound","description":"no"}'];
      const headers = new Headers();
      return Promise.resolve({ status, contentType: "application/json", headers, body });
    },
  };
  const range = { from: 1_000, to: 2_200 };
  const asking = { transport, state, signal: undefined };
  assertEquals(await listShards(asking, { range } as Parameters<typeof listShards>[1]), [1, 2]);
  const older = state.query<{ key: string }>(
    "SELECT key FROM items WHERE state = 'beforeHistory' ORDER BY key",
  ).map(({ key }) => key);
  assertEquals([older.length, older[0], older.at(-1)], [520, padId(1_000), padId(1_519)]);
  assertEquals([state.readMeta("floor"), asked.has(1_456)], ["1520", true]);
});
