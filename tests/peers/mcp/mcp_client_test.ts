import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";
import { ended, PIPES } from "../../line_process.ts";
import { installPeers } from "../install_peers.ts";

const HERE = new URL("./", import.meta.url);
const LAUNCHER = fileURLToPath(new URL("../../../bin/orderlens", HERE));
const UID =
  "0x4e042b63cc16e729ac5cf8f4d8dc8bcdcc278d6ac538b4ebca2e3809cc21d9f8ba78423395063915fbf92bab6d4c769676f0f55e6b01b27f";

/** What each tool is called with, and what its answer has. */
const CALLS = [
  ["inspect_order", { order_uid: UID }, '"verdict":"expired_presignature_missing"'],
  ["triage_text", { text: `{"uid": "${UID}"}` }, '"found":1'],
  ["find_auction", { auction_id: 2624 }, '"isFound":true'],
  [
    "query_sql",
    { query: "SELECT score_won_atoms FROM leaderboard ORDER BY 1 DESC LIMIT 1" },
    '"score_won_atoms":"4544176930469255778"',
  ],
  ["describe_tables", {}, '"name":"leaderboard"'],
  ["query_sql", { query: "DROP VIEW fills" }, "it is DROP, not one SELECT"],
] as const;

Deno.test({
  name: "a client of another maker lists every tool of orderlens mcp and calls it",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const configuration = new URL("mcp.json", HERE);
    await installPeers({ what: "a client of the Model Context Protocol", configuration });
    const { out, err } = await ended(
      new Deno.Command(Deno.execPath(), {
        args: [
          ...["run", "-A", "--frozen", "--config", fileURLToPath(configuration)],
          ...[fileURLToPath(new URL("mcp_client.mjs", HERE)), LAUNCHER, "mcp"],
        ],
        ...PIPES,
      }),
      JSON.stringify(CALLS),
    );
    assert(out !== "", err);
    const { names, answers } = JSON.parse(out);
    assertEquals(new Set(names), new Set(CALLS.map(([name]) => name)));
    for (const [at, [, , text]] of CALLS.entries()) {
      assertStringIncludes(answers[at].content[0].text, text);
    }
    assertEquals(answers.map(({ isError = false }) => isError), [...Array(5).fill(false), true]);
  },
});
