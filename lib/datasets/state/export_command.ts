import type { DatasetManifest, DatasetRequest, DatasetSource } from "../layout/manifest.ts";
import { TABLE_NAMES } from "../shards/published_tables.ts";
import { SETTLEMENT_TABLES } from "../shards/table_needs.ts";

/** The command that exports what a request asked for; a list of UIDs and URLs are left to fill in. */
export function exportCommand(
  { source, request, about = {} }: Pick<DatasetManifest, "source" | "request" | "about">,
): string {
  return [
    "orderlens export DIR",
    ...deploymentWords(source),
    ...selectionWords(request),
    ...(["title", "license", "creator"] as const).flatMap((name) =>
      about[name] === undefined ? [] : `--${name} '${about[name].replaceAll("'", "'\\''")}'`
    ),
  ].join(" ");
}

function deploymentWords({ network, environment, chainId, settlementContract }: DatasetSource) {
  if (network !== null) {
    return [`--network ${network}`, ...environment === null ? [] : [`--env ${environment}`]];
  }
  return [`--url URL --chain-id ${chainId} --settlement ${settlementContract}`];
}

function selectionWords(request: DatasetRequest): string[] {
  const { auctions, dates, blocks, last, owner, uids, tables } = request;
  const hasSettlements = tables.some((name) => SETTLEMENT_TABLES.includes(name));
  const hasNode = request.blockTimes || hasSettlements;
  const all = TABLE_NAMES.filter((name) =>
    (request.blockTimes || name !== "blocks") &&
    (hasSettlements || !SETTLEMENT_TABLES.includes(name))
  );
  return [
    ...auctions === null ? [] : [`--auctions ${auctions.from}..${auctions.to ?? ""}`],
    ...dates === null || dates === undefined
      ? []
      : [`--from ${dates.from}${dates.to === null ? "" : ` --to ${dates.to}`}`],
    ...blocks === null || blocks === undefined ? [] : [`--blocks ${blocks.from}..${blocks.to}`],
    ...request.walk === undefined ? [] : [`--discover-by ${request.walk}`],
    ...last === null ? [] : [`--last ${last}`],
    ...owner === null ? [] : [`--owner ${owner}`],
    ...uids === null ? [] : ["--uids FILE"],
    ...tables.join() === all.join() ? [] : [`--tables ${tables.join()}`],
    ...request.trades ? [] : ["--no-trades"],
    ...request.debugReports ? [] : ["--no-debug-reports"],
    ...request.follow ? ["--follow"] : [],
    ...hasNode ? ["--rpc-url URL"] : [],
    ...hasNode && !request.blockTimes ? ["--no-block-times"] : [],
    ...hasNode && !hasSettlements ? ["--no-settlements"] : [],
  ];
}
