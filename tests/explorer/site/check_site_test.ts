import { assertEquals, assertRejects } from "@std/assert";
import { InputError } from "../../../lib/errors/mod.ts";
import { checkSite, findProblem } from "../../../lib/explorer/site/check_site.ts";
import { inFolder } from "../../sandbox/temp_folder.ts";

const FILES = new Map(["index.html", "site.css", "orders/0xab.html", "data/a b.txt"]
  .map((path) => [path, 1]));

/** Pieces of a page in the folder `orders`, and what is wrong with them. */
const PIECES: readonly (readonly [markup: string, problem: string | null])[] = [
  ['<a href="../index.html#top">home</a><a href="0xab.html">same</a>', null],
  ['<a href="../data/a%20b.txt" download>file</a><p id="x"></p><a href="#x">x</a>', null],
  ['<a href="https://explorer.example/orders/1" rel="noreferrer">elsewhere</a>', null],
  ['<img alt="" src="data:image/svg+xml,x"><p>href="/orders" is text</p>', null],
  ['<a href="../Index.html">', "its link ../Index.html leads to no file of the site"],
  ['<a href="0xcd.html?q=1&amp;r=2">', "its link 0xcd.html?q=1&r=2 leads to no file of the site"],
  ['<a href="#y">', "its link #y leads to nothing in it"],
  ['<a href="/orders">', "a href is not a file of the site: /orders"],
  ['<a href="//host/x">', "a href is not a file of the site: //host/x"],
  ['<a href="http://host/x">', "a href is not a file of the site: http://host/x"],
  ['<a href="javascript:alert(1)">', "a href is not a file of the site: javascript:alert(1)"],
  ['<a href="data:image/png,x">', "a href is not a file of the site: data:image/png,x"],
  [
    '<script src="https://cdn.example/a.js"></script>',
    "script src is not a file of the site: https://cdn.example/a.js",
  ],
  [
    '<link rel="stylesheet" href="https://fonts.example/a.css">',
    "link href is not a file of the site: https://fonts.example/a.css",
  ],
  ['<form action="/search">', "form action is not a file of the site: /search"],
];

for (const [markup, problem] of PIECES) {
  Deno.test(`findProblem() of ${markup} is ${problem ?? "nothing"}`, () => {
    assertEquals(findProblem("orders/0xab.html", markup, FILES), problem);
  });
}

inFolder.test("checkSite() refuses long pages and names that are one on some disks", async (folder) => {
  await Deno.writeTextFile(`${folder}/index.html`, "<p></p>");
  await checkSite(folder, new Map([["index.html", 300_000], ["large.csv", 9_000_000]]));
  await assertRejects(
    () => checkSite(folder, new Map([["index.html", 300_001]])),
    InputError,
    "Cannot publish the page index.html: it has 300001 bytes, of at most 300000",
  );
  await assertRejects(
    () => checkSite(folder, new Map([["a/x.html", 1], ["A/y.html", 1]])),
    InputError,
    "two names differ only in case",
  );
});
