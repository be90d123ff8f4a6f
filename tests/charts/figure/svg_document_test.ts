import * as Plot from "@observablehq/plot";
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { figure } from "orderlens/charts";
import { SvgDocument } from "../../../lib/charts/figure/svg_document.ts";

function createGroup() {
  const group = new SvgDocument().createElementNS(null, "g");
  const [first, second] = ["rect", "circle"].map((name) =>
    group.appendChild(group.ownerDocument.createElement(name))
  );
  return { group, first: first!, second: second! };
}

Deno.test("SvgElement.outerHTML has what was added, escaped, with the last attribute first", () => {
  const { group, first } = createGroup();
  group.setAttribute("id", 'a"b');
  group.setAttributeNS(null, "xlink:href", "?a=1&b=<2>");
  first.textContent = '1 < 2 & "3"';
  assertEquals(
    group.outerHTML,
    '<g xlink:href="?a=1&amp;b=&lt;2&gt;" id="a&quot;b">' +
      '<rect>1 &lt; 2 &amp; "3"</rect><circle /></g>',
  );
});

Deno.test("SvgElement moves, copies and removes what is in it", () => {
  const { group, first, second } = createGroup();
  group.insertBefore(second, first);
  assertEquals(group.outerHTML, "<g><circle /><rect /></g>");
  second.setAttribute("r", 3);
  second.append("a", "b");
  assertEquals(second.cloneNode(true).outerHTML, '<circle r="3">ab</circle>');
  assertEquals(second.cloneNode().outerHTML, '<circle r="3" />');
  first.appendChild(second);
  assertEquals(group.outerHTML, '<g><rect><circle r="3">ab</circle></rect></g>');
  assertEquals([group.textContent, group.querySelector("circle") === second], ["ab", true]);
  second.remove();
  first.removeAttribute("none");
  assertEquals([group.outerHTML, second.parentNode], ["<g><rect /></g>", null]);
});

Deno.test("SvgElement.style sets, replaces and removes rules", () => {
  const { first } = createGroup();
  first.style.setProperty("mix-blend-mode", "multiply");
  first.style.setProperty("color", "red");
  first.style.setProperty("mix-blend-mode", "screen");
  assertEquals(first.getAttribute("style"), "color:red;mix-blend-mode:screen");
  first.style.removeProperty("color");
  assertEquals(first.outerHTML, '<rect style="mix-blend-mode:screen" />');
});

Deno.test("SvgElement takes no markup, which it could not read", () => {
  const { group } = createGroup();
  assertThrows(() => group.innerHTML = "<b>1</b>", TypeError, "append elements");
});

const ROWS = [{ x: 1, y: 3, link: "?a=1&b=<2>" }, { x: 2, y: 5, link: "b" }];

/** Pictures with marks that use more of the document than those of charts. */
const FIGURES: Readonly<Record<string, readonly [Plot.Markish, string]>> = {
  "links with escaped addresses": [
    Plot.dot(ROWS, { x: "x", y: "y", href: "link" }),
    'href="?a=1&amp;b=&lt;2&gt;"',
  ],
  "tips without a pointer": [
    Plot.dot(ROWS, { x: "x", y: "y", tip: true }),
    "<circle ",
  ],
  "patterns of a waffle": [Plot.waffleY(ROWS, { x: "x", y: "y" }), "<pattern "],
  "markers of a line": [Plot.line(ROWS, { x: "x", y: "y", marker: "arrow" }), "<marker "],
  "clipped areas of a difference": [
    Plot.differenceY(ROWS, { x: "x", y1: 4, y2: "y" }),
    'clip-path="url(#',
  ],
  "blended marks": [
    Plot.ruleY([0], { mixBlendMode: "multiply" }),
    'style="mix-blend-mode:multiply"',
  ],
};

for (const [name, [mark, markup]] of Object.entries(FIGURES)) {
  Deno.test(`figure() draws ${name}`, () => {
    assertStringIncludes(figure({ marks: [mark] }, { title: "A figure" }).svg, markup);
  });
}
