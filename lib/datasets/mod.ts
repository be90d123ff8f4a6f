/**
 * Datasets: export ranges of auctions into a folder, resume, verify, rebuild and open it.
 *
 * {@linkcode exportDataset} keeps the answers of a deployment as they were and makes tables of them,
 * {@linkcode openDataset} reads both, {@linkcode verifyDataset} and {@linkcode rebuildDataset} check
 * and renew them. Only this room writes datasets; importing it needs what tables need.
 *
 * @module
 */
export { exportDataset, type ExportResult } from "./export/export_dataset.ts";
export type { ExportOptions, ExportProgress } from "./export/export_options.ts";
export { type ExportPlan, planExport, type PlannedRequests } from "./export/plan_export.ts";
export { Dataset, openDataset } from "./reading/dataset.ts";
export {
  type DatasetProblem,
  type DatasetVerification,
  verifyDataset,
  type VerifyOptions,
} from "./reading/verify_dataset.ts";
export { rebuildDataset, type RebuildOptions } from "./reading/rebuild_dataset.ts";
export type { Recomputed } from "./reading/recompute.ts";
export type { Refetched } from "./reading/refetch.ts";
export type {
  DatasetFailure,
  DatasetFile,
  DatasetManifest,
  DatasetRequest,
  DatasetSource,
  IdRanges,
  ItemState,
} from "./layout/manifest.ts";
export type { FileFacts } from "./layout/durable_files.ts";
export type { ItemKind } from "./state/items.ts";
