-- leaderboard
-- grain: One solver over all auctions of the dataset
-- key: chain_id, environment, solver
-- tables: solutions, reference_scores, solution_orders, auctions, trades
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- solver | String | | address of the solver
-- solver_name | String | | its name; null if unknown
-- bid_count | Int64 | solutions | solutions it proposed
-- filtered_count | Int64 | solutions | its solutions that were filtered out as unfair; null where the service did not store it yet
-- winning_count | Int64 | solutions | its solutions that won; several can win one auction
-- auctions_bid | Int64 | auctions | auctions in which it proposed a solution
-- auctions_won | Int64 | auctions | auctions in which one of its solutions won
-- win_rate | Float64 | 0 to 1 | auctions_won / auctions_bid
-- win_rate_low | Float64 | 0 to 1 | lower end of the Wilson interval of win_rate, 95%
-- win_rate_high | Float64 | 0 to 1 | upper end of the Wilson interval of win_rate, 95%
-- score_won | String | native atoms | sum of the scores of its winning solutions
-- score_won_native | Float64 | native tokens | the same for axes
-- score_share | Float64 | 0 to 1 | score_won / that of all solvers; null if that is 0
-- reference_score_sum | String | native atoms | sum of its reference scores, each once per auction it won
-- margin_sum | String | native atoms | sum of total score - reference score over those auctions
-- margin_auctions | Int64 | auctions | auctions in margin_sum: those won whose answer has its reference score
-- pair_count | Int64 | directed pairs | directed pairs it bid on
-- in_time | Int64 | solutions | winning solutions settled by the deadline block
-- late | Int64 | solutions | winning solutions settled after the deadline block
-- unsettled | Int64 | solutions | winning solutions without a known settlement: not settled, or not seen
WITH pairs_bid AS (
  SELECT
    environment, chain_id, lower(solver) AS solver_key,
    count(DISTINCT lower(sell_token) || lower(buy_token)) AS pair_count
  FROM solution_orders
  WHERE sell_token IS NOT NULL AND buy_token IS NOT NULL
  GROUP BY environment, chain_id, lower(solver)
),
summed AS (
  SELECT
    network, environment, chain_id, lower(solver) AS solver_key,
    min(solver) AS solver,
    max(solver_name) AS solver_name,
    CAST(sum(bid_count) AS BIGINT) AS bid_count,
    CASE WHEN count(filtered_count) = count(*)
      THEN CAST(sum(filtered_count) AS BIGINT) END AS filtered_count,
    CAST(sum(winning_count) AS BIGINT) AS winning_count,
    CAST(sum(auctions_bid) AS BIGINT) AS auctions_bid,
    CAST(sum(auctions_won) AS BIGINT) AS auctions_won,
    u_sum(score_won) AS score_won,
    u_sum(reference_score_sum) AS reference_score_sum,
    u_sum(margin_sum) AS margin_sum,
    CAST(sum(margin_auctions) AS BIGINT) AS margin_auctions,
    CAST(sum(in_time) AS BIGINT) AS in_time,
    CAST(sum(late) AS BIGINT) AS late,
    CAST(sum(unsettled) AS BIGINT) AS unsettled
  FROM solver_days
  GROUP BY network, environment, chain_id, lower(solver)
),
rated AS (
  SELECT
    *,
    u_sum(score_won) OVER (PARTITION BY environment, chain_id) AS score_of_all,
    CAST(auctions_bid AS DOUBLE) AS trials,
    CAST(auctions_won AS DOUBLE) / CAST(auctions_bid AS DOUBLE) AS win_rate,
    1.959963984540054e0 AS z
  FROM summed
),
-- The interval is (centre - spread) / widened to (centre + spread) / widened.
wilson AS (
  SELECT
    *,
    win_rate + z * z / trials / 2e0 AS centre,
    z * sqrt(win_rate * (1e0 - win_rate) / trials + z * z / trials / (4e0 * trials)) AS spread,
    1e0 + z * z / trials AS widened
  FROM rated
)
SELECT
  w.network, w.environment, w.chain_id, w.solver, w.solver_name, w.bid_count, w.filtered_count,
  w.winning_count, w.auctions_bid, w.auctions_won, w.win_rate,
  CASE WHEN w.auctions_won = 0 THEN 0e0
    ELSE greatest(0e0, (w.centre - w.spread) / w.widened) END AS win_rate_low,
  CASE WHEN w.auctions_won = w.auctions_bid THEN 1e0
    ELSE least(1e0, (w.centre + w.spread) / w.widened) END AS win_rate_high,
  w.score_won,
  u_ratio(w.score_won, '1000000000000000000') AS score_won_native,
  u_ratio(w.score_won, w.score_of_all) AS score_share,
  w.reference_score_sum, w.margin_sum, w.margin_auctions,
  coalesce(p.pair_count, 0) AS pair_count,
  w.in_time, w.late, w.unsettled
FROM wilson w
LEFT JOIN pairs_bid p ON p.solver_key = w.solver_key AND p.chain_id = w.chain_id
  AND p.environment IS NOT DISTINCT FROM w.environment
