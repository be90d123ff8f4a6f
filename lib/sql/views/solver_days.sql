-- solver_days
-- grain: One solver on one day, by when its auctions began
-- key: chain_id, environment, solver, day
-- tables: outcomes
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- day | String | UTC | day on which the auctions began, such as 2026-11-21; null if unknown
-- solver | String | | address of the solver
-- solver_name | String | | its name; null if unknown
-- bid_count | Int64 | solutions | solutions it proposed
-- filtered_count | Int64 | solutions | its solutions that were filtered out, as unfair or without a score on the fast path; null where the service did not store it yet
-- winning_count | Int64 | solutions | its solutions that won; several can win one auction
-- auctions_bid | Int64 | auctions | auctions in which it proposed a solution
-- auctions_won | Int64 | auctions | auctions in which one of its solutions won
-- win_rate | Float64 | 0 to 1 | auctions_won / auctions_bid
-- score_won_atoms | String | native atoms | sum of the scores of its winning solutions
-- score_won_native | Float64 | native tokens | the same for axes
-- score_share | Float64 | 0 to 1 | score_won_atoms / that of all solvers on that day; null if that is 0
-- reference_score_sum_atoms | String | native atoms | sum of its reference scores, each once per auction it won
-- reference_score_sum_native | Float64 | native tokens | the same for axes
-- margin_sum_atoms | String | native atoms | sum of total score - reference score over those auctions
-- margin_sum_native | Float64 | native tokens | the same for axes
-- margin_auctions | Int64 | auctions | auctions in margin_sum_atoms: those won whose record has its reference score
-- in_time | Int64 | solutions | winning solutions settled by the deadline block
-- late | Int64 | solutions | winning solutions settled after the deadline block
-- absent | Int64 | solutions | winning solutions that were not settled
-- pending | Int64 | solutions | winning solutions that were not settled yet
-- unknown | Int64 | solutions | winning solutions whose outcome cannot be determined
WITH summed AS (
  SELECT substr(auction_at, 1, 10) AS day, {solver_sums}
  FROM outcomes
  GROUP BY network, environment, chain_id, substr(auction_at, 1, 10), solver
),
shared AS (
  SELECT *, sum(score_won_atoms) OVER (PARTITION BY environment, chain_id, day) AS of_all
  FROM summed
)
SELECT
  *, CAST(auctions_won AS DOUBLE) / CAST(auctions_bid AS DOUBLE) AS win_rate,
  CAST(CAST(score_won_atoms AS STRING) AS DOUBLE)
    / nullif(CAST(CAST(of_all AS STRING) AS DOUBLE), 0e0) AS score_share
FROM shared
