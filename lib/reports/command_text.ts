import { chooseSettlementContract, IN_PROCESS_URL } from "../client/connect.ts";
import type { Environment, NetworkName } from "../networks/network.ts";
import { NETWORKS } from "../networks/networks.ts";
import { sameHex } from "../units/mod.ts";
import type { ReportedDeployment } from "./order/order_report.ts";
import { formatCommand } from "../errors/shell_words.ts";

/** The command that makes a page again. */
export function formatInspectCommand(
  subject: string | number,
  deployment: ReportedDeployment,
): string {
  return formatCommand(["inspect", `${subject}`, ...listSourceWords(deployment)]);
}

/** The advice to look for something in the deployments that were not queried. */
export function formatSearch(name: "UID" | "hash"): string {
  return "Search the other networks and environments: `locate` in code, or on the command line " +
    `\`orderlens inspect\` with only the ${name}`;
}

/** The words that name a deployment on a command line; none for one of this process. */
function listSourceWords(
  { network, environment, chainId, settlementContract, source }: ReportedDeployment,
): string[] {
  const [, scheme, target = ""] = /^(\w+):\/\/(.*)$/.exec(source) ?? [];
  if (scheme === "replay" || scheme === "dataset") return ["--recording", target];
  if (scheme === "sandbox") return ["--sandbox", target];
  if (network !== null) {
    const staging = environment === "staging" ? ["--env", "staging"] : [];
    const usual = chooseSettlementContract(
      NETWORKS[network as NetworkName],
      (environment ?? "production") as Environment,
    );
    const isOwn = sameHex(usual, settlementContract);
    return ["--network", network, ...staging, ...isOwn ? [] : ["--settlement", settlementContract]];
  }
  if (scheme !== "http" && scheme !== "https" || source === IN_PROCESS_URL) return [];
  const chain = ["--chain-id", `${chainId}`];
  return ["--url", source, ...chain, "--settlement", settlementContract];
}
