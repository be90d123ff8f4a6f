-- auctions
-- grain: One auction for which solvers proposed solutions, with its winners and margins
-- key: chain_id, environment, auction_id
-- tables: auctions, solutions, reference_scores
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- auction_id | Int64 | | id of the auction
-- auction_at | String | UTC | when the auction began; null if unknown
-- auction_at_ms | Int64 | unix milliseconds | auction_at, rounded down
-- auction_start_block | Int64 | | block in which it began
-- deadline_block | Int64 | | the last block in which to settle
-- order_count | Int64 | orders | orders that it lists
-- solution_count | Int64 | solutions | solutions proposed
-- filtered_count | Int64 | solutions | solutions filtered out as unfair; null where the service did not store it yet
-- winner_count | Int64 | solutions | winning solutions
-- winning_solver_count | Int64 | solvers | solvers with a winning solution
-- first_solver | String | | solver of the solution that ranks first
-- first_solver_name | String | | its name; null if unknown
-- first_score | String | native atoms | score of that solution
-- second_score | String | native atoms | score of the solution that ranks second; null if there is none
-- total_score | String | native atoms | sum of the scores of all winning solutions; null without a winner
-- total_score_native | Float64 | native tokens | the same for axes
-- reference_score_sum | String | native atoms | sum of the reference scores of the winning solvers, as reported; null if none is
-- margin_sum | String | native atoms | sum of total_score - reference score over those solvers
-- margin_count | Int64 | solvers | winning solvers with a reference score
-- tx_hashes | String | | settlement transactions, joined by spaces; null without any
WITH proposed AS (
  SELECT
    chain_id, environment, auction_id,
    CASE WHEN count(filtered_out) = count(*)
      THEN CAST(sum(CASE WHEN filtered_out THEN 1 ELSE 0 END) AS BIGINT) END AS filtered_count,
    count(DISTINCT CASE WHEN is_winner THEN lower(solver) END) AS winning_solver_count,
    max(CASE WHEN ranking = 1 THEN solver END) AS first_solver,
    max(CASE WHEN ranking = 1 THEN solver_name END) AS first_solver_name,
    max(CASE WHEN ranking = 1 THEN score END) AS first_score,
    max(CASE WHEN ranking = 2 THEN score END) AS second_score,
    u_sum(CASE WHEN is_winner THEN score END) AS total_score
  FROM solutions
  GROUP BY chain_id, environment, auction_id
),
referenced AS (
  SELECT
    chain_id, environment, auction_id,
    count(*) AS margin_count,
    u_sum(reference_score) AS reference_score_sum,
    u_sum(margin) AS margin_sum
  FROM reference_scores
  WHERE winning_solution_count > 0
  GROUP BY chain_id, environment, auction_id
)
SELECT
  a.network, a.environment, a.chain_id, a.auction_id, a.auction_at, a.auction_at_ms,
  a.auction_start_block, a.deadline_block, a.order_count, a.solution_count,
  p.filtered_count,
  a.winner_count,
  coalesce(p.winning_solver_count, 0) AS winning_solver_count,
  p.first_solver, p.first_solver_name, p.first_score, p.second_score, p.total_score,
  u_ratio(p.total_score, '1000000000000000000') AS total_score_native,
  r.reference_score_sum, r.margin_sum,
  coalesce(r.margin_count, 0) AS margin_count,
  a.tx_hashes
FROM raw_auctions a
LEFT JOIN proposed p ON p.auction_id = a.auction_id AND p.chain_id = a.chain_id
  AND p.environment IS NOT DISTINCT FROM a.environment
LEFT JOIN referenced r ON r.auction_id = a.auction_id AND r.chain_id = a.chain_id
  AND r.environment IS NOT DISTINCT FROM a.environment
