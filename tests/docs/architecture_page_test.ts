import { assert, assertEquals } from "@std/assert";
import configuration from "../../deno.json" with { type: "json" };
import { ROOMS } from "../../tools/lint/rooms.ts";

const PAGE = new URL("../../docs/architecture.md", import.meta.url);
const DOCS = new URL("../../docs/", import.meta.url);

Deno.test("the architecture page lists every existing room, in order", async () => {
  const page = await Deno.readTextFile(PAGE);
  const [rooms = ""] = page.split("\n## Where");
  const listed = [...rooms.matchAll(/^\| `([a-z]+)` /gm)].map(([, room]) => room);
  const built = ROOMS.filter(({ name, isProgram }) =>
    isProgram || Object.hasOwn(configuration.exports, `./${name}`)
  ).map(({ name }) => name);
  assertEquals(listed, built);
});

Deno.test("the index names every page, and links to files of the project are valid", async () => {
  const names = Array.from(Deno.readDirSync(DOCS), ({ name }) => name);
  const index = await Deno.readTextFile(new URL("README.md", DOCS));
  for (const name of names) assert(name === "README.md" || index.includes(`](${name})`), name);
  for (const page of [...names.map((name) => new URL(name, DOCS)), new URL("../README.md", DOCS)]) {
    const text = await Deno.readTextFile(page);
    const links = [...text.matchAll(/\]\(((?!https?:)[^)#]+)\)/g)].map(([, link = ""]) => link);
    for (const link of links) await Deno.stat(new URL(link, page));
  }
});
