import { assertEquals } from "@std/assert";
import { Progress } from "../../../tools/terminal/progress.ts";
import { SilentScreen } from "../silent_screen.ts";

Deno.test("Progress overwrites one line of a terminal and clears it at the end", () => {
  const screen = new SilentScreen(80);
  {
    using progress = new Progress("Fetching", screen);
    progress.update("Unpacking");
    progress.say("Fetched 3 packages");
  }
  assertEquals(
    screen.text,
    "\r\x1b[KFetching (0.0 s)\r\x1b[KUnpacking (0.0 s)\r\x1b[KFetched 3 packages\n",
  );
});

Deno.test("Progress truncates lines at the edge of a terminal, but not the time", () => {
  const screen = new SilentScreen(30);
  {
    using _progress = new Progress("x".repeat(50), screen);
  }
  assertEquals(screen.text, `\r\x1b[K${"x".repeat(20)}… (0.0 s)\r\x1b[K`);
});

Deno.test("Progress assumes 80 columns if a terminal does not report its width", () => {
  const screen = new SilentScreen(0);
  {
    using _progress = new Progress("x".repeat(50), screen);
  }
  assertEquals(screen.text, `\r\x1b[K${"x".repeat(50)} (0.0 s)\r\x1b[K`);
});

Deno.test("Progress in a log writes whole lines, and none per step", () => {
  const screen = new SilentScreen();
  {
    using progress = new Progress("Fetching", screen);
    for (let step = 0; step < 100; step++) progress.update(`Fetching ${step}`);
    progress.say("Fetched");
  }
  assertEquals(screen.text, "Fetching (0.0 s)\nFetched\n");
});
