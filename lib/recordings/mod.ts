/**
 * Recorded exchanges: a deployment without a network.
 *
 * {@linkcode replay} answers requests from recorded exchanges, those that ship with the library or a
 * folder of your own, and {@linkcode record} makes such a folder from any transport. Both look like
 * the network to everything above. Replaying needs permission to read, recording to write; neither
 * sends anything itself.
 *
 * @module
 */
export type { AuctionRange, Deployment, DeploymentSolver, DeploymentToken } from "./deployment.ts";
export { record, type Recorder, type RecordOptions } from "./record.ts";
export type { Recorded } from "./recorded.ts";
export { type Replay, replay } from "./replay.ts";
export { shippedRecordings } from "./shipped_recordings.ts";
export type { HttpRequest, HttpResponse, HttpStream, Transport } from "../http/mod.ts";
