-- solver_days
-- grain: One solver on one day, by when its auctions began
-- key: chain_id, environment, solver, day
-- tables: solutions, reference_scores, auctions, trades
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- day | String | UTC | day on which the auctions began, such as 2026-11-21; null if unknown
-- solver | String | | address of the solver
-- solver_name | String | | its name; null if unknown
-- bid_count | Int64 | solutions | solutions it proposed
-- filtered_count | Int64 | solutions | its solutions that were filtered out as unfair; null where the service did not store it yet
-- winning_count | Int64 | solutions | its solutions that won; several can win one auction
-- auctions_bid | Int64 | auctions | auctions in which it proposed a solution
-- auctions_won | Int64 | auctions | auctions in which one of its solutions won
-- win_rate | Float64 | 0 to 1 | auctions_won / auctions_bid
-- score_won | String | native atoms | sum of the scores of its winning solutions
-- score_won_native | Float64 | native tokens | the same for axes
-- score_share | Float64 | 0 to 1 | score_won / that of all solvers on that day; null if that is 0
-- reference_score_sum | String | native atoms | sum of its reference scores, each once per auction it won
-- margin_sum | String | native atoms | sum of total score - reference score over those auctions
-- margin_auctions | Int64 | auctions | auctions in margin_sum: those won whose answer has its reference score
-- in_time | Int64 | solutions | winning solutions settled by the deadline block
-- late | Int64 | solutions | winning solutions settled after the deadline block
-- unsettled | Int64 | solutions | winning solutions without a known settlement: not settled, or not seen
WITH dated AS (
  SELECT *, substr(auction_at, 1, 10) AS day
  FROM solution_outcomes
),
counted AS (
  SELECT
    network, environment, chain_id, day, solver_key,
    min(solver) AS solver,
    max(solver_name) AS solver_name,
    count(*) AS bid_count,
    CASE WHEN count(filtered_out) = count(*)
      THEN CAST(sum(CASE WHEN filtered_out THEN 1 ELSE 0 END) AS BIGINT) END AS filtered_count,
    CAST(sum(CASE WHEN is_winner THEN 1 ELSE 0 END) AS BIGINT) AS winning_count,
    count(DISTINCT auction_id) AS auctions_bid,
    count(DISTINCT CASE WHEN is_winner THEN auction_id END) AS auctions_won,
    u_sum(CASE WHEN is_winner THEN score ELSE '0' END) AS score_won,
    CAST(sum(CASE WHEN outcome = 'in_time' THEN 1 ELSE 0 END) AS BIGINT) AS in_time,
    CAST(sum(CASE WHEN outcome = 'late' THEN 1 ELSE 0 END) AS BIGINT) AS late,
    CAST(sum(CASE WHEN outcome = 'unsettled' THEN 1 ELSE 0 END) AS BIGINT)
      AS unsettled
  FROM dated
  GROUP BY network, environment, chain_id, day, solver_key
),
scored AS (
  SELECT
    *, u_sum(score_won) OVER (PARTITION BY environment, chain_id, day) AS score_of_all
  FROM counted
),
margins AS (
  SELECT
    r.environment, r.chain_id, substr(a.auction_at, 1, 10) AS day, lower(r.solver) AS solver_key,
    u_sum(r.reference_score) AS reference_score_sum,
    u_sum(r.margin) AS margin_sum,
    count(*) AS margin_auctions
  FROM reference_scores r
  JOIN raw_auctions a ON a.auction_id = r.auction_id AND a.chain_id = r.chain_id
    AND a.environment IS NOT DISTINCT FROM r.environment
  WHERE r.winning_solution_count > 0
  GROUP BY r.environment, r.chain_id, substr(a.auction_at, 1, 10), lower(r.solver)
)
SELECT
  c.network, c.environment, c.chain_id, c.day, c.solver, c.solver_name, c.bid_count, c.filtered_count,
  c.winning_count, c.auctions_bid, c.auctions_won,
  CAST(c.auctions_won AS DOUBLE) / CAST(c.auctions_bid AS DOUBLE) AS win_rate,
  c.score_won,
  u_ratio(c.score_won, '1000000000000000000') AS score_won_native,
  u_ratio(c.score_won, c.score_of_all) AS score_share,
  coalesce(m.reference_score_sum, '0') AS reference_score_sum,
  coalesce(m.margin_sum, '0') AS margin_sum,
  coalesce(m.margin_auctions, 0) AS margin_auctions,
  c.in_time, c.late, c.unsettled
FROM scored c
LEFT JOIN margins m ON m.solver_key = c.solver_key AND m.chain_id = c.chain_id
  AND m.environment IS NOT DISTINCT FROM c.environment
  AND m.day IS NOT DISTINCT FROM c.day
