import { assertEquals, assertRejects } from "@std/assert";
import { createOnDemand, findNeeded, readViews } from "../../lib/sql/catalogue.ts";

Deno.test("findNeeded finds the relations that a query reads, and those that these read", async () => {
  const all = [{ name: "fills" }, { name: "bids" }, { name: "outcomes" }, ...await readViews()];
  const names = (query: string) => findNeeded(query, all).map(({ name }) => name);
  assertEquals(names("SELECT 1"), []);
  assertEquals(names("SELECT * FROM Fills"), ["fills"]);
  assertEquals(names("SELECT * FROM leaderboard"), ["bids", "outcomes", "leaderboard"]);
  assertEquals(names("SELECT * FROM refills"), []);
});

Deno.test("createOnDemand creates each relation once, and again after a failure", async () => {
  const begun: string[] = [];
  const makeNeeded = createOnDemand([{ name: "fills" }, { name: "bids" }], ({ name }) => {
    begun.push(name);
    return begun.length === 1 ? Promise.reject(new Error("no file")) : Promise.resolve();
  });
  await assertRejects(() => makeNeeded("FROM fills"), Error, "no file");
  await Promise.all([makeNeeded("FROM fills"), makeNeeded("FROM fills")]);
  assertEquals(begun, ["fills", "fills"]);
});
