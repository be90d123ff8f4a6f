import { InputError } from "../../errors/mod.ts";
import { computeOrderUid, orderDomain } from "../../evm/mod.ts";
import { NETWORKS } from "../../networks/mod.ts";
import { decodeOrder, type Order } from "../../schemas/mod.ts";
import type { Deployment } from "../deployment.ts";
import type { Tape } from "./tape.ts";

const settlementOfOrder = /"settlementContract":"(0x[0-9a-fA-F]{40})"/g;

/** Chain ids that local nodes present, beside those of the public networks. */
const localChainIds = [1337, 31337];

/**
 * Reads the deployment from recorded orders: each names its settlement contract, and its UID comes
 * out right under one chain id only.
 *
 * @returns `null` when no order was recorded, or none fits a public network's or a local node's chain.
 * @throws {InputError} If the orders name several settlement contracts.
 */
export function deriveDeployment(name: string, tape: Tape): Deployment | null {
  const contracts = new Set<string>();
  for (const { exchange } of tape.keyed) {
    if (exchange.status !== 200) continue;
    for (const [, contract] of exchange.responseBody.matchAll(settlementOfOrder)) {
      if (contract !== undefined) contracts.add(contract.toLowerCase());
    }
  }
  const [settlementContract, ...others] = contracts;
  if (others.length > 0) {
    throw new InputError(`Cannot replay ${name}: its orders are of several deployments`, {
      facts: { "settlement contracts": [...contracts].sort().join(", ") },
      remedy: "Keep the recordings of one deployment in one file or folder",
    });
  }
  if (settlementContract === undefined) return null;
  const networks = Object.values(NETWORKS).map(({ chainId }) => chainId);
  for (const order of ordersIn(tape)) {
    const chainId = [...networks, ...localChainIds].find((chainId) =>
      computeOrderUid(orderDomain({ chainId, settlementContract }), order) === order.uid
    );
    if (chainId !== undefined) return { chainId, settlementContract };
  }
  return null;
}

function* ordersIn(tape: Tape): Generator<Order> {
  for (const { exchange: { status, responseBody } } of tape.keyed) {
    if (status !== 200 || !responseBody.includes('"settlementContract"')) continue;
    const body: unknown = JSON.parse(responseBody);
    const elements: unknown[] = Array.isArray(body) ? body : [body];
    for (const element of elements) {
      const order = decoded(element);
      if (order !== undefined) yield order;
    }
  }
}

function decoded(element: unknown): Order | undefined {
  const isWrapped = typeof element === "object" && element !== null && "order" in element;
  try {
    return decodeOrder(isWrapped ? element.order : element);
  } catch {
    return undefined;
  }
}
