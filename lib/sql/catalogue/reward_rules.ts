import { oneOf, type OptionRule } from "../../errors/option_rules.ts";
import { NETWORKS } from "../../networks/networks.ts";

/** Name of the table of reward rules. */
export const REWARD_RULES = "reward_rules";

/** A network with documented reward rules. */
export const RULES_OF: OptionRule<string> = oneOf(...Object.keys(NETWORKS));

/**
 * The documented reward rules of every network, as a query without a table.
 *
 * @param network The network whose rules also count for deployments without a name.
 */
export function rewardRules(network?: string): string {
  const rows = Object.values(NETWORKS).flatMap(({ name, rewards, quoteReward }) => {
    const places = network === name ? [name, null] : [name];
    return places.flatMap((named) =>
      rewards.map(({ since, feeShare, lowerCapAtoms, asOf }, place) =>
        `(${
          [
            named === null ? "CAST(NULL AS STRING)" : `'${named}'`,
            since === null ? "CAST(NULL AS BIGINT)" : `${Date.parse(since)}`,
            `'${feeShare.numerator}'`,
            `'${feeShare.denominator}'`,
            `'${lowerCapAtoms}'`,
            `'${asOf}'`,
            place,
            quoteReward === null ? "CAST(NULL AS STRING)" : `'${quoteReward.nativeAtoms}'`,
          ].join(", ")
        })`
      )
    );
  });
  return `SELECT * FROM (VALUES ${rows.join(",\n")}) AS rules(
    network, since_ms, fee_share_numerator, fee_share_denominator, lower_cap, as_of, place,
    quote_native)`;
}
