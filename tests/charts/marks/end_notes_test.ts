import { assert, assertEquals } from "@std/assert";
import { labelWidth } from "../../../lib/charts/texts/label_text.ts";
import { noteMargin, noteTexts } from "../../../lib/charts/marks/bars.ts";

const axis = { place: (value: number) => value, fraction: (value: number) => value };
const notes = [
  { value: 1, text: "a note at the end" },
  { value: 0.2, text: "a much longer note ".repeat(3) },
];

Deno.test("notes stay inside the panel, wherever their marks end", () => {
  const room = { axis, width: 600, marginLeft: 100 };
  const marginRight = noteMargin(notes, room);
  assertEquals(noteTexts(notes, { ...room, marginRight }), notes.map((note) => note.text));
  for (const { value, text } of notes) {
    const begin = 100 + value * (600 - 100 - marginRight);
    assert(begin + labelWidth(text) < 600, text);
  }
});

Deno.test("notes that have no room are cut, or say what is short", () => {
  const room = { axis, width: 240, marginLeft: 96 };
  const texts = (short?: string) => {
    const own = notes.map((note) => short === undefined ? note : { ...note, short });
    return noteTexts(own, { ...room, marginRight: noteMargin(own, room) });
  };
  assert(texts()[1]!.includes("…"));
  assertEquals(texts("2")[1], "2");
});
