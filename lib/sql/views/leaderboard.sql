-- leaderboard
-- grain: One solver over all auctions of the dataset
-- key: chain_id, environment, solver
-- tables: outcomes, bids
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- solver | String | | address of the solver
-- solver_name | String | | its name; null if unknown
-- bid_count | Int64 | solutions | solutions it proposed
-- filtered_count | Int64 | solutions | its solutions that were filtered out, as unfair or without a score on the fast path; null where the service did not store it yet
-- winning_count | Int64 | solutions | its solutions that won; several can win one auction
-- auctions_bid | Int64 | auctions | auctions in which it proposed a solution
-- auctions_won | Int64 | auctions | auctions in which one of its solutions won
-- win_rate | Float64 | 0 to 1 | auctions_won / auctions_bid
-- win_rate_low | Float64 | 0 to 1 | lower end of the Wilson interval of win_rate, 95%
-- win_rate_high | Float64 | 0 to 1 | upper end of the Wilson interval of win_rate, 95%
-- score_won_atoms | String | native atoms | sum of the scores of its winning solutions
-- score_won_native | Float64 | native tokens | the same for axes
-- score_share | Float64 | 0 to 1 | score_won_atoms / that of all solvers; null if that is 0
-- reference_score_sum_atoms | String | native atoms | sum of its reference scores, each once per auction it won
-- reference_score_sum_native | Float64 | native tokens | the same for axes
-- margin_sum_atoms | String | native atoms | sum of total score - reference score over those auctions
-- margin_sum_native | Float64 | native tokens | the same for axes
-- margin_auctions | Int64 | auctions | auctions in margin_sum_atoms: those won whose record has its reference score
-- pair_count | Int64 | directed pairs | directed pairs it bid on, where the tokens of its bids are known
-- in_time_rate | Float64 | 0 to 1 | in_time / (in_time + late + absent); null if that is 0
-- in_time_rate_low | Float64 | 0 to 1 | lower end of the Wilson interval of in_time_rate, 95%
-- in_time_rate_high | Float64 | 0 to 1 | upper end of the Wilson interval of in_time_rate, 95%
-- in_time | Int64 | solutions | winning solutions settled by the deadline block
-- late | Int64 | solutions | winning solutions settled after the deadline block
-- absent | Int64 | solutions | winning solutions that were not settled
-- pending | Int64 | solutions | winning solutions that were not settled yet
-- unknown | Int64 | solutions | winning solutions whose outcome cannot be determined
WITH pairs_bid AS (
  SELECT environment, chain_id, solver, count(DISTINCT sell_token || buy_token) AS pair_count
  FROM bids
  GROUP BY environment, chain_id, solver
),
summed AS (
  SELECT {solver_sums}
  FROM outcomes
  GROUP BY network, environment, chain_id, solver
),
rated AS (
  SELECT
    *, CAST(auctions_bid AS DOUBLE) AS trials,
    CAST(auctions_won AS DOUBLE) / CAST(auctions_bid AS DOUBLE) AS win_rate,
    nullif(CAST(in_time + late + absent AS DOUBLE), 0e0) AS ended,
    CAST(in_time AS DOUBLE) / nullif(CAST(in_time + late + absent AS DOUBLE), 0e0) AS in_time_rate,
    sum(score_won_atoms) OVER (PARTITION BY environment, chain_id) AS of_all,
    1.959963984540054e0 AS z
  FROM summed
),
-- The interval is (centre - spread) / widened to (centre + spread) / widened.
wilson AS (
  SELECT
    *, win_rate + z * z / trials / 2e0 AS centre,
    z * sqrt(win_rate * (1e0 - win_rate) / trials + z * z / trials / (4e0 * trials)) AS spread,
    1e0 + z * z / trials AS widened,
    in_time_rate + z * z / ended / 2e0 AS in_time_centre,
    z * sqrt(in_time_rate * (1e0 - in_time_rate) / ended + z * z / ended / (4e0 * ended))
      AS in_time_spread,
    1e0 + z * z / ended AS in_time_widened
  FROM rated
)
SELECT
  w.*, coalesce(p.pair_count, 0) AS pair_count,
  CASE WHEN auctions_won = 0 THEN 0e0
    ELSE greatest(0e0, (centre - spread) / widened) END AS win_rate_low,
  CASE WHEN auctions_won = auctions_bid THEN 1e0
    ELSE least(1e0, (centre + spread) / widened) END AS win_rate_high,
  CASE WHEN ended IS NULL THEN NULL WHEN in_time = 0 THEN 0e0
    ELSE greatest(0e0, (in_time_centre - in_time_spread) / in_time_widened)
    END AS in_time_rate_low,
  CASE WHEN ended IS NULL THEN NULL WHEN late + absent = 0 THEN 1e0
    ELSE least(1e0, (in_time_centre + in_time_spread) / in_time_widened)
    END AS in_time_rate_high,
  CAST(CAST(score_won_atoms AS STRING) AS DOUBLE)
    / nullif(CAST(CAST(of_all AS STRING) AS DOUBLE), 0e0) AS score_share
FROM wilson AS w
LEFT JOIN pairs_bid AS p ON p.solver = w.solver AND p.chain_id = w.chain_id
  AND p.environment IS NOT DISTINCT FROM w.environment
