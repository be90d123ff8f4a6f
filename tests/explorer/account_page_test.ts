import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { connect } from "../../lib/client/mod.ts";
import { explorer } from "../../lib/explorer/mod.ts";
import type { HttpRequest, HttpResponse } from "../../lib/http/mod.ts";
import { hex, orderBody, OWNER } from "../reports/canned_book.ts";
import { ask, askJson } from "./explore.ts";

const toUid = (index: number) =>
  `0x${index.toString(16).padStart(64, "0")}${OWNER.slice(2)}6a87c960`;

/** A live deployment with so many orders of one account, newest first, and no fills. */
function serve(count: number) {
  const limits: string[] = [];
  const bodies = Array.from({ length: count }, (_, index) =>
    orderBody({
      uid: toUid(index),
      creationDate: new Date(Date.UTC(2026, 7, 21) - 60_000 * index).toISOString(),
    }));
  const send = ({ path }: HttpRequest): Promise<HttpResponse> => {
    const { pathname, searchParams } = new URL(path, "http://book");
    const isOrders = pathname === `/api/v1/account/${OWNER}/orders`;
    const isTrades = pathname === "/api/v2/trades";
    if (isOrders) limits.push(searchParams.get("limit")!);
    const [offset, limit] = ["offset", "limit"].map((name) => Number(searchParams.get(name)));
    const body = isOrders ? bodies.slice(offset, offset! + limit!) : isTrades ? [] : {};
    return Promise.resolve({
      status: isOrders || isTrades ? 200 : 404,
      contentType: "application/json",
      headers: new Headers({ "content-type": "application/json" }),
      body: JSON.stringify(body),
    });
  };
  const deployment = { chainId: 1, settlementContract: hex("90", 20) };
  const from = explorer(connect({ baseUrl: "live://book", deployment, send }));
  return { from, limits };
}

Deno.test("/accounts of a live deployment leads to older orders, page by page", async () => {
  const { from, limits } = serve(120);
  const path = `/accounts/${OWNER}`;
  const first = await ask(path, { from });
  assertEquals(first.heading, "This account has at least 50 orders and 0 fills here");
  assertStringIncludes(first.text, "Numbers 1 to 50, newest first; there are older ones.");
  assertMatch(first.text, new RegExp(`href="${path}\\?page=2" rel="next">Older →`));
  assertEquals(first.text.includes("← Newer"), false);
  const last = await ask(`${path}?page=3`, { from });
  assertEquals(last.heading, "Page 3 of the orders and fills of this account");
  assertStringIncludes(last.text, "Numbers 101 to 120, newest first.");
  assertMatch(last.text, new RegExp(`href="${path}\\?page=2" rel="prev">← Newer`));
  assertEquals(last.text.includes("Older →"), false);
  const second = await askJson(`${path}.json?page=2`, from);
  assertEquals([second.page, second.hasMore, second.orders.length], [2, true, 50]);
  assertEquals([second.orders[0].uid, second.orders[49].uid], [toUid(50), toUid(99)]);
  // One more than is shown tells whether there are older ones.
  assertEquals(limits, ["51", "151", "101"]);
  await from.close();
});

Deno.test("/accounts says all where a live deployment has no more", async () => {
  const { from } = serve(50);
  const { heading, text } = await ask(`/accounts/${OWNER}`, { from });
  assertEquals(heading, "This account has 50 orders and 0 fills here");
  assertStringIncludes(text, "All 50.");
  assertEquals(text.includes('class="pager"'), false);
  await from.close();
});

Deno.test("/accounts refuses pages that no single request reads, and what is no page", async () => {
  const { from, limits } = serve(1);
  for (const page of ["20", "0", "x"]) {
    const { status } = await ask(`/accounts/${OWNER}?page=${page}`, { from });
    assertEquals([page, status], [page, 400]);
  }
  assertEquals(limits, []);
  await from.close();
});

Deno.test("/accounts of a recording links to the lists of all its orders and fills", async () => {
  const owner = "0xd217e8a0924a6806c7616a4ab0c39df86e0bf889";
  const { text } = await ask(`/accounts/${owner}`);
  // Counted in the recorded bodies with another program.
  assertStringIncludes(text, `<a href="/orders?owner=${owner}">All 162 orders</a>`);
  assertMatch(text, new RegExp(`<a href="/trades\\?owner=${owner}">All 1\\d\\d fills</a>`));
  // Its lists have the older ones: another page of the same newest ones would be a wrong claim.
  const second = await ask(`/accounts/${owner}?page=2`);
  assertEquals(second.status, 400);
  assertStringIncludes(second.text, "Cannot show page 2 of an account: it has one page here");
  const listed = [...readSection(text, "listed-orders").matchAll(/\/orders\/(0x\w{112})"/g)];
  const judged = new Set([...readSection(text, "orders").matchAll(/\/orders\/(0x\w{112})"/g)].map(
    ([, uid]) => uid,
  ));
  assertEquals([new Set(listed.map(([, uid]) => uid)).size, judged.size], [10, 20]);
  assertEquals(listed.filter(([, uid]) => judged.has(uid)), []);
  assertStringIncludes(text, "The newest 10 of 142 that are not judged above.");
});

function readSection(text: string, id: string): string {
  return new RegExp(`id="${id}"([^]*?)</section>`).exec(text)?.[1] ?? "";
}
