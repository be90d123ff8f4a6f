import pl from "nodejs-polars";
import { decodeOrder } from "orderlens/schemas";
import { ORDERS, ordersTable } from "orderlens/tables";
import { marketBodies } from "./market_bodies.ts";
import type { Comparison } from "./ratio.ts";

const ORDER_COUNT = 50_000;

/** Building a table from decoded orders, against polars taking the same columns as arrays. */
export async function tablingComparisons(): Promise<Comparison[]> {
  const texts = await marketBodies("order");
  const orders = Array.from(
    { length: ORDER_COUNT },
    (_, index) => decodeOrder(JSON.parse(texts[index % texts.length]!)),
  );
  const table = ordersTable(orders);
  const columns = Object.fromEntries(
    ORDERS.columns.map(({ name }) => [name, [...table.getColumn(name)]]),
  );
  return [{
    name: `table of ${ORDER_COUNT.toLocaleString("en")} orders / polars with ready-made columns`,
    bar: 3.0,
    reference: () => pl.DataFrame(columns),
    measured: () => ordersTable(orders),
  }];
}
