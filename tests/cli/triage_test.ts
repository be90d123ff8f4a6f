import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { findUids } from "../../lib/cli/actions/find_uids.ts";
import { formatCsvLine, parseCsvLine } from "../../lib/cli/actions/triage_action.ts";
import { decodeText } from "../../lib/cli/terminal/io.ts";
import { replay } from "../../lib/recordings/mod.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { orderlens, refused, succeeds } from "./memory_io.ts";

const recording = await replay("market_1");
const UIDS = recording.recorded.orderUids.slice(0, 12);
const HERE = ["--recording", "market_1"];
const HEADER = "order_id,expired,expired_detail,quoter,quoter_name,did_bid,bid_layer," +
  "discard_reason,verdict,sentence,evidence_auction,network,environment";
/** A log with UIDs in any letter case, some twice. */
const LOG = UIDS.map((uid, at) =>
  `{"at":${at},"uid":"${at % 2 === 0 ? uid : uid.toUpperCase().replace("0X", "0x")}"}, ${uid}\n`
).join("");

/** A text or bytes in pieces of a size. */
function piecesOf<T extends string | Uint8Array>(whole: T, size: number): T[] {
  const count = Math.ceil(whole.length / size);
  return Array.from({ length: count }, (_, at) => whole.slice(at * size, (at + 1) * size) as T);
}

/** Cells of CSV by line, without the first. */
function rowsOf(text: string): string[][] {
  const [head, ...lines] = text.split(/(?<=\r\n)/);
  assertEquals(head, `${HEADER}\r\n`);
  return lines.map((line) => parseCsvLine(line) ?? [`no row: ${line}`]);
}

Deno.test("orderlens triage prints a row for each UID of a text, and counts on stderr", async () => {
  const { out, err } = await succeeds(["triage", "-", ...HERE], { input: LOG });
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
    UIDS.map((uid) => ["orderlens/triage@1", uid]),
  );
  assertEquals(json.err, "");
  const options = { input: LOG, isTerminal: true };
  const table = await orderlens(["triage", "-", ...HERE, "--table"], options);
  const lines = table.out.trimEnd().split("\n");
  assertEquals(lines.length, UIDS.length + 1);
  assert(lines.slice(1).every((line) => line.length <= 80));
});

inFolder.test("orderlens triage --resume resumes at any byte, with the rows of one run", async (folder) => {
  const words = (file: string) => ["triage", "-", ...HERE, "--resume", `${folder}/${file}`];
  const countsIn = (text: string) => text.slice(text.indexOf("By verdict"));
  // The first is an order that is not there; the recording names its solvers.
  const input = `0x${"01".repeat(56)}\n${LOG}`;
  const whole = await orderlens(words("whole.csv"), { input });
  assertEquals([whole.code, whole.out], [0, ""]);
  assertMatch(whole.err, /\nBy quoter\n {2}solver_b .*\n[^]* {2}\(unknown\) +1 order,/);
  const bytes = await Deno.readFile(`${folder}/whole.csv`);
  for (const end of [0, 400, bytes.length - 1]) {
    await Deno.writeFile(`${folder}/part.csv`, bytes.subarray(0, end));
    const { code, err } = await orderlens(words("part.csv"), { input });
    assertEquals(code, 0);
    assertEquals(await Deno.readFile(`${folder}/part.csv`), bytes, `${end} bytes`);
    assertEquals(countsIn(err), countsIn(whole.err));
  }
  const [uid, unread] = ["02", "01"].map((byte) => `0x${byte.repeat(56)}`);
  const unquoted = `${uid},no,,,,unknown,unknown,unknown,open,Open,,,\r\n`;
  await Deno.writeTextFile(`${folder}/two.csv`, `${HEADER}\r\n${unquoted}`);
  const two = await orderlens(words("two.csv"), { input: `${uid}\n${unread}` });
  assertMatch(two.err, /\n {2}\(no quote\) +1 order, .*\n {2}\(unknown\) +1 order, /);
  for (const notes of ["my notes\n", "my notes"]) {
    await Deno.writeTextFile(`${folder}/notes.txt`, notes);
    for (const format of [[], ["--json"]]) {
      const { code, err } = await orderlens([...words("notes.txt"), ...format], { input });
      assertEquals(code, 2);
      assertStringIncludes(err, "that this command did not write");
    }
    assertEquals(await Deno.readTextFile(`${folder}/notes.txt`), notes);
  }
  for (const part of [`{"sch`, `{"schema":"orderlens/triage@1","ord`]) {
    await Deno.writeTextFile(`${folder}/part.ndjson`, part);
    assertEquals((await orderlens([...words("part.ndjson"), "--json"], { input })).code, 0);
  }
});

