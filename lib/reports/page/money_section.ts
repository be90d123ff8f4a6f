import { isClosedStatus } from "../../schemas/mod.ts";
import { locateMoney } from "../order/order_money.ts";
import type { OrderReport } from "../order/order_report.ts";
import type { MoneyCall, MoneyPlaceName } from "../order/reported_money.ts";
import { type CellFormatter, spaceTimes } from "./cell_formatter.ts";
import { cell, type Section } from "./page_content.ts";

const PLACE_NAMES: Readonly<Record<MoneyPlaceName, string>> = {
  received: "Received",
  pending_settlement: "Being settled",
  owner: "Left to sell",
  ethflow_contract: "Deposited",
  returned: "Returned",
};

const CALL_NAMES: Readonly<Record<MoneyCall, string>> = {
  cancel: "Cancel",
  invalidate_order: "Cancel on the chain",
  invalidate_ethflow_order: "Get it back",
  approve: "Approve",
  approve_relayer: "Approve the relayer",
  set_presignature: "Pre-sign",
  place_again: "Place again",
};

/** Builds the places of an order's money, and the calls that move it, with what is to be copied. */
export function buildMoneySection(report: OrderReport, amounts: CellFormatter): Section | null {
  if (report.money === null) return null;
  const money = locateMoney(
    report,
    report.money.funds,
    (atoms, token) => amounts.formatAmount(atoms, token).text,
  );
  if (money === null) return null;
  const isOver = report.order !== null && isClosedStatus(report.order.status);
  // Addresses and transactions are whole, so that they can be copied.
  const toFact = (name: string, text: string) => ({
    name,
    value: cell(spaceTimes(text.replaceAll("`", ""))),
  });
  return {
    id: "money",
    title: "Where the money is",
    facts: [
      ...money.places.map(({ place, text }) =>
        toFact(place === "owner" && isOver ? "Not sold" : PLACE_NAMES[place], text)
      ),
      ...money.moves.map(({ call, text }) => toFact(CALL_NAMES[call], text)),
    ],
    code: money.moves.flatMap(({ call, to, data, line }) => {
      const name = CALL_NAMES[call];
      if (data !== null) return [{ name: `${name}: calldata for ${to}`, text: data }];
      return line === null ? [] : [{ name: `${name}: code`, text: line }];
    }),
  };
}
