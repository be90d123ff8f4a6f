import { assert, assertEquals } from "@std/assert";
import configuration from "../../deno.json" with { type: "json" };
import { ROOMS } from "../../tools/lint/rooms.ts";

const PAGE = new URL("../../docs/house.md", import.meta.url);
const PAGES = [
  PAGE,
  new URL("../../docs/questions.md", import.meta.url),
  new URL("../../README.md", import.meta.url),
];

Deno.test("the page of the house lists every existing room, in order", async () => {
  const page = await Deno.readTextFile(PAGE);
  const listed = [...page.matchAll(/^\| `([a-z]+)` /gm)].map(([, room]) => room);
  const built = ROOMS.filter(({ name, isProgram }) =>
    isProgram || Object.hasOwn(configuration.exports, `./${name}`)
  ).map(({ name }) => name);
  assertEquals(listed, built);
});

Deno.test("links to files of the project are valid", async () => {
  for (const page of PAGES) {
    const text = await Deno.readTextFile(page);
    const links = [...text.matchAll(/\]\(((?!https?:)[^)#]+)\)/g)].map(([, link = ""]) => link);
    assert(links.length > 0);
    for (const link of links) await Deno.stat(new URL(link, page));
  }
});
