import { assertEquals } from "@std/assert";
import { SolverNames, solverNames } from "../../../lib/charts/texts/short_names.ts";

const A = `0xaaaa${"0".repeat(32)}0001`;
const B = `0xbbbb${"0".repeat(32)}0002`;
const C = `0xcccc${"0".repeat(32)}0003`;

Deno.test("solvers are called by name, and by the ends of their address without one", () => {
  const names = new SolverNames([[A, "Barter"], [B, null], [C, ""]]);
  assertEquals(names.labels([A, B, C, A]), ["Barter", "0xbbbb…0002", "0xcccc…0003", "Barter"]);
  assertEquals([A, B].map((one) => names.label(one)), ["Barter", "0xbbbb…0002"]);
  assertEquals([A, B].map((one) => names.withAddress(one)), [`Barter (${A})`, B]);
  assertEquals([A, B].map((one) => names.withHex(one)), ["Barter (0xaaaa…0001)", "0xbbbb…0002"]);
  assertEquals(names.labels(["unknown solver"]), ["unknown solver"]);
});

Deno.test("a name that several addresses share has the address after it", () => {
  const names = new SolverNames([[A, "Barter"], [B, "Barter"], [C, "Fractal"]]);
  assertEquals(names.labels([A, B, C]), ["Barter 0xaaaa…0001", "Barter 0xbbbb…0002", "Fractal"]);
  const long = new SolverNames([[A, "A solver with a very long name"], [
    B,
    "A solver with a very long name",
  ]]);
  assertEquals(long.labels([A, B]), [
    "A solver with a ver… 0xaaaa…0001",
    "A solver with a ver… 0xbbbb…0002",
  ]);
});

Deno.test("different solvers never have one label", () => {
  const alike = `0xaaaa${"1".repeat(32)}0001`;
  const names = new SolverNames([[A, "Barter"], [alike, "Barter"], ["Fractal", null], [
    C,
    "Fractal",
  ]]);
  assertEquals(names.labels([A, alike, A]), [
    "Barter 0xaaaa…0001",
    "Barter 0xaaaa…0001 (2)",
    "Barter 0xaaaa…0001",
  ]);
  assertEquals(names.labels(["Fractal", C]), ["Fractal", "Fractal 0xcccc…0003"]);
});

Deno.test("a name in one row of an address counts for all, and on one line", () => {
  const names = solverNames([
    { solver: A, solver_name: null },
    { solver: A, solver_name: " Two\nlines " },
    { solver: null },
  ]);
  assertEquals(names.text(A), "Two lines");
});
