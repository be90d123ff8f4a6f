/**
 * The embedded order book and the recorder and replayer: a deployment without a network.
 *
 * {@linkcode openSandbox} opens a whole order book in the process, with a market, solvers and
 * auctions; it needs no permission until it listens.
 *
 * {@linkcode replay} answers requests from recorded exchanges, those that ship with the library or a
 * folder of your own, and {@linkcode record} makes such a folder from any transport. Both look like
 * the network to everything above. Replaying needs permission to read, recording to write; neither
 * sends anything itself.
 *
 * Inside, `market/` is what happens (orders, auctions, solvers, settlements), `service/` what is said
 * of it, `json/` how requests are read, `server/` how it is served over HTTP, `recordings/` the
 * recorder and replayer.
 *
 * @module
 */
export type { AuctionRange, Deployment, DeploymentSolver, DeploymentToken } from "./deployment.ts";
export { record, type Recorder, type RecordOptions } from "./recordings/record.ts";
export type { Recorded } from "./recordings/recorded.ts";
export { type Replay, replay } from "./recordings/replay.ts";
export { openSandbox, type SandboxOptions } from "./open_sandbox.ts";
export type { AdvanceOptions, Sandbox } from "./sandbox.ts";
export type { ListenOptions, SandboxServer } from "./server/serve_front.ts";
export { DEVELOPMENT_ACCOUNTS, type DevelopmentAccount } from "./market/development_accounts.ts";
export type { SignatureVerifier } from "./market/market.ts";
export type { SandboxToken } from "./market/tokens.ts";
export type { SandboxDescription } from "./service/describe_sandbox.ts";
export type { FaultKind, FaultOptions, SandboxFault } from "./service/fault.ts";
export type { Operation } from "./service/operations.ts";
export type { SandboxLimits } from "./service/rate_limit.ts";
export { shippedRecordings } from "./recordings/shipped_recordings.ts";
export type { HttpRequest, HttpResponse, HttpStream, Transport } from "../http/mod.ts";
