-- solution_outcomes
-- grain: One solution of one auction, with what became of it if it won
-- key: chain_id, environment, auction_id, ranking
-- tables: solutions, auctions, trades
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- auction_id | Int64 | | id of the auction
-- auction_at | String | UTC | when the auction began; null if unknown
-- auction_at_ms | Int64 | unix milliseconds | auction_at, rounded down
-- ranking | Int64 | | place of the solution, from 1
-- solver | String | | address of the solver
-- solver_key | String | | the same in lower case, to join and group by
-- solver_name | String | | its name; null if unknown
-- is_winner | Bool | | whether it won
-- filtered_out | Bool | | whether it was filtered out as unfair; null where the service did not store it yet
-- score | String | native atoms | its score
-- deadline_block | Int64 | | the last block in which to settle
-- settlement_tx_hash | String | | its own transaction, or the only one of an auction with one winner; null if unknown
-- settled_block | Int64 | | block of the fills of that transaction; null if there are none
-- outcome | String | | of a winner: in_time, late, or unsettled where no settlement is known; null otherwise
WITH settled AS (
  SELECT chain_id, tx_hash, max(block_number) AS block_number
  FROM trades
  GROUP BY chain_id, tx_hash
),
bids AS (
  SELECT
    s.*,
    coalesce(s.tx_hash, CASE WHEN a.winner_count = 1 AND a.tx_hashes NOT LIKE '% %'
      THEN a.tx_hashes END) AS settlement_tx_hash
  FROM solutions s
  LEFT JOIN raw_auctions a ON a.auction_id = s.auction_id AND a.chain_id = s.chain_id
    AND a.environment IS NOT DISTINCT FROM s.environment
)
SELECT
  b.network, b.environment, b.chain_id, b.auction_id, b.auction_at, b.auction_at_ms, b.ranking,
  b.solver, lower(b.solver) AS solver_key, b.solver_name, b.is_winner, b.filtered_out, b.score,
  b.deadline_block, b.settlement_tx_hash,
  t.block_number AS settled_block,
  CASE WHEN NOT b.is_winner THEN NULL
    WHEN t.block_number IS NULL OR b.deadline_block IS NULL THEN 'unsettled'
    WHEN t.block_number <= b.deadline_block THEN 'in_time'
    ELSE 'late' END AS outcome
FROM bids b
LEFT JOIN settled t ON t.chain_id = b.chain_id AND t.tx_hash = b.settlement_tx_hash