inFolder.test("orderlens triage reads Parquet", async (folder) => {
  const { default: pl } = await import("nodejs-polars");
  const frame = pl.DataFrame({ note: ["a", "b"], uid: [UIDS[4]!, `${UIDS[2]} and ${UIDS[4]}`] });
  frame.writeParquet(`${folder}/orders.parquet`);
  const { out } = await orderlens(["triage", `${folder}/orders.parquet`, ...HERE]);
  assertEquals(rowsOf(out).map(([uid]) => uid), [UIDS[4], UIDS[2]]);
});

Deno.test("orderlens triage names the fault of its files", async () => {
  const missing = await refused(
    ["triage", "no/such/file", ...HERE],
    5,
    "no/such/file cannot be read",
  );
  assert(!missing.includes("No UIDs found"), missing);
  const none = await orderlens(["triage", "-", ...HERE], { input: "nothing 0x12" });
  assertEquals([none.code, none.out], [1, `${HEADER}\r\n`]);
  const near = await orderlens(["triage", "-", ...HERE], { input: `${UIDS[0]!.slice(0, -1)}\n` });
  assertEquals(near.code, 1);
  assertStringIncludes(near.err, "1 string looks like a UID but is not valid\n");
  assertStringIncludes(near.err, `${UIDS[0]!.slice(0, 10)}… has 111 hex digits, not 112\n`);
});

Deno.test("findUids() finds UIDs as databases, mails and terminals write them, in pieces of any length, and reports strings that only look like UIDs", async () => {
  const [a, b] = UIDS as [string, string];
  const [digits, other] = [a.slice(2), b.slice(2)];
  const wrapped = (end: string) => `0x${digits.slice(0, 60)}${end}${digits.slice(60)}`;
  const signature = `0x${"ab".repeat(65)}`;
  for (
    const [text, found, misses] of [
      [`\\x${digits}`, [a], []],
      [`{"uid":"\\\\x${digits}"}`, [a], []],
      [`${digits},${other}`, [a, b], []],
      [`> ${wrapped("\n> ")}`, [a], []],
      [wrapped("\r\n    "), [a], []],
      [`${a}\nbad ${b}\nadded`, [a, b], []],
      [`${a}\n${digits}\n${other}`, [a, a, b], []],
      [`0x${"a".repeat(40)}\n${digits}`, [a], []],
      [`${"ab".repeat(200)}${digits} x${digits} ${signature} ${"0xab".padEnd(66, "c")}`, [], []],
      [`${a}${b} 0x${a} x${b} "${a}"\\n${b},${a.slice(0, -1)} ${b}`, [a, b, a, b, b], [
        `${a.slice(0, 10)}… has 111 hex digits, not 112`,
      ]],
      [`${a}0 ${b.slice(0, -3)}`, [], [
        `${a.slice(0, 10)}… has 113 hex digits, not 112`,
        `${b.slice(0, 10)}… has 109 hex digits, not 112`,
      ]],
      [`${a.slice(0, 10)}…${a.slice(-6)}`, [], [`${a.slice(0, 10)}…${a.slice(-6)} is shortened`]],
    ] as const
  ) {
    for (const size of [1, 2, 3, 50, 114, 115, 116, 117, 1_000]) {
      const named: string[] = [];
      const pieces = findUids(piecesOf(text, size), (miss) => named.push(miss));
      const uids = await Array.fromAsync(pieces);
      assertEquals([text, size, uids, named], [text, size, [...found], [...misses]]);
    }
  }
});

Deno.test("orderlens triage reads UTF-16, with and without its mark, in parts of any length", async () => {
  const text = `uid;${UIDS[0]}\r\n`;
  for (const mark of ["\ufeff", ""]) {
    const units = Uint16Array.from(mark + text, (letter) => letter.charCodeAt(0));
    const little = new Uint8Array(units.buffer);
    const big = new Uint8Array(little.map((_, at) => little[at ^ 1]!));
    for (const bytes of [little, big, new TextEncoder().encode(mark + text)]) {
      for (const size of [1, 3, 1_000]) {
        const parts = (async function* () {
          yield* piecesOf(bytes, size);
        })();
        assertEquals((await Array.fromAsync(decodeText(parts))).join(""), text);
      }
    }
  }
});

Deno.test("formatCsvLine() keeps hostile text in its cell", () => {
  const hostile = ['=cmd("x")', 'a,"b"', "line\r\nbreak", "\x1b[2Jgone", "\u202eright", "", "-1"];
  const line = formatCsvLine([...hostile, null, 12]);
  assertEquals(line.indexOf("\r\n"), line.length - 2);
  const replaced = [`'=cmd("x")`, 'a,"b"', "line��break", "�[2Jgone", "�right", "", "-1", "", "12"];
  assertEquals(parseCsvLine(line), replaced);
  for (const part of ['a,"b', "a", 'a"b\r\n', "a\r\nb\r\n"]) assertEquals(parseCsvLine(part), null);
});
