import { assert, assertEquals } from "@std/assert";
import { labelWidth } from "../../../lib/charts/texts/label_size.ts";
import { endNotes, listAxis } from "../../../lib/charts/axes/list_axis.ts";

Deno.test("listAxis() has room for its labels, and cuts those that are too long", () => {
  const list = listAxis(["a", "a"], { width: 760 });
  assertEquals(list.y.domain, [0, 1], "equal labels stay apart");
  assert(list.marginLeft > labelWidth("a"));
  const long = listAxis(["a name that is much too long for this"], { width: 240 });
  assertEquals(long.marginLeft, 96);
  const label = (long.y.tickFormat as (place: number) => string)(0);
  assert(labelWidth(label) < 96, label);
  assert(label.includes("…"));
});

Deno.test("endNotes() keep notes inside the panel, wherever their marks end", () => {
  const notes = [{ end: 1, text: "a note at the end" }, {
    end: 0.2,
    text: "a much longer note ".repeat(3),
  }];
  const { marginRight, texts } = endNotes(notes, { width: 600, marginLeft: 100 });
  assertEquals(texts, notes.map((note) => note.text));
  for (const { end, text } of notes) {
    const begin = 100 + end * (600 - 100 - marginRight);
    assert(begin + labelWidth(text) < 600, text);
  }
  const narrow = endNotes(notes, { width: 240, marginLeft: 96 });
  assert(narrow.texts[1]!.includes("…"));
});
