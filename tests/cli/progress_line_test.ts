import { assertEquals } from "@std/assert";
import { ProgressLine, progressText } from "../../lib/cli/terminal/progress_line.ts";
import { Session } from "../../lib/cli/terminal/session.ts";
import { memoryIo } from "./memory_io.ts";

const START = { phase: "Auctions", done: 100, total: 1100, requests: 10, atMs: 0 };

Deno.test("progressText() says what is done, the rate, what is left and for how long", () => {
  // 80 requests in 60 s brought 50 auctions: 950 more take 1,520 requests, at 80 a minute 19 min.
  assertEquals(
    progressText(START, { ...START, done: 150, requests: 90, atMs: 60_000 }),
    "Auctions: 150 of 1,100 (13%), 80 requests a minute, about 1,520 requests left, 19 min",
  );
});

Deno.test("progressText() tells no rate before it is known", () => {
  assertEquals(
    progressText(START, { ...START, done: 101, requests: 12, atMs: 500 }),
    "Auctions: 101 of 1,100 (9%), 12 requests",
  );
  assertEquals(
    progressText(START, { ...START, total: 0, done: 0, requests: 0 }),
    "Auctions: 0 of 0",
  );
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
  const session = new Session({ ...io, err: { ...io.err, write } }, {
    isJson: false,
    verbosity: "usual",
  });
  {
    using line = new ProgressLine(session, { now: () => 0, tickMs: 1 });
    line.update(START);
    await isDrawn;
  }
  return texts;
}

Deno.test("a progress line overwrites itself on a terminal, and goes away", async () => {
  const texts = await linesOf(true);
  assertEquals(texts[0], "\r\x1b[KAuctions: 100 of 1,100 (9%), 10 requests");
  assertEquals(texts.at(-1), "\r\x1b[K");
});

Deno.test("progress is whole lines elsewhere", async () => {
  const texts = await linesOf(false);
  assertEquals(new Set(texts), new Set(["Auctions: 100 of 1,100 (9%), 10 requests\n"]));
});
