/**
 * The embedded order book: an in-process deployment.
 *
 * {@linkcode openSandbox} opens a complete in-process order book with a market, solvers and
 * auctions. It needs no permission until it listens.
 *
 * Inside, `market/` simulates the market (state, solvers, settlement, traders), `wire/` parses
 * requests and formats responses, `handlers/` implements the operations, `service/` routes
 * requests, injects faults and is the node of its chain, and `server/` serves over HTTP.
 *
 * @module
 */
export type { Deployment, DeploymentSolver, DeploymentToken } from "../recordings/mod.ts";
export { type AdvanceOptions, openSandbox, type Sandbox, type SandboxOptions } from "./sandbox.ts";
export type { ListenOptions, SandboxServer } from "./server/serve_over_http.ts";
export {
  DEVELOPMENT_ACCOUNTS,
  type DevelopmentAccount,
  type SandboxToken,
  type SignatureVerifier,
} from "./market/ledger.ts";
export type { SandboxPenaltyCaps } from "./market/fee_policies.ts";
export type { SandboxDescription, SandboxLimits } from "./handlers/terms.ts";
export type { FaultKind, FaultOptions, SandboxFault } from "./service/faults.ts";
export type { Operation } from "./service/routes.ts";
export type { RpcAnswer, RpcCall, RpcNode } from "../evm/mod.ts";
export type { HttpRequest, HttpResponse, HttpStream, Transport } from "../http/mod.ts";
