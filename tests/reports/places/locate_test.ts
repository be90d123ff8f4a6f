import { connect, InputError, NetworkError } from "orderlens";
import { locate } from "orderlens/reports";
import { assertEquals, assertRejects } from "@std/assert";
import { cannedBook, filledAnswers, hex, orderBody, OWNER, TX, uidOf } from "../canned_book.ts";

const UID = uidOf("01");

Deno.test("locate() stops at the deployment that has an order, two being asked at a time", async () => {
  const [has, ...empty] = [filledAnswers(), {}, {}, {}].map(cannedBook);
  const books = [empty[0]!, has!, ...empty.slice(1)].map(({ book }) => book);
  const { kind, found, asked, failed } = await locate(UID, { books });
  assertEquals([kind, asked, failed.length], ["order", 2, 0]);
  assertEquals(found.map(({ book, orderUids }) => [book === books[1], orderUids]), [[true, [UID]]]);
  assertEquals(empty.slice(1).flatMap(({ asked }) => asked), []);
});

Deno.test("locate() looks for transactions and accounts at every deployment", async () => {
  const answers = {
    [`/api/v1/transactions/${TX}/orders`]: [orderBody()],
    [`/api/v1/account/${OWNER}/orders`]: [orderBody()],
  };
  const books = [cannedBook(answers), cannedBook({}), cannedBook(answers)].map(({ book }) => book);
  for (const [subject, kind] of [[TX, "transaction"], [OWNER, "account"]] as const) {
    const located = await locate(subject, { books });
    assertEquals([located.kind, located.found.length, located.asked], [kind, 2, 3]);
  }
});

Deno.test("locate() names deployments that could not be asked, and goes on", async () => {
  const refusing = cannedBook({ [`/api/v1/orders/${UID}`]: 403 });
  const { found, failed } = await locate(UID, {
    books: [refusing.book, cannedBook(filledAnswers()).book],
  });
  assertEquals([found.length, failed.length, failed[0]?.error.code], [1, 1, "unauthorized"]);
});

Deno.test("locate() rejects what is no order, transaction or account", async () => {
  await assertRejects(() => locate(hex("01", 33)), InputError);
});

Deno.test("locate() asks a host that cannot be reached once, whatever else it has", async () => {
  let asked = 0;
  const books = ["a", "b", "c"].map((path) =>
    connect({
      baseUrl: `https://down.example/${path}`,
      deployment: { chainId: 1, settlementContract: `0x${"90".repeat(20)}` },
      send: () => {
        asked++;
        return Promise.reject(
          new NetworkError("Cannot reach it", {
            request: "GET",
            attempts: 1,
            mayHaveBeenReceived: false,
            remedy: "Check the network",
          }),
        );
      },
    })
  );
  const { failed, found } = await locate(`0x${"01".repeat(56)}`, { books });
  assertEquals([failed.length, found, asked], [3, [], 2]);
});
