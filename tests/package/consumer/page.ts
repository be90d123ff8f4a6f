// A page of another origin that asks an order book; the test calls `ask`.
import { connect, NotFoundError } from "orderlens";

async function ask(url: string, deployment: { chainId: number; settlementContract: string }) {
  const sent = new Set<string>();
  const book = connect(url, {
    ...deployment,
    fetch: (address, init) => {
      for (const name of new Headers(init?.headers).keys()) sent.add(name);
      return fetch(address, init);
    },
  });
  const uid = `0x${"ab".repeat(56)}`;
  const { auctionId, solutions } = await book.competition("latest");
  const cached = connect(url, { ...deployment, cacheFolder: "answers" });
  return {
    version: await book.version(),
    // A score is a bigint: no amount has lost a digit on its way into the page.
    score: solutions.map(({ score }) => String(score)),
    // JSON in a POST: the browser asks first whether it may.
    missing: (await book.orders([uid])).missing,
    sent: [...sent],
    files: await cached.competition(auctionId).catch((error: Error) => error.message),
    isNotFound: await book.order(uid).catch((error: unknown) => error instanceof NotFoundError),
  };
}

Object.assign(globalThis, { ask });
