-- rewards
-- grain: One solver in one accounting week, from Tuesday to Tuesday, with its estimated rewards for performance, consistency and quotes
-- key: chain_id, environment, solver, week_start
-- tables: solutions, solution_orders, reference_scores, auctions, trades, protocol_fees, native_prices, order_listings, orders
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- week_start | String | UTC | Tuesday, 00:00 UTC, by when the auction began; null if unknown
-- week_start_ms | Int64 | unix milliseconds | week_start
-- solver | String | | address of the solver
-- solver_name | String | | its name; null if unknown
-- auctions_bid | Int64 | auctions | auctions of the week in which it proposed a solution
-- auctions_won | Int64 | auctions | auctions of the week in which one of its solutions won
-- winning_count | Int64 | solutions | its solutions that won
-- in_time | Int64 | solutions | winning solutions settled by the deadline block
-- late | Int64 | solutions | winning solutions settled after it
-- unsettled | Int64 | solutions | winning solutions without a known settlement, whose score may be missing
-- rewarded_auctions | Int64 | auctions | auctions won whose answer has its reference score; null without rules
-- margin_sum | String | native atoms | sum of total score - reference score over those auctions
-- protocol_fee_low | String | native atoms | protocol fees of its executed trades without partner fees, at native prices: lower bound; null without rules
-- protocol_fee_high | String | native atoms | upper bound; null if unbounded, or without rules
-- uncapped_low | String | native atoms | sum of total score - reference score - missing score: lower bound; null without rules
-- uncapped_high | String | native atoms | upper bound, equal to low if every settlement is known
-- performance_low | String | native atoms | sum of the performance rewards, negative if the solver pays: lower bound; null without rules
-- performance_high | String | native atoms | upper bound, equal to low if everything is known
-- consistency_share | Float64 | 0 to 1 | its share of the week's consistency budget; null if nobody has one, without rules, or before 2026-06-30, when another metric applied
-- consistency_low | String | native atoms | consistency_share of what the caps left over, rounded down: lower bound; null without rules or before 2026-06-30
-- consistency_high | String | native atoms | upper bound; null if unbounded, without rules or before 2026-06-30
-- consistency_basis | String | | order_share; budget if an executed order or a settlement is unknown, since datasets have no attempts to settle: the share is between none and all of it
-- quotes_earned | Int64 | quotes | its quotes of orders executed in the week that surely earned a reward
-- quotes_possible | Int64 | quotes | its quotes that possibly earned one
-- quote_reward_low | String | native atoms | lower bound, 0: a quote earns 6 COW at the most, and no table of a dataset has the price of COW; null without a documented reward
-- quote_reward_high | String | native atoms | quotes_earned and quotes_possible times the most for one quote in native atoms; null if an executed order is unknown, or without a documented reward
-- total_low | String | native atoms | performance + consistency + quote reward: lower bound; null if one of them is unknown
-- total_high | String | native atoms | upper bound; null if one of them has none
-- fee_share | Float64 | 0 to 1 | share of the protocol fees that is the upper cap, by the documented rules of the network; null without rules
-- lower_cap | String | native atoms | the largest penalty in one auction; null without rules
-- rules_as_of | String | | month in which the documentation stated the caps
WITH judged AS (
  SELECT
    *,
    auction_at_ms - (auction_at_ms - 432000000) % 604800000 AS week_start_ms
  FROM solution_outcomes
),
dated AS (
  SELECT
    *,
    auction_at_ms - (auction_at_ms - 432000000) % 604800000 AS week_start_ms
  FROM raw_auctions
),
worked AS (
  SELECT
    network, environment, chain_id, week_start_ms, solver_key,
    min(solver) AS solver,
    max(solver_name) AS solver_name,
    count(DISTINCT auction_id) AS auctions_bid,
    count(DISTINCT CASE WHEN is_winner THEN auction_id END) AS auctions_won,
    CAST(sum(CASE WHEN is_winner THEN 1 ELSE 0 END) AS BIGINT) AS winning_count,
    CAST(sum(CASE WHEN outcome = 'in_time' THEN 1 ELSE 0 END) AS BIGINT) AS in_time,
    CAST(sum(CASE WHEN outcome = 'late' THEN 1 ELSE 0 END) AS BIGINT) AS late,
    CAST(sum(CASE WHEN outcome = 'unsettled' THEN 1 ELSE 0 END) AS BIGINT)
      AS unsettled
  FROM judged
  GROUP BY network, environment, chain_id, week_start_ms, solver_key
),
executed AS (
  SELECT
    j.chain_id, j.environment, j.auction_id, j.solver_key, o.order_uid, t.block_number, t.log_index,
    t.protocol_fee_count,
    l.order_uid IS NOT NULL AS is_listed
  FROM judged j
  JOIN raw_auctions a ON a.auction_id = j.auction_id AND a.chain_id = j.chain_id
    AND a.environment IS NOT DISTINCT FROM j.environment
  JOIN solution_orders o ON o.auction_id = j.auction_id AND o.ranking = j.ranking
    AND o.chain_id = j.chain_id AND o.environment IS NOT DISTINCT FROM j.environment
  LEFT JOIN trades t ON t.chain_id = j.chain_id AND t.tx_hash = j.settlement_tx_hash
    AND t.order_uid = o.order_uid
  LEFT JOIN order_listings l ON l.order_uid = o.order_uid AND l.chain_id = j.chain_id
    AND l.environment IS NOT DISTINCT FROM j.environment
    AND (j.auction_id BETWEEN l.first_auction_id AND l.last_auction_id OR a.order_count = 0)
  WHERE j.is_winner
),
charged AS (
  SELECT
    e.chain_id, e.environment, e.auction_id, e.solver_key,
    u_sum(CASE WHEN p.is_partner = FALSE AND n.native_price IS NOT NULL
      THEN u_muldiv(p.fee_amount, n.native_price, '1000000000000000000') ELSE '0' END) AS fee_low,
    u_sum(CASE WHEN coalesce(p.is_partner, FALSE) = FALSE AND n.native_price IS NOT NULL
        AND p.fee_amount IS NOT NULL
      THEN u_muldiv(p.fee_amount, n.native_price, '1000000000000000000') ELSE '0' END) AS fee_high,
    max(CASE WHEN e.protocol_fee_count IS NULL AND e.is_listed THEN 1
      WHEN p.fee_amount IS NOT NULL AND coalesce(p.is_partner, FALSE) = FALSE
        AND n.native_price IS NULL THEN 1
      ELSE 0 END) = 1 AS is_open
  FROM executed e
  LEFT JOIN protocol_fees p ON p.chain_id = e.chain_id AND p.block_number = e.block_number
    AND p.log_index = e.log_index
  LEFT JOIN native_prices n ON n.auction_id = e.auction_id AND n.chain_id = e.chain_id
    AND n.environment IS NOT DISTINCT FROM e.environment AND lower(n.token) = lower(p.fee_token)
  GROUP BY e.chain_id, e.environment, e.auction_id, e.solver_key
),
missing AS (
  SELECT
    chain_id, environment, auction_id, solver_key,
    u_sum(CASE WHEN outcome = 'late' THEN score ELSE '0' END) AS score_low,
    u_sum(CASE WHEN outcome = 'in_time' THEN '0' ELSE score END) AS score_high
  FROM judged
  WHERE is_winner
  GROUP BY chain_id, environment, auction_id, solver_key
),
ruled AS (
  SELECT
    a.network, a.environment, a.chain_id, a.auction_id, a.week_start_ms,
    r.fee_share_numerator, r.fee_share_denominator, r.lower_cap, r.as_of,
    row_number() OVER (
      PARTITION BY a.chain_id, a.environment, a.auction_id
      ORDER BY coalesce(r.since_ms, 0) DESC, r.place DESC) AS place
  FROM dated a
  LEFT JOIN reward_rules r ON r.network IS NOT DISTINCT FROM a.network
    AND (r.since_ms IS NULL OR a.week_start_ms IS NULL OR r.since_ms <= a.week_start_ms)
),
margins AS (
  SELECT
    u.environment, u.chain_id, u.week_start_ms, u.lower_cap, u.as_of,
    lower(s.solver) AS solver_key, s.margin, u.fee_share_numerator, u.fee_share_denominator,
    u_sub(s.margin, m.score_high) AS uncapped_low,
    u_sub(s.margin, m.score_low) AS uncapped_high,
    coalesce(c.fee_low, '0') AS fee_low,
    CASE WHEN coalesce(c.is_open, FALSE) THEN NULL ELSE coalesce(c.fee_high, '0') END AS fee_high
  FROM reference_scores s
  JOIN ruled u ON u.auction_id = s.auction_id AND u.chain_id = s.chain_id
    AND u.environment IS NOT DISTINCT FROM s.environment AND u.place = 1
  JOIN missing m ON m.auction_id = s.auction_id AND m.chain_id = s.chain_id
    AND m.environment IS NOT DISTINCT FROM s.environment AND m.solver_key = lower(s.solver)
  LEFT JOIN charged c ON c.auction_id = s.auction_id AND c.chain_id = s.chain_id
    AND c.environment IS NOT DISTINCT FROM s.environment AND c.solver_key = lower(s.solver)
),
ceilings AS (
  SELECT
    *,
    u_muldiv(fee_low, fee_share_numerator, fee_share_denominator) AS cap_low,
    u_muldiv(fee_high, fee_share_numerator, fee_share_denominator) AS cap_high
  FROM margins
),
capped AS (
  SELECT
    *,
    CASE WHEN u_is_less(cap_low, uncapped_low) THEN cap_low ELSE uncapped_low END AS below_low,
    CASE WHEN u_is_less(cap_high, uncapped_high) THEN cap_high ELSE uncapped_high END AS below_high,
    CASE WHEN u_is_less(cap_low, uncapped_high) THEN cap_low ELSE uncapped_high END AS paid_least,
    CASE WHEN u_is_less(cap_high, uncapped_low) THEN cap_high ELSE uncapped_low END AS paid_most,
    '-' || lower_cap AS least_paid
  FROM ceilings
),
paid AS (
  SELECT
    *,
    CASE WHEN u_is_less(below_low, least_paid) THEN least_paid ELSE below_low END AS performance_low,
    CASE WHEN u_is_less(below_high, least_paid) THEN least_paid
      ELSE below_high END AS performance_high,
    CASE WHEN u_is_less(paid_least, least_paid) THEN u_add(cap_low, lower_cap)
      ELSE u_sub(cap_low, paid_least) END AS left_low,
    CASE WHEN u_is_less(paid_most, least_paid) THEN u_add(cap_high, lower_cap)
      ELSE u_sub(cap_high, paid_most) END AS left_high
  FROM capped
),
shares AS (
  SELECT
    environment, chain_id, week_start_ms, lower(solver) AS solver_key, share, metric,
    metric_of_week, orders_unknown
  FROM consistency_shares
),
quotes AS (
  SELECT
    network, environment, chain_id, week_start_ms, lower(quote_solver) AS solver_key,
    min(quote_solver) AS solver,
    max(quote_solver_name) AS solver_name,
    count(CASE WHEN verdict = 'earned' THEN 1 END) AS quotes_earned,
    count(CASE WHEN verdict = 'possible' THEN 1 END) AS quotes_possible,
    count(CASE WHEN verdict = 'unknown' THEN 1 END) AS quotes_unknown
  FROM quote_rewards
  WHERE verdict IN ('earned', 'possible', 'unknown')
  GROUP BY network, environment, chain_id, week_start_ms, lower(quote_solver)
),
listed AS (
  SELECT
    network, environment, chain_id, week_start_ms, solver_key, solver, solver_name,
    CAST(NULL AS STRING) AS quoted_as, CAST(NULL AS STRING) AS quoted_name, auctions_bid,
    auctions_won, winning_count, in_time, late, unsettled,
    CAST(0 AS BIGINT) AS quotes_earned, CAST(0 AS BIGINT) AS quotes_possible,
    CAST(0 AS BIGINT) AS quotes_unknown
  FROM worked
  UNION ALL
  SELECT
    network, environment, chain_id, week_start_ms, solver_key,
    CAST(NULL AS STRING), CAST(NULL AS STRING), solver, solver_name,
    CAST(0 AS BIGINT), CAST(0 AS BIGINT), CAST(0 AS BIGINT), CAST(0 AS BIGINT), CAST(0 AS BIGINT),
    CAST(0 AS BIGINT), quotes_earned, quotes_possible, quotes_unknown
  FROM quotes
),
solvers AS (
  SELECT
    network, environment, chain_id, week_start_ms, solver_key,
    coalesce(max(solver), max(quoted_as)) AS solver,
    CASE WHEN max(solver) IS NULL THEN max(quoted_name) ELSE max(solver_name) END AS solver_name,
    max(auctions_bid) AS auctions_bid,
    max(auctions_won) AS auctions_won,
    max(winning_count) AS winning_count,
    max(in_time) AS in_time,
    max(late) AS late,
    max(unsettled) AS unsettled,
    max(quotes_earned) AS quotes_earned,
    max(quotes_possible) AS quotes_possible,
    max(quotes_unknown) AS quotes_unknown
  FROM listed
  GROUP BY network, environment, chain_id, week_start_ms, solver_key
),
quote_rules AS (
  SELECT network, u_max(quote_native) AS quote_native
  FROM reward_rules
  GROUP BY network
),
rewarded AS (
  SELECT
    environment, chain_id, week_start_ms, solver_key,
    count(*) AS rewarded_auctions,
    u_sum(margin) AS margin_sum,
    u_sum(fee_low) AS protocol_fee_low,
    CASE WHEN count(fee_high) = count(*) THEN u_sum(fee_high) END AS protocol_fee_high,
    u_sum(uncapped_low) AS uncapped_low,
    u_sum(uncapped_high) AS uncapped_high,
    u_sum(performance_low) AS performance_low,
    u_sum(performance_high) AS performance_high,
    u_sum(left_low) AS left_low,
    CASE WHEN count(left_high) = count(*) THEN u_sum(left_high) END AS left_high
  FROM paid
  GROUP BY environment, chain_id, week_start_ms, solver_key
),
weeks_ruled AS (
  SELECT
    environment, chain_id, week_start_ms,
    u_max(fee_share_numerator) AS fee_share_numerator,
    u_max(fee_share_denominator) AS fee_share_denominator,
    u_max(lower_cap) AS lower_cap,
    max(as_of) AS rules_as_of
  FROM ruled
  WHERE place = 1
  GROUP BY environment, chain_id, week_start_ms
),
priced AS (
  SELECT
    w.*, u.fee_share_numerator, u.fee_share_denominator, u.lower_cap, u.rules_as_of,
    CASE WHEN u.lower_cap IS NOT NULL THEN coalesce(r.rewarded_auctions, 0) END AS rewarded_auctions,
    coalesce(r.margin_sum, '0') AS margin_sum,
    CASE WHEN u.lower_cap IS NOT NULL THEN coalesce(r.protocol_fee_low, '0') END AS protocol_fee_low,
    CASE WHEN u.lower_cap IS NULL THEN NULL
      WHEN r.solver_key IS NULL THEN '0'
      ELSE r.protocol_fee_high END AS protocol_fee_high,
    CASE WHEN u.lower_cap IS NOT NULL THEN coalesce(r.uncapped_low, '0') END AS uncapped_low,
    CASE WHEN u.lower_cap IS NOT NULL THEN coalesce(r.uncapped_high, '0') END AS uncapped_high,
    CASE WHEN u.lower_cap IS NOT NULL THEN coalesce(r.performance_low, '0') END AS performance_low,
    CASE WHEN u.lower_cap IS NOT NULL THEN coalesce(r.performance_high, '0') END AS performance_high,
    CASE WHEN u.lower_cap IS NULL OR w.week_start_ms < 1782777600000 THEN NULL
      WHEN coalesce(max(s.orders_unknown) OVER week, 0) > 0 OR max(w.unsettled) OVER week > 0
        THEN 'budget'
      ELSE 'order_share' END AS consistency_basis,
    coalesce(u_sum(r.left_low) OVER week, '0') AS budget_low,
    CASE WHEN count(r.left_high) OVER week = count(r.solver_key) OVER week
      THEN coalesce(u_sum(r.left_high) OVER week, '0') END AS budget_high,
    s.share, s.metric, s.metric_of_week,
    p.quote_native,
    max(w.quotes_unknown) OVER week > 0 AS has_unknown_quotes
  FROM solvers w
  JOIN weeks_ruled u ON u.chain_id = w.chain_id
    AND u.environment IS NOT DISTINCT FROM w.environment
    AND u.week_start_ms IS NOT DISTINCT FROM w.week_start_ms
  LEFT JOIN rewarded r ON r.solver_key = w.solver_key AND r.chain_id = w.chain_id
    AND r.environment IS NOT DISTINCT FROM w.environment
    AND r.week_start_ms IS NOT DISTINCT FROM w.week_start_ms
  LEFT JOIN shares s ON s.solver_key = w.solver_key AND s.chain_id = w.chain_id
    AND s.environment IS NOT DISTINCT FROM w.environment
    AND s.week_start_ms IS NOT DISTINCT FROM w.week_start_ms
  LEFT JOIN quote_rules p ON p.network IS NOT DISTINCT FROM w.network
  WINDOW week AS (PARTITION BY w.environment, w.chain_id, w.week_start_ms)
),
summed AS (
  SELECT
    *,
    CASE WHEN consistency_basis IS NULL THEN NULL
      WHEN consistency_basis = 'budget' THEN '0'
      ELSE coalesce(u_muldiv(budget_low, metric, nullif(metric_of_week, '0')), '0')
      END AS consistency_low,
    CASE WHEN consistency_basis IS NULL THEN NULL
      WHEN consistency_basis = 'budget' THEN budget_high
      WHEN metric IS NULL OR metric_of_week = '0' THEN '0'
      ELSE u_muldiv(budget_high, metric, nullif(metric_of_week, '0')) END AS consistency_high,
    CASE WHEN quote_native IS NOT NULL THEN '0' END AS quote_reward_low,
    CASE WHEN NOT has_unknown_quotes
      THEN u_muldiv(quote_native, CAST(quotes_earned + quotes_possible AS STRING), '1')
      END AS quote_reward_high
  FROM priced
  WHERE solver_key IS NOT NULL
)
SELECT
  network, environment, chain_id,
  CAST(DATE '1970-01-06' + CAST((week_start_ms - 432000000) / 86400000 AS INT) AS STRING)
    || 'T00:00:00Z' AS week_start,
  week_start_ms, solver, solver_name, auctions_bid, auctions_won, winning_count, in_time, late,
  unsettled, rewarded_auctions, margin_sum, protocol_fee_low, protocol_fee_high, uncapped_low,
  uncapped_high, performance_low, performance_high,
  CASE WHEN consistency_basis IS NOT NULL THEN share END AS consistency_share,
  consistency_low, consistency_high, consistency_basis, quotes_earned, quotes_possible,
  quote_reward_low, quote_reward_high,
  u_add(u_add(performance_low, consistency_low), quote_reward_low) AS total_low,
  u_add(u_add(performance_high, consistency_high), quote_reward_high) AS total_high,
  u_ratio(fee_share_numerator, fee_share_denominator) AS fee_share,
  lower_cap, rules_as_of
FROM summed
