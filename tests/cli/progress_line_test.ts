import { assertEquals } from "@std/assert";
import {
  type Progress,
  ProgressLine,
  progressText,
  Session,
} from "../../lib/cli/terminal/session.ts";
import { memoryIo } from "./memory_io.ts";

const START: Progress = {
  phase: "Auctions",
  done: 100,
  total: 1100,
  requests: 10,
  requestsLeft: null,
  requestsPerMinute: 0,
  waitingUntilMs: null,
};

Deno.test("progressText() says what is done, the rate, what is left and for how long", () => {
  // 1,520 requests at 80 a minute take 19 minutes.
  assertEquals(
    progressText({ ...START, done: 150, requestsLeft: 1520, requestsPerMinute: 80 }, 0),
    "Auctions: 150 of 1,100 (13%), 80 requests a minute, about 1,520 requests left, 19 min",
  );
});

Deno.test("progressText() says for how long it waits", () => {
  assertEquals(
    progressText({ ...START, waitingUntilMs: 601_000, requestsPerMinute: 3 }, 1_000),
    "Auctions: 100 of 1,100 (9%), asked to wait, continues in 10 min",
  );
});

Deno.test("progressText() tells no rate before it is known", () => {
  assertEquals(progressText(START, 0), "Auctions: 100 of 1,100 (9%), 10 requests");
  assertEquals(
    progressText({ ...START, total: 0, done: 0, requests: 0 }, 0),
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
    using line = new ProgressLine(session, { tickMs: 1 });
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
