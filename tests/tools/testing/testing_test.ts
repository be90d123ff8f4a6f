import { assertEquals } from "@std/assert";
import { redirectUserCache } from "../../../tools/testing/cache_variables.ts";
import { findPages } from "../../../tools/testing/find_pages.ts";
import { findMissingSnapshots } from "../../../tools/testing/missing_snapshots.ts";
import { hasPaths } from "../../../tools/testing/names_paths.ts";
import { sumChildSeconds } from "../../../tools/testing/processor_time.ts";
import { rankSlowest } from "../../../tools/testing/slowest_modules.ts";
import { listLeftovers } from "../../../tools/run_tests.ts";
import { ended, PIPES } from "../../line_process.ts";
import { withFiles, withFolder } from "../../sandbox/temp_folder.ts";
import { Progress } from "../../../tools/terminal/progress.ts";
import { SilentScreen } from "../silent_screen.ts";
import { formatSeconds } from "../../../tools/terminal/seconds.ts";

Deno.test("findPages() finds the Markdown files with examples", async () => {
  const files = {
    "README.md": "# Sample\n\n```ts\n1;\n```\n",
    "lib/plain.md": "# Plain\n\n```sh\nls\n```\n",
    "lib/deep/page.md": "# Page\n\n```ts\n2;\n```\n",
    "lib/node_modules/other.md": "```ts\n3;\n```\n",
    "docs/unlisted.md": "```ts\n4;\n```\n",
  };
  await withFiles(files, async (root) => {
    assertEquals(await findPages(root, ["lib", "README.md"]), ["lib/deep/page.md", "README.md"]);
  });
});

Deno.test("findMissingSnapshots() finds the tests whose first snapshot is not written yet", async () => {
  const keeps = 'Deno.test("kept", async (t) => {\n  await t.assertSnapshot("as it was");\n});\n';
  const files = {
    "tests/units/kept_test.ts": keeps,
    "tests/units/__snapshots__/kept_test.ts.snap": "export const snapshot = {};\n",
    "tests/units/new_test.ts": keeps,
    "tests/units/plain_test.ts": 'Deno.test("plain", () => {});\n',
    "tests/evm/new_test.ts": keeps,
  };
  await withFiles(files, async (root) => {
    const missing = await findMissingSnapshots(root, ["tests"]);
    assertEquals(missing, ["tests/evm/new_test.ts", "tests/units/new_test.ts"]);
    assertEquals(await findMissingSnapshots(root, ["tests/units/kept_test.ts"]), []);
  });
});

Deno.test("hasPaths() distinguishes files from options and their values", () => {
  const isNamed = (line: string) => hasPaths(line.split(" ").filter(Boolean));
  const none = [
    "",
    "--filter=units",
    "--filter tests/units",
    "-u",
    "--fail-fast",
    "--reporter dot",
  ];
  assertEquals(none.filter(isNamed), []);
  const some = ["tests/units", "--filter bps tests/units", "-u tests/units"];
  assertEquals(some.filter(isNamed), some);
});

Deno.test("sumChildSeconds() adds user and system time of ended children, after any name", () => {
  const stat = "71 (a (b) c) S 1 71 71 0 -1 4194560 9 8 7 6 150 25 1250 75 20 0 1 0 12 3 4\n";
  assertEquals(sumChildSeconds(stat), 13.25);
});

/** As Deno 2.9.6 writes it. */
const REPORT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="deno test" tests="5" failures="1" errors="0" time="3.000">
    <testsuite name="./tests/units/bps_test.ts" tests="2" disabled="0" errors="0" failures="1">
        <testcase name="bps() &gt; 0" classname="./tests/units/bps_test.ts" time="0.250" line="3" col="6">
        </testcase>
        <testcase name="bps() of none" classname="./tests/units/bps_test.ts" time="0.500" line="9" col="6">
            <failure message="Uncaught Error: time=&quot;9&quot;">Error: time=&quot;9&quot;</failure>
        </testcase>
    </testsuite>
    <testsuite name="./tests/charts/draw_test.ts" tests="3" disabled="0" errors="0" failures="0">
        <testcase name="draws" classname="./tests/charts/draw_test.ts" time="2.000" line="3" col="6">
        </testcase>
        <testcase name="draws &gt; nothing" classname="./tests/charts/draw_test.ts" time="1.000" line="4" col="6">
        </testcase>
        <testcase name="draws &gt; nothing &gt; at all" classname="./tests/charts/draw_test.ts" time="1.000" line="5" col="6">
        </testcase>
    </testsuite>
