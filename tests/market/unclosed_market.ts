/** A program that asks a market several times, at once and after it was closed, and leaves it open. */
import { openMarket } from "orderlens/market";

const market = await openMarket("trades_v2__trades_v2_endpoints");
const ask = (table: string) => market.sql(`SELECT count(*) AS n FROM ${table}`);
const asked = await Promise.all([ask("fills"), ask("fills"), ask("leaderboard")]);
await market[Symbol.asyncDispose]();
const again = await ask("fills");
const { height } = await market.fills();
await Deno.stdout.write(
  new TextEncoder().encode(JSON.stringify([height, ...[...asked, again].flat().map(({ n }) => n)])),
);
