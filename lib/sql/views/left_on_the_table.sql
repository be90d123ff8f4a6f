-- left_on_the_table
-- grain: One fill of one order whose auction is known, with the best bid for it that did not win
-- key: chain_id, block_number, log_index
-- tables: trades, orders, solution_orders, native_prices
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- order_uid | String | | order of the fill
-- block_number | Int64 | | block of the settlement
-- log_index | Int64 | | index of the event in its block
-- filled_at | String | UTC | when the fill happened; null if unknown
-- tx_hash | String | | settlement transaction
-- auction_id | Int64 | | auction it was settled from
-- kind | String | | sell or buy
-- pair | String | | symbols of sell_token → buy_token, or their shortened addresses
-- solver | String | | solver that settled
-- solver_name | String | | its name; null if unknown
-- best_solver | String | | solver of the best bid that did not win; null if nobody else bid
-- best_solver_name | String | | its name; null if unknown
-- best_ranking | Int64 | | rank of that bid's solution
-- best_filtered_out | Bool | | whether that solution was filtered out as unfair; null where the service did not store it yet
-- surplus_token | String | | buy_token of a sell order, sell_token of a buy order
-- left_atoms | String | surplus token atoms | leftOnTheTable: how much more that bid's price would have given for the same fill; negative if less
-- left_native_atoms | String | native atoms | the same at the native price of the auction, rounded down; null if the token has no price
WITH others AS (
  SELECT
    t.chain_id, t.block_number, t.log_index, b.solver, b.solver_name, b.ranking, b.filtered_out,
    CASE WHEN o.kind = 'sell'
      THEN u_sub(u_muldiv(t.sell_amount_before_fees, b.buy_amount, nullif(b.sell_amount, '0')),
        t.buy_amount)
      ELSE u_sub(t.sell_amount_before_fees,
        u_muldiv_up(t.buy_amount, b.sell_amount, nullif(b.buy_amount, '0'))) END AS left_atoms
  FROM trades t
  JOIN orders o ON o.order_uid = t.order_uid AND o.chain_id = t.chain_id
    AND o.environment IS NOT DISTINCT FROM t.environment
  JOIN solution_orders b ON b.order_uid = t.order_uid AND b.auction_id = t.auction_id
    AND b.chain_id = t.chain_id AND b.environment IS NOT DISTINCT FROM t.environment
  WHERE NOT b.is_winner AND b.sell_amount <> '0' AND b.buy_amount <> '0'
),
ranked AS (
  SELECT
    *,
    row_number() OVER (
      PARTITION BY chain_id, block_number, log_index
      ORDER BY u_key(left_atoms) DESC, ranking
    ) AS place
  FROM others
)
SELECT
  t.network, t.environment, t.chain_id, t.order_uid, t.block_number, t.log_index, t.filled_at,
  t.tx_hash, t.auction_id, o.kind, t.pair, t.solver, t.solver_name,
  r.solver AS best_solver,
  r.solver_name AS best_solver_name,
  r.ranking AS best_ranking,
  r.filtered_out AS best_filtered_out,
  CASE WHEN o.kind = 'sell' THEN t.buy_token ELSE t.sell_token END AS surplus_token,
  r.left_atoms,
  u_muldiv(r.left_atoms, n.native_price, '1000000000000000000') AS left_native_atoms
FROM trades t
JOIN orders o ON o.order_uid = t.order_uid AND o.chain_id = t.chain_id
  AND o.environment IS NOT DISTINCT FROM t.environment
LEFT JOIN ranked r ON r.chain_id = t.chain_id AND r.block_number = t.block_number
  AND r.log_index = t.log_index AND r.place = 1
LEFT JOIN native_prices n ON n.auction_id = t.auction_id AND n.chain_id = t.chain_id
  AND n.environment IS NOT DISTINCT FROM t.environment
  AND lower(n.token) = lower(CASE WHEN o.kind = 'sell' THEN t.buy_token ELSE t.sell_token END)
WHERE t.auction_id IS NOT NULL
