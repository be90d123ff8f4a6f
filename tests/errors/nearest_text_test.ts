import { assertEquals } from "@std/assert";
import { nearestText } from "../../lib/errors/orderlens_error.ts";

const WORDS = ["mainnet", "base", "ink"];

Deno.test("nearestText() counts a missing, an added, a wrong and a swapped letter as one edit", () => {
  for (const text of ["ase", "basse", "bose", "abse"]) {
    assertEquals(nearestText(text, WORDS), "base", text);
  }
});

Deno.test("nearestText() allows edits of up to a third of the letters", () => {
  assertEquals(nearestText("maiet", WORDS), "mainnet");
  assertEquals(nearestText("maie", WORDS), undefined);
  assertEquals(nearestText("ik", WORDS), "ink");
  assertEquals(nearestText("k", WORDS), undefined);
});

Deno.test("nearestText() returns the nearest one, and the first of equals", () => {
  assertEquals(nearestText("bsc", ["base", "bsc"]), "bsc");
  assertEquals(nearestText("cat", ["bat", "hat"]), "bat");
  assertEquals(nearestText("ink", []), undefined);
});