</testsuites>
`;

Deno.test("rankSlowest() sums the tests per module, without counting steps twice", () => {
  const [first, second] = rankSlowest(REPORT, 10);
  assertEquals(first, { module: "tests/charts/draw_test.ts", sec: 2 });
  assertEquals(second?.module, "tests/units/bps_test.ts");
  assertEquals(second?.sec, 0.75);
  assertEquals(rankSlowest(REPORT, 1), [first]);
  assertEquals(rankSlowest("", 10), []);
});

Deno.test("listLeftovers() lists files, and folders with their first entries, sorted", async () => {
  await withFolder(async (folder) => assertEquals(await listLeftovers(folder), []));
  const names = ["c/raw/x", "c/z.csv", "c/a.csv", "c/m.csv", "a.html"];
  const engines = ["chromium", "libEGL.so", "libvulkan.so.1"];
  await withFiles(
    Object.fromEntries([...names, ...engines].map((name) => [name, ""])),
    async (folder) => {
      await Deno.mkdir(`${folder}/b`);
      await Deno.symlink(`${folder}/gone`, `${folder}/d`);
      assertEquals(await listLeftovers(folder), [
        "a.html",
        "b/ (empty)",
        "c/ (a.csv, m.csv, raw)",
        "d",
      ]);
    },
  );
});

Deno.test("redirectUserCache() redirects files of the library, but no modules", async () => {
  await withFolder(async (folder) => {
    const env = await redirectUserCache(folder);
    const { code, out, err } = await ended(
      new Deno.Command(Deno.execPath(), { args: ["run", "-A", "--no-check", "-"], env, ...PIPES }),
      `const { findUserCacheFolder } = await import(${
        JSON.stringify(
          new URL("../../../lib/datasets/rate_limit/host_limit.ts", import.meta.url).href,
        )
      });
      console.log(findUserCacheFolder());`,
    );
    assertEquals([code, out], [0, `${folder}/orderlens\n`], err);
    assertEquals([...Deno.readDirSync(folder)], []);
  });
});

Deno.test("Progress overwrites one line of a terminal, or writes whole lines of a log but none per step", () => {
  for (
    const [columns, text] of [
      [80, "\r\x1b[KFetching (0.0 s)\r\x1b[KUnpacking (0.0 s)\r\x1b[KFetched 3 packages\n"],
      [undefined, "Fetching (0.0 s)\nFetched 3 packages\n"],
    ] as const
  ) {
    const screen = new SilentScreen(columns);
    {
      using progress = new Progress("Fetching", screen);
      progress.update("Unpacking");
      progress.say("Fetched 3 packages");
    }
    assertEquals(screen.text, text);
  }
});

Deno.test("Progress truncates lines at the edge of a terminal, or at 80 columns, but not the time", () => {
  for (const [columns, line] of [[30, `${"x".repeat(20)}…`], [0, "x".repeat(50)]] as const) {
    const screen = new SilentScreen(columns);
    {
      using _progress = new Progress("x".repeat(50), screen);
    }
    assertEquals(screen.text, `\r\x1b[K${line} (0.0 s)\r\x1b[K`);
  }
});

Deno.test("formatSeconds() shows tenths below ten seconds, minutes from sixty on", () => {
  const texts = [0, 849, 9_949, 9_950, 59_499, 59_500, 125_000].map(formatSeconds);
  assertEquals(texts.join(", "), "0.0 s, 0.8 s, 9.9 s, 10 s, 59 s, 1 min 0 s, 2 min 5 s");
});
