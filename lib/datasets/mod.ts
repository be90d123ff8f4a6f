/**
 * Datasets: export ranges of auctions into a folder, resume, verify, rebuild and open it.
 *
 * {@linkcode exportDataset} stores the responses of a deployment as they were and makes tables of them,
 * {@linkcode openDataset} reads both, {@linkcode verifyDataset} and {@linkcode rebuildDataset} check
 * and renew them, {@linkcode checkDataset} says what in them is implausible. Only this room writes datasets; importing it needs what tables need.
 *
 * @module
 */
export {
  type Conversion,
  type ConversionFormat,
  type ConversionOptions,
  type ConversionProgress,
  convertDataset,
  type ConvertedTable,
} from "./converting/convert_dataset.ts";
export { exportDataset } from "./export/export_dataset.ts";
export type { ExportResult } from "./export/run_export.ts";
export type { AuctionIdsFrom, ExportOptions, ExportProgress } from "./export/export_options.ts";
export { type ExportPlan, planExport, type PlannedRequests } from "./export/plan_export.ts";
export {
  type DatasetDescription,
  describeDataset,
  type DescribedColumn,
  type DescribedTable,
  describeText,
  type DescribeTextOptions,
} from "./reading/describe_dataset.ts";
export type { DescribedRules, DescribedRuleSet } from "./reading/described_rules.ts";
export type { DatasetCitation, TimeSpan } from "./state/citation.ts";
export { mergeDatasets, type MergeOptions, type MergeProgress } from "./merging/merge_datasets.ts";
export { Dataset, openDataset, type TableOptions } from "./reading/dataset.ts";
export {
  checkDataset,
  checkText,
  type DatasetCheck,
  type DatasetFinding,
} from "./reading/check_dataset.ts";
export { type DatasetVerification, verifyDataset } from "./reading/verify_dataset.ts";
export type { DatasetProblem, RefetchResult, VerifyOptions } from "./reading/refetch.ts";
export type { ChainProof, ChangedSettlement } from "./reading/prove_chain.ts";
export type { NodeFacts } from "./reading/prove_node_facts.ts";
export type {
  ChainDifferenceCount,
  ChainDifferenceKind,
  ChainDifferencePlace,
} from "./reading/chain_rows.ts";
export { shippedDatasets } from "./layout/shipped_datasets.ts";
export {
  type Publication,
  type PublicationPicture,
  type PublicationTarget,
  publishDataset,
  type PublishOptions,
} from "./publishing/publish_dataset.ts";
export type { PublicationCreator } from "./publishing/publication_texts.ts";
export type { PublicationOptions, PublishedFolder } from "./publishing/publish_folder.ts";
export { rebuildDataset, type RebuildOptions } from "./rebuilding/rebuild_dataset.ts";
export type { RecomputedKind, RecomputedPart, RecomputeResult } from "./reading/recompute.ts";
export type {
  BlockRange,
  DatasetAbout,
  DatasetContradiction,
  DatasetDrift,
  DatasetFailure,
  DatasetFile,
  DatasetManifest,
  DatasetRequest,
  DatasetSource,
  IdRanges,
  ItemState,
  MergedDataset,
  OpenOrders,
  RangeResolution,
  WalkedSettlements,
} from "./layout/manifest.ts";
export { type BlockFiles, blockFiles } from "./export/block_files.ts";
export type { DateRange } from "./export/resolve_range.ts";
export type { FileFacts } from "./layout/files.ts";
export type { ItemKind } from "./state/export_state.ts";
