import { assertEquals } from "@std/assert";
import {
  formatProgress,
  type Progress,
  ProgressLine,
  Session,
} from "../../lib/cli/terminal/session.ts";
import { memoryIo } from "./memory_io.ts";
import { formatCount, formatDuration, formatSize, pluralize } from "../../lib/cli/terminal/io.ts";

const START: Progress = {
  phase: "Auctions",
  done: 100,
  total: 1100,
  requests: 10,
  requestsLeft: null,
  requestsPerMinute: 0,
  waitingUntilMs: null,
};

Deno.test("formatProgress() shows items done, the rate, requests left, and waits", () => {
  for (
    const [progress, nowMs, text] of [
      // 1,520 requests at 80 a minute take 19 minutes.
      [
        { done: 150, requestsLeft: 1520, requestsPerMinute: 80 },
        0,
        "150 of 1,100 (13%), 80 requests per minute, about 1,520 requests left, 19 min",
      ],
      [
        { waitingUntilMs: 601_000, requestsPerMinute: 3 },
        1_000,
        "100 of 1,100 (9%), the service asked to wait, continues in 10 min",
      ],
      // No rate is told before it is known.
      [{}, 0, "100 of 1,100 (9%), 10 requests"],
      [{ total: 0, done: 0, requests: 0 }, 0, "0 of 0"],
    ] as const
  ) assertEquals(formatProgress({ ...START, ...progress }, nowMs), `Auctions: ${text}`);
});

/** What is written until the first line stands, and after. */
async function linesOf(isTerminal: boolean): Promise<string[]> {
  const { io } = memoryIo({ isTerminal });
  const texts: string[] = [];
  const { promise: isDrawn, resolve } = Promise.withResolvers<void>();
  const write = (text: string) => {
    texts.push(text);
    resolve();
  };
  const err = { ...io.err, write };
  const session = new Session({ ...io, err }, { isJson: false, verbosity: "usual" });
  {
    using line = new ProgressLine(session, { tickMs: 1 });
    line.update(START);
    await isDrawn;
  }
  return texts;
}

Deno.test("ProgressLine overwrites and removes its line on a terminal, and writes whole lines elsewhere", async () => {
  const text = "Auctions: 100 of 1,100 (9%), 10 requests";
  const texts = await linesOf(true);
  assertEquals([texts[0], texts.at(-1)], [`\r\x1b[K${text}`, "\r\x1b[K"]);
  assertEquals(new Set(await linesOf(false)), new Set([`${text}\n`]));
});

Deno.test("formatCount() and pluralize() group digits by three", () => {
  assertEquals([0, 999, 1000, 11_774_000].map(formatCount), ["0", "999", "1,000", "11,774,000"]);
  assertEquals([pluralize(1, "request"), pluralize(2048, "request")], [
    "1 request",
    "2,048 requests",
  ]);
});

Deno.test("formatDuration() has the two largest units", () => {
  assertEquals(
    [0.2, 45, 60, 720, 3_600, 12_000, 86_400, 187_200, 3_599, 86_399].map(formatDuration),
    ["1 s", "45 s", "1 min", "12 min", "1 h", "3 h 20 min", "1 d", "2 d 4 h", "1 h", "1 d"],
  );
});

Deno.test("formatSize() has decimal units", () => {
  assertEquals(
    [512, 1_234, 133_700, 999_600, 25_000_000, 4_100_000_000].map(formatSize),
    ["512 B", "1.2 kB", "134 kB", "1.0 MB", "25 MB", "4.1 GB"],
  );
});

Deno.test("Session.print() accepts 200,000 lines", () => {
  const texts: string[] = [];
  const { io } = memoryIo();
  const out = { ...io.out, write: (text: string) => void texts.push(text) };
  const session = new Session({ ...io, out }, { isJson: false, verbosity: "usual" });
  session.print(Array.from({ length: 200_000 }, () => "row"), "end");
  assertEquals(texts.join("").length, 200_000 * "row\n".length + "end\n".length);
});
