import { InputError } from "../errors/mod.ts";
import { computeOrderUid, orderDomain } from "../evm/mod.ts";
import { NETWORKS } from "../networks/networks.ts";
import { decodeOrder, type Order } from "../schemas/mod.ts";
import { sameHex } from "../units/mod.ts";
import type { Deployment } from "./deployment.ts";
import type { Tape } from "./tape.ts";

const settlementOfOrder = /"settlementContract":"(0x[0-9a-fA-F]{40})"/g;

/** The service writes this contract into every order that a solver brought, whatever its own is. */
const writtenIntoJitOrders = NETWORKS.mainnet.contracts.settlement.production.toLowerCase();

/** Chain ids that local nodes present, beside those of the public networks. */
const localChainIds = [1337, 31337];
const chainIds = [...Object.values(NETWORKS).map(({ chainId }) => chainId), ...localChainIds];

/**
 * Reads the deployment from recorded orders: each names its settlement contract, and its UID comes
 * out right under one chain id only.
 *
 * Orders that solvers brought tell nothing: they name the contract of the public deployment
 * wherever they were settled. They are told by their UID, which comes out right under the contract
 * that the other orders name.
 *
 * @returns `null` when no order was recorded, or none fits a public network's or a local node's
 * chain.
 * @throws {InputError} If the orders name several settlement contracts.
 */
export function deriveDeployment(name: string, tape: Tape): Deployment | null {
  const contracts = namedContracts(tape);
  const [first, ...others] = [...contracts].filter((each) => each !== writtenIntoJitOrders);
  if (first === undefined) {
    return contracts.size === 0 ? null : deploymentAt(writtenIntoJitOrders, tape);
  }
  const deployment = deploymentAt(first, tape);
  const isMixed = others.length > 0 ||
    (contracts.has(writtenIntoJitOrders) && !areAllJitOrders(tape, deployment));
  if (!isMixed) return deployment;
  throw new InputError(`Cannot replay ${name}: its orders come from several deployments`, {
    facts: { "settlement contracts": [...contracts].sort().join(", ") },
    remedy: "Put recordings of different deployments into separate files or folders",
  });
}

function namedContracts(tape: Tape): Set<string> {
  const contracts = new Set<string>();
  for (const { exchange } of tape.keyed) {
    if (exchange.status !== 200) continue;
    for (const [, contract] of exchange.responseBody.matchAll(settlementOfOrder)) {
      if (contract !== undefined) contracts.add(contract.toLowerCase());
    }
  }
  return contracts;
}

function deploymentAt(settlementContract: string, tape: Tape): Deployment | null {
  for (const order of ordersNaming(settlementContract, tape)) {
    const chainId = chainIds.find((chainId) => isOf({ chainId, settlementContract }, order));
    if (chainId !== undefined) return { chainId, settlementContract };
  }
  return null;
}

/**
 * Whether the orders that name the public contract were all brought by solvers of the deployment.
 */
function areAllJitOrders(tape: Tape, deployment: Deployment | null): boolean {
  let isAny = false;
  for (const order of ordersNaming(writtenIntoJitOrders, tape)) {
    const isOfDeployment = deployment === null
      // The chain is not known, so that only what the service leaves out of such orders can tell.
      ? order.class === "liquidity" && order.fullAppData == null
      : isOf(deployment, order);
    if (!isOfDeployment) return false;
    isAny = true;
  }
  return isAny;
}

function isOf(
  { chainId, settlementContract }: Pick<Deployment, "chainId" | "settlementContract">,
  order: Order,
): boolean {
  return sameHex(computeOrderUid(orderDomain({ chainId, settlementContract }), order), order.uid);
}

/** The orders that name a contract, each once. */
function* ordersNaming(contract: string, tape: Tape): Generator<Order> {
  const seen = new Set<string>();
  for (const { exchange: { status, responseBody } } of tape.keyed) {
    if (status !== 200 || !responseBody.includes('"settlementContract"')) continue;
    const body: unknown = JSON.parse(responseBody);
    const elements: unknown[] = Array.isArray(body) ? body : [body];
    for (const element of elements) {
      const order = decoded(element);
      if (order === undefined || seen.has(order.uid)) continue;
      if (!sameHex(order.settlementContract ?? "", contract)) continue;
      seen.add(order.uid);
      yield order;
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
