import { InputError } from "../errors/mod.ts";
import { computeOrderUid, orderDomain } from "../evm/mod.ts";
import { NETWORKS } from "../networks/networks.ts";
import { decodeOrder, type Order } from "../schemas/mod.ts";
import { sameHex } from "../units/mod.ts";
import type { Deployment } from "./deployment.ts";
import type { Tape } from "./tape.ts";

const settlementField = /"settlementContract":"(0x[0-9a-fA-F]{40})"/g;

/** The service reports this contract for every JIT order, whatever its own contract is. */
const contractOfJitOrders = NETWORKS.mainnet.contracts.settlement.production.toLowerCase();

/** Common chain ids of local nodes. */
const localChainIds = [1337, 31337];
const chainIds = [...Object.values(NETWORKS).map(({ chainId }) => chainId), ...localChainIds];

/**
 * Derives the deployment from recorded orders: each names its settlement contract, and its UID
 * matches under exactly one chain id.
 *
 * JIT orders name the contract of the public deployment, wherever they were settled. Their UIDs
 * match under the contract that the other orders name.
 *
 * @returns `null` if no order was recorded, or no order matches the chain id of a public network or
 * a local node.
 * @throws {InputError} If the orders name several settlement contracts.
 */
export function deriveDeployment(name: string, tape: Tape): Deployment | null {
  const contracts = namedContracts(tape);
  const [first, ...others] = [...contracts].filter((each) => each !== contractOfJitOrders);
  if (first === undefined) {
    return contracts.size === 0 ? null : deploymentAt(contractOfJitOrders, tape);
  }
  const deployment = deploymentAt(first, tape);
  const isMixed = others.length > 0 ||
    (contracts.has(contractOfJitOrders) && !areAllJitOrders(tape, deployment));
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
    for (const [, contract] of exchange.responseBody.matchAll(settlementField)) {
      if (contract !== undefined) contracts.add(contract.toLowerCase());
    }
  }
  return contracts;
}

function deploymentAt(settlementContract: string, tape: Tape): Deployment | null {
  for (const order of ordersNaming(settlementContract, tape)) {
    const chainId = chainIds.find((chainId) =>
      isOfDeployment({ chainId, settlementContract }, order)
    );
    if (chainId !== undefined) return { chainId, settlementContract };
  }
  return null;
}

/**
 * Whether all orders that name the public contract are JIT orders of the deployment.
 */
function areAllJitOrders(tape: Tape, deployment: Deployment | null): boolean {
  let isAny = false;
  for (const order of ordersNaming(contractOfJitOrders, tape)) {
    const isOwn = deployment === null
      // Without a chain id, JIT orders are recognized by the fields that the service omits.
      ? order.class === "liquidity" && order.fullAppData == null
      : isOfDeployment(deployment, order);
    if (!isOwn) return false;
    isAny = true;
  }
  return isAny;
}

function isOfDeployment(
  { chainId, settlementContract }: Pick<Deployment, "chainId" | "settlementContract">,
  order: Order,
): boolean {
  return sameHex(computeOrderUid(orderDomain({ chainId, settlementContract }), order), order.uid);
}

/** The orders that name a contract, without duplicates. */
function* ordersNaming(contract: string, tape: Tape): Generator<Order> {
  const seen = new Set<string>();
  for (const { exchange: { status, responseBody } } of tape.keyed) {
    if (status !== 200 || !responseBody.includes('"settlementContract"')) continue;
    const body: unknown = JSON.parse(responseBody);
    const elements: unknown[] = Array.isArray(body) ? body : [body];
    for (const element of elements) {
      const order = tryDecode(element);
      if (order === undefined || seen.has(order.uid)) continue;
      if (!sameHex(order.settlementContract ?? "", contract)) continue;
      seen.add(order.uid);
      yield order;
    }
  }
}

function tryDecode(element: unknown): Order | undefined {
  const isWrapped = typeof element === "object" && element !== null && "order" in element;
  try {
    return decodeOrder(isWrapped ? element.order : element);
  } catch {
    return undefined;
  }
}
