/**
 * The embedded order book: a deployment in the process.
 *
 * {@linkcode openSandbox} opens a whole order book in the process, with a market, solvers and
 * auctions; it needs no permission until it listens.
 *
 * Inside, `market/` is what happens (its state, solvers, settlement, traders), `wire/` how requests
 * are read and answers written, `rules/` what the service refuses, `answers/` what it says, `faults/`
 * what goes wrong on request, `service/` how a request finds its answer, `server/` how it is served
 * over HTTP.
 *
 * @module
 */
export type { Deployment, DeploymentSolver, DeploymentToken } from "../recordings/mod.ts";
export { openSandbox, type SandboxOptions } from "./open_sandbox.ts";
export type { AdvanceOptions, Sandbox } from "./sandbox.ts";
export type { ListenOptions, SandboxServer } from "./server/serve_front.ts";
export {
  DEVELOPMENT_ACCOUNTS,
  type DevelopmentAccount,
} from "./market/state/development_accounts.ts";
export type { SignatureVerifier } from "./market/state/market.ts";
export type { SandboxToken } from "./market/state/tokens.ts";
export type { SandboxDescription } from "./answers/describe_sandbox.ts";
export type { FaultKind, FaultOptions, SandboxFault } from "./faults/fault.ts";
export type { Operation } from "./wire/operations.ts";
export type { SandboxLimits } from "./rules/rate_limit.ts";
export type { HttpRequest, HttpResponse, HttpStream, Transport } from "../http/mod.ts";
