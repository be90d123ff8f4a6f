-- consistency_shares
-- grain: One solver in one accounting week, with its share in the executed orders that it bid on
-- key: chain_id, environment, solver, week_start_ms
-- tables: solutions, solution_orders, auctions, trades, orders, order_listings
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- week_start_ms | Int64 | unix milliseconds | Tuesday, 00:00 UTC, by when the auction began; null if unknown
-- solver | String | | address of the solver
-- solver_name | String | | its name; null if unknown
-- order_shares | String | 10^-36 | sum of its shares in the surplus that bids offered on each executed order, its best bid that was not filtered out counting, each rounded down
-- pairs_won | Int64 | pairs of auction and order | orders of its winning solutions
-- pairs_in_time | Int64 | pairs of auction and order | those of solutions that were settled by the deadline block
-- metric | String | 10^-36 | order_shares * pairs_in_time / pairs_won, rounded down; 0 if it won nothing
-- metric_of_week | String | 10^-36 | sum of metric over the solvers of the week
-- share | Float64 | 0 to 1 | consistencyShares: metric / metric_of_week, its share of the budget; null if that is 0
-- executed_orders | Int64 | pairs of auction and order | executed orders of the week of all solvers; those in which no bid had surplus count for nobody
-- orders_unknown | Int64 | pairs of auction and order | executed orders of the week that are left out: the limit is unknown, or the auction does not list the order
WITH judged AS (
  SELECT
    *,
    coalesce(filtered_out, FALSE) AS is_filtered,
    auction_at_ms - (auction_at_ms - 432000000) % 604800000 AS week_start_ms
  FROM solution_outcomes
),
bidders AS (
  SELECT
    network, environment, chain_id, week_start_ms, solver_key,
    min(solver) AS solver,
    max(solver_name) AS solver_name
  FROM judged
  GROUP BY network, environment, chain_id, week_start_ms, solver_key
),
won AS (
  SELECT
    j.environment, j.chain_id, j.week_start_ms, j.auction_id, j.ranking, j.solver_key, j.outcome,
    o.order_uid,
    j.settlement_tx_hash IS NOT NULL AS is_executed,
    r.kind = 'sell' AS is_sell,
    CASE WHEN r.kind = 'sell' THEN r.sell_amount ELSE r.buy_amount END AS limit_fixed,
    CASE WHEN r.kind = 'sell' THEN r.buy_amount ELSE r.sell_amount END AS limit_open,
    r.order_uid IS NULL OR NOT (a.order_count = 0 OR l.order_uid IS NOT NULL) AS is_unknown
  FROM judged j
  JOIN raw_auctions a ON a.auction_id = j.auction_id AND a.chain_id = j.chain_id
    AND a.environment IS NOT DISTINCT FROM j.environment
  JOIN solution_orders o ON o.auction_id = j.auction_id AND o.ranking = j.ranking
    AND o.chain_id = j.chain_id AND o.environment IS NOT DISTINCT FROM j.environment
  LEFT JOIN orders r ON r.order_uid = o.order_uid AND r.chain_id = j.chain_id
    AND r.environment IS NOT DISTINCT FROM j.environment
  LEFT JOIN order_listings l ON l.order_uid = o.order_uid AND l.chain_id = j.chain_id
    AND l.environment IS NOT DISTINCT FROM j.environment
    AND j.auction_id BETWEEN l.first_auction_id AND l.last_auction_id
  WHERE j.is_winner
),
offered AS (
  SELECT
    e.environment, e.chain_id, e.week_start_ms, e.auction_id, e.ranking, e.order_uid,
    j.solver_key,
    CASE WHEN e.is_sell
      THEN u_sub(b.buy_amount, u_muldiv_up(b.sell_amount, e.limit_open, nullif(e.limit_fixed, '0')))
      ELSE u_sub(u_muldiv(e.limit_open, b.buy_amount, nullif(e.limit_fixed, '0')), b.sell_amount)
      END AS surplus
  FROM won e
  JOIN solution_orders b ON b.order_uid = e.order_uid AND b.auction_id = e.auction_id
    AND b.chain_id = e.chain_id AND b.environment IS NOT DISTINCT FROM e.environment
  JOIN judged j ON j.auction_id = b.auction_id AND j.ranking = b.ranking
    AND j.chain_id = b.chain_id AND j.environment IS NOT DISTINCT FROM b.environment
  WHERE e.is_executed AND NOT e.is_unknown AND e.limit_fixed <> '0' AND NOT j.is_filtered
),
best AS (
  SELECT
    environment, chain_id, week_start_ms, auction_id, ranking, order_uid, solver_key,
    u_max(CASE WHEN surplus LIKE '-%' THEN '0' ELSE surplus END) AS surplus
  FROM offered
  GROUP BY environment, chain_id, week_start_ms, auction_id, ranking, order_uid, solver_key
),
weighed AS (
  SELECT
    *,
    u_sum(surplus) OVER (
      PARTITION BY environment, chain_id, auction_id, ranking, order_uid) AS surplus_of_all
  FROM best
),
shared AS (
  SELECT
    environment, chain_id, week_start_ms, solver_key,
    u_sum(u_muldiv(surplus, '1000000000000000000000000000000000000', nullif(surplus_of_all, '0')))
      AS order_shares
  FROM weighed
  GROUP BY environment, chain_id, week_start_ms, solver_key
),
counted AS (
  SELECT
    environment, chain_id, week_start_ms, solver_key,
    count(*) AS pairs_won,
    count(CASE WHEN outcome = 'in_time' THEN 1 END) AS pairs_in_time,
    count(CASE WHEN is_executed THEN 1 END) AS executed_orders,
    count(CASE WHEN is_executed AND (is_unknown OR limit_fixed = '0') THEN 1 END) AS orders_unknown
  FROM won
  GROUP BY environment, chain_id, week_start_ms, solver_key
),
measured AS (
  SELECT
    b.network, b.environment, b.chain_id, b.week_start_ms, b.solver, b.solver_name,
    coalesce(s.order_shares, '0') AS order_shares,
    coalesce(c.pairs_won, 0) AS pairs_won,
    coalesce(c.pairs_in_time, 0) AS pairs_in_time,
    coalesce(u_muldiv(coalesce(s.order_shares, '0'), CAST(c.pairs_in_time AS STRING),
      CAST(c.pairs_won AS STRING)), '0') AS metric,
    coalesce(c.executed_orders, 0) AS executed_orders,
    coalesce(c.orders_unknown, 0) AS orders_unknown
  FROM bidders b
  LEFT JOIN shared s ON s.solver_key = b.solver_key AND s.chain_id = b.chain_id
    AND s.environment IS NOT DISTINCT FROM b.environment
    AND s.week_start_ms IS NOT DISTINCT FROM b.week_start_ms
  LEFT JOIN counted c ON c.solver_key = b.solver_key AND c.chain_id = b.chain_id
    AND c.environment IS NOT DISTINCT FROM b.environment
    AND c.week_start_ms IS NOT DISTINCT FROM b.week_start_ms
),
compared AS (
  SELECT
    network, environment, chain_id, week_start_ms, solver, solver_name, order_shares, pairs_won,
    pairs_in_time, metric,
    u_sum(metric) OVER week AS metric_of_week,
    CAST(sum(executed_orders) OVER week AS BIGINT) AS executed_orders,
    CAST(sum(orders_unknown) OVER week AS BIGINT) AS orders_unknown
  FROM measured
  WINDOW week AS (PARTITION BY environment, chain_id, week_start_ms)
)
SELECT
  network, environment, chain_id, week_start_ms, solver, solver_name, order_shares, pairs_won,
  pairs_in_time, metric, metric_of_week,
  u_ratio(metric, metric_of_week) AS share,
  executed_orders, orders_unknown
FROM compared
