import { assert, assertEquals } from "@std/assert";
import { slippageBySize } from "orderlens/charts";
import { labelWidth } from "../../../lib/charts/texts/label_text.ts";

/** Labels along y, with the pixel that each ends at. */
function labelsAlongY(svg: string): { text: string; end: number }[] {
  const [group = ""] =
    svg.match(/<g transform="translate\(-9,0\)"[^>]*y-axis tick label[^]*?<\/g>/) ?? [];
  return [...group.matchAll(/translate\(([\d.]+),[\d.]+\)"[^>]*>([^<]+)</g)]
    .map(([, end, text]) => ({ text: text!, end: Number(end) - 9 }));
}

Deno.test("a panel makes room for the longest label along y", () => {
  const chart = slippageBySize(Array.from({ length: 40 }, (_, place) => ({
    order_uid: `0x${place}`,
    kind: "sell",
    volume_native: place + 1,
    slippage_net_bps: (place % 2 === 0 ? -1 : 1) * 10 ** (place % 7),
  })));
  const labels = labelsAlongY(chart.svg);
  assertEquals(labels.find(({ text }) => text.includes("1,000,000"))?.text, "−1,000,000");
  for (const { text, end } of labels) assert(labelWidth(text) <= end, `${text} is cut`);
});
