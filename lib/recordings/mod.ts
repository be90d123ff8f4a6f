/**
 * Recorded exchanges: a deployment without a network.
 *
 * {@linkcode replay} answers requests from recorded exchanges, from the library or from your own
 * folder, and {@linkcode record} creates such a folder from any transport. Both act as a transport.
 * Replaying needs read permission, recording write permission; neither sends requests itself.
 *
 * @module
 */
export type { AuctionRange, Deployment, DeploymentSolver, DeploymentToken } from "./deployment.ts";
export { record, type Recorder, type RecordOptions } from "./record.ts";
export type { RecordedSubjects } from "./responses.ts";
export type { ReadingOptions } from "./recording.ts";
export { type Replay, replay } from "./replay.ts";
export { shippedRecordings } from "./shipped_recordings.ts";
export type { RpcAnswer, RpcCall, RpcNode } from "../evm/mod.ts";
export type { HttpRequest, HttpResponse, HttpStream, Transport } from "../http/mod.ts";
