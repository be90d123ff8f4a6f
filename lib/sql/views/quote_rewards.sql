-- quote_rewards
-- grain: One executed order in one accounting week, and whether its quote earned its solver a reward
-- key: chain_id, environment, order_uid, week_start_ms
-- tables: solutions, solution_orders, auctions, trades, orders, order_listings
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- week_start_ms | Int64 | unix milliseconds | Tuesday, 00:00 UTC, by when the auction began; null if unknown
-- order_uid | String | | the order
-- quote_solver | String | | solver that quoted; null if the order or its quote is unknown
-- quote_solver_name | String | | its name; null if unknown
-- verdict | String | | quoteRewards: earned, possible, not_earned, or unknown if the order is not in the dataset
-- reason | String | | why it earned nothing, or may not have: order_unknown, no_quote, partially_fillable, quote_not_verified, out_of_market, settlement_unknown, or bid_below_gross_quote; the last also where no bid of the quoter was seen, since one may be in an auction outside of the dataset; null if it did
WITH judged AS (
  SELECT
    *,
    coalesce(filtered_out, FALSE) AS is_filtered,
    auction_at_ms - (auction_at_ms - 432000000) % 604800000 AS week_start_ms
  FROM solution_outcomes
),
executed AS (
  SELECT
    j.network, j.environment, j.chain_id, j.week_start_ms, o.order_uid,
    max(CASE WHEN j.settlement_tx_hash IS NOT NULL THEN 1 ELSE 0 END) = 1 AS is_sure
  FROM judged j
  JOIN raw_auctions a ON a.auction_id = j.auction_id AND a.chain_id = j.chain_id
    AND a.environment IS NOT DISTINCT FROM j.environment
  JOIN solution_orders o ON o.auction_id = j.auction_id AND o.ranking = j.ranking
    AND o.chain_id = j.chain_id AND o.environment IS NOT DISTINCT FROM j.environment
  LEFT JOIN order_listings l ON l.order_uid = o.order_uid AND l.chain_id = j.chain_id
    AND l.environment IS NOT DISTINCT FROM j.environment
    AND j.auction_id BETWEEN l.first_auction_id AND l.last_auction_id
  WHERE j.is_winner AND (a.order_count = 0 OR l.order_uid IS NOT NULL)
  GROUP BY j.network, j.environment, j.chain_id, j.week_start_ms, o.order_uid
),
quoted AS (
  SELECT
    e.network, e.environment, e.chain_id, e.week_start_ms, e.order_uid, e.is_sure,
    r.quote_solver, r.quote_solver_name,
    r.kind = 'sell' AS is_sell,
    CASE WHEN r.kind = 'sell' THEN r.quote_sell_amount ELSE r.quote_buy_amount END AS quote_fixed,
    CASE WHEN r.kind = 'sell' THEN r.quote_buy_amount ELSE r.quote_sell_amount END AS quote_open,
    CASE WHEN r.order_uid IS NULL THEN 'order_unknown'
      WHEN r.quote_solver IS NULL THEN 'no_quote'
      WHEN r.partially_fillable THEN 'partially_fillable'
      WHEN NOT r.quote_verified THEN 'quote_not_verified'
      WHEN coalesce(r.market_position, '') <> 'in_market' THEN 'out_of_market' END AS refusal
  FROM executed e
  LEFT JOIN orders r ON r.order_uid = e.order_uid AND r.chain_id = e.chain_id
    AND r.environment IS NOT DISTINCT FROM e.environment
),
bids AS (
  SELECT
    j.environment, j.chain_id, j.week_start_ms, j.solver_key, b.order_uid, b.sell_amount,
    b.buy_amount
  FROM judged j
  JOIN solution_orders b ON b.auction_id = j.auction_id AND b.ranking = j.ranking
    AND b.chain_id = j.chain_id AND b.environment IS NOT DISTINCT FROM j.environment
  WHERE NOT j.is_filtered
),
offered AS (
  SELECT
    q.*,
    CASE WHEN q.is_sell THEN b.sell_amount ELSE b.buy_amount END AS fixed,
    CASE WHEN q.is_sell THEN b.buy_amount ELSE b.sell_amount END AS executed
  FROM quoted q
  LEFT JOIN bids b ON q.refusal IS NULL AND b.order_uid = q.order_uid AND b.chain_id = q.chain_id
    AND b.environment IS NOT DISTINCT FROM q.environment
    AND b.solver_key = lower(q.quote_solver)
    AND b.week_start_ms IS NOT DISTINCT FROM q.week_start_ms
),
reaching AS (
  SELECT
    network, environment, chain_id, week_start_ms, order_uid, quote_solver, quote_solver_name,
    refusal, is_sure,
    max(CASE WHEN fixed <> '0' AND quote_fixed <> '0' AND quote_open <> '0'
        AND CASE WHEN is_sell
          THEN u_sub(u_muldiv(executed, quote_fixed, '1'), u_muldiv(quote_open, fixed, '1'))
          ELSE u_sub(u_muldiv(quote_open, fixed, '1'), u_muldiv(executed, quote_fixed, '1'))
          END NOT LIKE '-%' THEN 1 ELSE 0 END) = 1 AS reaches_quote
  FROM offered
  GROUP BY network, environment, chain_id, week_start_ms, order_uid, quote_solver,
    quote_solver_name, refusal, is_sure
)
SELECT
  network, environment, chain_id, week_start_ms, order_uid, quote_solver, quote_solver_name,
  CASE WHEN refusal = 'order_unknown' THEN 'unknown'
    WHEN refusal IS NOT NULL THEN 'not_earned'
    WHEN is_sure AND reaches_quote THEN 'earned'
    ELSE 'possible' END AS verdict,
  CASE WHEN refusal IS NOT NULL THEN refusal
    WHEN NOT reaches_quote THEN 'bid_below_gross_quote'
    WHEN NOT is_sure THEN 'settlement_unknown' END AS reason
FROM reaching
