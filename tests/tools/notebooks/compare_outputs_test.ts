import { assertEquals } from "@std/assert";
import { firstDifference } from "../../../tools/notebooks/compare_outputs.ts";
import type { CellOutput, Notebook } from "../../../tools/notebooks/notebook.ts";

function notebook(...cells: { count: number | null; outputs: readonly CellOutput[] }[]): Notebook {
  return {
    cells: cells.map(({ count, outputs }) => ({
      cell_type: "code",
      source: "x",
      execution_count: count,
      outputs,
    })),
  };
}

function shown(data: Record<string, unknown>): CellOutput {
  return { output_type: "display_data", data, metadata: {} };
}

Deno.test("firstDifference() is undefined for equal outputs", () => {
  const same = () => notebook({ count: 1, outputs: [shown({ "text/plain": "1" })] });
  assertEquals(firstDifference(same(), same()), undefined);
  assertEquals(firstDifference(notebook(), notebook()), undefined);
});

Deno.test("firstDifference() reports the first different character", () => {
  const before = notebook(
    { count: 1, outputs: [] },
    { count: 2, outputs: [shown({ "text/plain": "same" }), shown({ "text/html": "<b>41</b>" })] },
  );
  const now = notebook(
    { count: 1, outputs: [] },
    { count: 2, outputs: [shown({ "text/plain": "same" }), shown({ "text/html": "<b>42</b>" })] },
  );
  assertEquals(
    firstDifference(before, now),
    "cell [2]: output 2, text/html, character 5:\n" +
      "  committed  <b>41</b>\n" +
      "  now        <b>42</b>",
  );
});

Deno.test("firstDifference() shows the context of a difference in a long text", () => {
  const text = `${"a".repeat(100)}1${"b".repeat(100)}`;
  const before = notebook({ count: 1, outputs: [shown({ "text/plain": text })] });
  const now = notebook({ count: 1, outputs: [shown({ "text/plain": text.replace("1", "2") })] });
  assertEquals(
    firstDifference(before, now),
    "cell [1]: output 1, text/plain, character 101:\n" +
      `  committed  …${"a".repeat(30)}1${"b".repeat(29)}…\n` +
      `  now        …${"a".repeat(30)}2${"b".repeat(29)}…`,
  );
});

Deno.test("firstDifference() counts missing and new outputs", () => {
  const none = notebook({ count: 1, outputs: [] });
  const one = notebook({ count: 1, outputs: [shown({ "image/svg+xml": "<svg/>" })] });
  assertEquals(
    firstDifference(one, none),
    "cell [1]: 1 output (image/svg+xml) committed, no output now",
  );
  assertEquals(
    firstDifference(none, one),
    "cell [1]: no output committed, 1 output (image/svg+xml) now",
  );
});

Deno.test("firstDifference() detects a missing or new media type", () => {
  const both = notebook({
    count: 1,
    outputs: [shown({ "text/html": "<p>", "text/plain": "p" })],
  });
  const plain = notebook({ count: 1, outputs: [shown({ "text/plain": "p" })] });
  assertEquals(
    firstDifference(both, plain),
    "cell [1]: output 1, text/html: committed, not there now",
  );
  assertEquals(
    firstDifference(plain, both),
    "cell [1]: output 1, text/html: not committed, there now",
  );
});

Deno.test("firstDifference() detects cells committed unexecuted or out of order", () => {
  const now = notebook({ count: 1, outputs: [] });
  assertEquals(
    firstDifference(notebook({ count: null, outputs: [] }), now),
    "cell [1]: it was committed without being executed",
  );
  assertEquals(
    firstDifference(notebook({ count: 7, outputs: [] }), now),
    "cell [1]: committed as [7], not executed in order",
  );
});
