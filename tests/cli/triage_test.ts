import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { csvCells, csvLine, findUids } from "../../lib/cli/actions/triage_action.ts";
import { replay } from "../../lib/recordings/mod.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { orderlens } from "./memory_io.ts";

const recording = await replay("market_1");
const UIDS = recording.recorded.orderUids.slice(0, 30);
const HERE = ["--recording", "market_1"];
const HEADER = "order_id,expired,expired_detail,quoter,quoter_name,did_bid,bid_layer," +
  "discard_reason,verdict,sentence,evidence_auction,network,environment";
/** A log with UIDs in any letter case, some twice. */
const LOG = UIDS.map((uid, at) =>
  `{"at":${at},"uid":"${at % 2 === 0 ? uid : uid.toUpperCase().replace("0X", "0x")}"}, ${uid}\n`
).join("");

/** Cells of CSV by line, without the first. */
function rowsOf(text: string): string[][] {
  const [head, ...lines] = text.split(/(?<=\r\n)/);
  assertEquals(head, `${HEADER}\r\n`);
  return lines.map((line) => csvCells(line) ?? [`no row: ${line}`]);
}

Deno.test("orderlens triage prints a row for each UID of a text, and counts on stderr", async () => {
  const { code, out, err } = await orderlens(["triage", "-", ...HERE], { input: LOG });
  assertEquals(code, 0);
  assertEquals(rowsOf(out).map(([uid]) => uid), UIDS);
  assertStringIncludes(err, "By verdict\n");
  assertStringIncludes(err, "By quoter\n");
  const filled = rowsOf(out).filter((row) => row[8] === "filled").length;
  assert(new RegExp(`^ {2}filled +${filled}$`, "m").test(err), err);
});

Deno.test("orderlens triage --json and --table have the same orders", async () => {
  const json = await orderlens(["triage", "-", ...HERE, "--json", "--quiet"], { input: LOG });
  const rows = json.out.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(
    rows.map(({ schema, order_id }) => [schema, order_id]),
    UIDS.map((uid) => [
      "orderlens/triage@1",
      uid,
    ]),
  );
  assertEquals(json.err, "");
  const options = { input: LOG, isTerminal: true };
  const table = await orderlens(["triage", "-", ...HERE, "--table"], options);
  const lines = table.out.trimEnd().split("\n");
  assertEquals(lines.length, UIDS.length + 1);
  assert(lines.slice(1).every((line) => line.length <= 80));
});

Deno.test("orderlens triage --resume goes on at any byte, with the rows of one run", async () => {
  await withFolder(async (folder) => {
    const words = (file: string) => ["triage", "-", ...HERE, "--resume", `${folder}/${file}`];
    const whole = await orderlens(words("whole.csv"), { input: LOG });
    assertEquals([whole.code, whole.out], [0, ""]);
    const bytes = await Deno.readFile(`${folder}/whole.csv`);
    for (const end of [0, 7, 400, 2_000, bytes.length - 1, bytes.length]) {
      await Deno.writeFile(`${folder}/part.csv`, bytes.subarray(0, end));
      const { code, err } = await orderlens(words("part.csv"), { input: LOG });
      assertEquals(code, 0);
      assertEquals(await Deno.readFile(`${folder}/part.csv`), bytes, `${end} bytes`);
      assertEquals(
        err.slice(err.indexOf("By verdict")),
        whole.err.slice(whole.err.indexOf("By v")),
      );
    }
    await Deno.writeTextFile(`${folder}/notes.txt`, "my notes\n");
    const { code, err } = await orderlens(words("notes.txt"), { input: LOG });
    assertEquals(code, 2);
    assertStringIncludes(err, "not a row of this command");
    assertEquals(await Deno.readTextFile(`${folder}/notes.txt`), "my notes\n");
  });
});

Deno.test("orderlens triage reads Parquet", async () => {
  await withFolder(async (folder) => {
    const { default: pl } = await import("nodejs-polars");
    const frame = pl.DataFrame({ note: ["a", "b"], uid: [UIDS[4]!, `${UIDS[2]} and ${UIDS[4]}`] });
    frame.writeParquet(`${folder}/orders.parquet`);
    const { out } = await orderlens(["triage", `${folder}/orders.parquet`, ...HERE]);
    assertEquals(rowsOf(out).map(([uid]) => uid), [UIDS[4], UIDS[2]]);
  });
});

Deno.test("orderlens triage says what is wrong with its words and files", async () => {
  const missing = await orderlens(["triage", "no/such/file", ...HERE]);
  assertEquals([missing.code, missing.out], [5, ""]);
  assertStringIncludes(missing.err, "no/such/file cannot be read");
  assert(!missing.err.includes("No UID was found"), missing.err);
  const clash = await orderlens(["triage", "-", ...HERE, "--table", "--json"]);
  assertEquals(clash.code, 2);
  const none = await orderlens(["triage", "-", ...HERE], { input: "nothing 0x12" });
  assertEquals([none.code, none.out], [0, `${HEADER}\r\n`]);
});

Deno.test("findUids() finds UIDs across pieces of any length, and nothing longer or shorter", async () => {
  const [a, b] = UIDS as [string, string];
  const text = `${a}${b} 0x${a} ${a}0 x${b} "${a}"\\n${b},${a.slice(0, -1)} ${b}`;
  const found = [a, b, a, b, b];
  for (const size of [1, 2, 3, 50, 114, 115, 116, 117, 1_000]) {
    const pieces = Array.from(
      { length: Math.ceil(text.length / size) },
      (_, at) => text.slice(at * size, (at + 1) * size),
    );
    assertEquals(await Array.fromAsync(findUids(pieces)), found, `pieces of ${size}`);
  }
});

Deno.test("csvLine() keeps other people's words in their cell", () => {
  const hostile = ['=cmd("x")', 'a,"b"', "line\r\nbreak", "\x1b[2Jgone", "\u202eright", "", "-1"];
  const line = csvLine([...hostile, null, 12]);
  assertEquals(line.indexOf("\r\n"), line.length - 2);
  assertEquals(csvCells(line), [
    `'=cmd("x")`,
    'a,"b"',
    "line��break",
    "�[2Jgone",
    "�right",
    "",
    "'-1",
    "",
    "12",
  ]);
  for (const part of ['a,"b', "a", 'a"b\r\n', "a\r\nb\r\n"]) assertEquals(csvCells(part), null);
});
