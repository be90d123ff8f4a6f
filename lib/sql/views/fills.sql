-- fills
-- grain: One fill of one order: its surplus, its slippage against four baselines, and why it differs from its quote
-- key: chain_id, block_number, log_index
-- tables: trades, orders, protocol_fees, auctions, order_listings, app_data, native_prices, executions?
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- order_uid | String | | order of the fill
-- block_number | Int64 | | block of the settlement
-- log_index | Int64 | | index of the event in its block
-- filled_at | String | UTC | when the fill happened, as trades has it; null if unknown
-- filled_at_ms | Int64 | unix milliseconds | filled_at, rounded down
-- tx_hash | String | | settlement transaction
-- auction_id | Int64 | | auction it was settled from, as its debug report says or whose competition names tx_hash; null if neither does
-- kind | String | | sell or buy
-- pair | String | | symbols of sell_token → buy_token, or their shortened addresses
-- solver | String | | solver that settled
-- solver_name | String | | its name; null if unknown
-- owner | String | | owner of the order
-- sell_token | String | | token sold
-- buy_token | String | | token bought
-- surplus_token | String | | buy_token of a sell order, sell_token of a buy order
-- sell_amount | String | sell token atoms | sold, all fees included
-- sell_amount_tokens | Float64 | whole sell tokens | the same for axes; null if decimals are unknown
-- buy_amount | String | buy token atoms | bought, after all fees
-- buy_amount_tokens | Float64 | whole buy tokens | the same for axes; null if decimals are unknown
-- volume | String | native atoms | sell_amount without the legacy fee at the native price of the auction, rounded down; buy_amount if the sell token has no price; null if neither has, or neither the auction nor its execution is in the dataset
-- volume_native | Float64 | whole native tokens | the same before it is rounded, for axes
-- filled_fraction | Float64 | 0 to 1 | share of the whole order that the fill executed
-- scaled_limit | String | surplus token atoms | the limit for the executed part; rounded up for a sell order, down for a buy order
-- surplus | String | surplus token atoms | surplusAtoms: how much better than scaled_limit, negative if worse; null if the auction does not list the order
-- surplus_bps_of_limit | Float64 | basis points of scaled_limit | surplusBpsOfLimit
-- surplus_bps_of_executed | Float64 | basis points of the amount executed | surplusBpsOfExecuted
-- surplus_bps_of_quote | Float64 | basis points of the gross quote, scaled to the fill | surplusBpsOfQuote
-- surplus_bps_before_protocol_fees | Float64 | basis points of the amount before protocol and partner fees | surplusBpsBeforeFees
-- slippage_gross | String | surplus token atoms, positive = better | against the stored quote before any fee, rounded down
-- slippage_gross_bps | Float64 | basis points of the baseline, positive = better | against the stored quote before any fee
-- slippage_net | String | surplus token atoms, positive = better | against the quote less its network fee, rounded down
-- slippage_net_bps | Float64 | basis points of the baseline, positive = better | against the quote less its network fee
-- slippage_user_shown | String | surplus token atoms, positive = better | against the net quote less volume fees, rounded down; factors count with 18 decimals
-- slippage_user_shown_bps | Float64 | basis points of the baseline, positive = better | against the net quote less volume fees
-- slippage_limit | String | surplus token atoms, positive = better | against the signed limit, rounded down
-- slippage_limit_bps | Float64 | basis points of the baseline, positive = better | against the signed limit
-- slippage_reason | String | | why the first of the four that is unknown is; null if all are known
-- protocol_fees | String | surplus token atoms | protocol and partner fees charged; null if the trade names none
-- network_part_low | String | surplus token atoms, negative = cost | decomposeSlippage: network cost charged, lower bound
-- network_part_high | String | surplus token atoms, negative = cost | network cost charged, upper bound
-- protocol_part | String | surplus token atoms, negative = cost | protocol fees
-- partner_part | String | surplus token atoms, negative = cost | partner fees
-- market_part_low | String | surplus token atoms, negative = cost | the rest: price moves, and the solver relative to the quoter; lower bound
-- market_part_high | String | surplus token atoms, negative = cost | the rest, upper bound
-- decomposition_reason | String | | why the four parts are unknown; null if they are known. The fee of one fill is known from executions, or where it is the only one of its order
WITH policies AS (
  SELECT
    chain_id, block_number, log_index, position, policy_kind, is_partner, fee_amount,
    policy_kind = 'volume' AS is_volume,
    CASE WHEN factor >= 0e0 AND factor < 1e0 THEN 0 ELSE 1 END AS other_factor,
    CASE WHEN kind = 'sell' THEN 1000000000000000000 - factor_wad
      ELSE 1000000000000000000 + factor_wad END AS kept_wad
  FROM protocol_fees
),
charged AS (
  SELECT
    chain_id, block_number, log_index,
    max_by(fee_amount, CASE WHEN position = 1 THEN 1 END) AS fee_1,
    max_by(fee_amount, CASE WHEN position = 2 THEN 1 END) AS fee_2,
    u_sum(CASE WHEN position > 2 THEN fee_amount END) AS fee_rest,
    max_by(fee_amount, CASE WHEN position = 1 AND is_partner THEN 1 END) AS partner_fee_1,
    max_by(fee_amount, CASE WHEN position = 2 AND is_partner THEN 1 END) AS partner_fee_2,
    u_sum(CASE WHEN position > 2 AND is_partner THEN fee_amount END) AS partner_fee_rest,
    max(CASE WHEN is_partner IS NULL THEN 1 ELSE 0 END) AS unknown_origin,
    max(CASE WHEN policy_kind IS NULL OR is_volume AND position > 10 THEN 1 ELSE 0 END)
      AS unknown_factor,
    max(CASE WHEN is_volume THEN other_factor ELSE 0 END) AS other_factor,
    sum(CASE WHEN is_volume THEN 1 ELSE 0 END) AS volume_count,
    max(CASE WHEN is_volume THEN kept_wad END) AS kept_wad,
    max(CASE WHEN is_volume AND position = 1 THEN kept_wad END) AS kept_1,
    max(CASE WHEN is_volume AND position = 2 THEN kept_wad END) AS kept_2,
    max(CASE WHEN is_volume AND position = 3 THEN kept_wad END) AS kept_3,
    max(CASE WHEN is_volume AND position = 4 THEN kept_wad END) AS kept_4,
    max(CASE WHEN is_volume AND position = 5 THEN kept_wad END) AS kept_5,
    max(CASE WHEN is_volume AND position = 6 THEN kept_wad END) AS kept_6,
    max(CASE WHEN is_volume AND position = 7 THEN kept_wad END) AS kept_7,
    max(CASE WHEN is_volume AND position = 8 THEN kept_wad END) AS kept_8,
    max(CASE WHEN is_volume AND position = 9 THEN kept_wad END) AS kept_9,
    max(CASE WHEN is_volume AND position = 10 THEN kept_wad END) AS kept_10
  FROM policies
  GROUP BY chain_id, block_number, log_index
),
documents AS (
  SELECT DISTINCT app_data_hash FROM app_data
),
facts AS (
  SELECT
    t.network, t.environment, t.chain_id, t.order_uid, t.block_number, t.log_index,
    t.filled_at, t.filled_at_ms, t.tx_hash, coalesce(e.auction_id, t.auction_id) AS auction_id,
    o.kind, t.pair, coalesce(e.solver, t.solver) AS solver,
    CASE WHEN e.solver IS NULL THEN t.solver_name ELSE e.solver_name END AS solver_name, t.owner, t.sell_token, t.buy_token, t.sell_amount, t.sell_amount_tokens,
    t.buy_amount, t.buy_amount_tokens,
    o.kind = 'sell' AS is_sell,
    CASE WHEN o.kind = 'sell' THEN t.sell_amount_before_fees ELSE t.buy_amount END AS fixed,
    CASE WHEN o.kind = 'sell' THEN t.buy_amount ELSE t.sell_amount_before_fees END AS executed,
    CASE WHEN o.kind = 'sell' THEN o.sell_amount ELSE o.buy_amount END AS limit_fixed,
    CASE WHEN o.kind = 'sell' THEN o.buy_amount ELSE o.sell_amount END AS limit_open,
    CASE WHEN o.kind = 'sell' THEN o.quote_sell_amount ELSE o.quote_buy_amount END AS quote_fixed,
    CASE WHEN o.kind = 'sell' THEN o.quote_buy_amount ELSE o.quote_sell_amount END AS quote_open,
    o.quote_network_fee AS quote_fee,
    coalesce(e.sell_native_price, n.native_price, e.buy_native_price, v.native_price) AS price,
    CASE WHEN coalesce(e.sell_native_price, n.native_price) IS NOT NULL
      THEN t.sell_amount_before_fees ELSE t.buy_amount END AS priced_amount,
    coalesce(e.executed_fee,
      CASE WHEN o.executed_sell_amount = t.sell_amount AND o.executed_buy_amount = t.buy_amount
        THEN o.executed_fee END) AS executed_fee,
    CASE WHEN a.auction_id IS NULL OR a.order_count = 0
      THEN NOT (o.class = 'liquidity' AND d.app_data_hash IS NULL)
      ELSE l.order_uid IS NOT NULL END AS is_listed,
    t.protocol_fee_count,
    c.fee_1, c.fee_2, c.fee_rest, c.partner_fee_1, c.partner_fee_2, c.partner_fee_rest,
    coalesce(c.unknown_origin, 0) = 1 AS has_unknown_origin,
    t.protocol_fee_count IS NULL OR coalesce(c.unknown_factor, 0) = 1 AS has_unknown_factor,
    coalesce(c.other_factor, 0) = 1 AS has_other_factor,
    coalesce(c.volume_count, 0) AS volume_count,
    c.kept_wad, c.kept_1, c.kept_2, c.kept_3, c.kept_4, c.kept_5, c.kept_6, c.kept_7, c.kept_8,
    c.kept_9, c.kept_10
  FROM trades t
  JOIN orders o ON o.order_uid = t.order_uid AND o.chain_id = t.chain_id
    AND o.environment IS NOT DISTINCT FROM t.environment
  LEFT JOIN raw_auctions a ON a.auction_id = t.auction_id AND a.chain_id = t.chain_id
    AND a.environment IS NOT DISTINCT FROM t.environment
  LEFT JOIN order_listings l ON l.order_uid = t.order_uid AND l.chain_id = t.chain_id
    AND l.environment IS NOT DISTINCT FROM t.environment
    AND t.auction_id BETWEEN l.first_auction_id AND l.last_auction_id
  LEFT JOIN executions e ON e.order_uid = t.order_uid AND e.chain_id = t.chain_id
    AND e.environment IS NOT DISTINCT FROM t.environment
    AND e.block_number = t.block_number AND e.log_index = t.log_index
  LEFT JOIN native_prices n ON n.auction_id = t.auction_id AND n.chain_id = t.chain_id
    AND n.environment IS NOT DISTINCT FROM t.environment AND lower(n.token) = lower(t.sell_token)
  LEFT JOIN native_prices v ON v.auction_id = t.auction_id AND v.chain_id = t.chain_id
    AND v.environment IS NOT DISTINCT FROM t.environment AND lower(v.token) = lower(t.buy_token)
  LEFT JOIN documents d ON d.app_data_hash = o.app_data
  LEFT JOIN charged c ON c.chain_id = t.chain_id AND c.block_number = t.block_number
    AND c.log_index = t.log_index
),
scaled AS (
  SELECT
    *,
    CASE WHEN is_sell THEN u_muldiv_up(limit_open, fixed, nullif(limit_fixed, '0'))
      ELSE u_muldiv(limit_open, fixed, nullif(limit_fixed, '0')) END AS scaled_limit,
    CASE WHEN quote_fixed = '0' THEN NULL
      WHEN is_sell
        THEN u_sub(quote_open, u_muldiv(quote_fee, quote_open, nullif(quote_fixed, '0')))
      ELSE u_add(quote_open, quote_fee) END AS quote_net,
    CASE WHEN protocol_fee_count = 0 THEN '0'
      WHEN fee_2 IS NULL THEN fee_1
      ELSE u_add(u_add(fee_1, fee_2), coalesce(fee_rest, '0')) END AS fees,
    CASE WHEN partner_fee_2 IS NULL AND partner_fee_rest IS NULL THEN coalesce(partner_fee_1, '0')
      ELSE u_add(u_add(coalesce(partner_fee_1, '0'), coalesce(partner_fee_2, '0')),
        coalesce(partner_fee_rest, '0')) END AS partner_fees,
    CASE WHEN volume_count < 2 THEN CAST(coalesce(kept_wad, 1) AS STRING)
      ELSE u_muldiv(
        u_muldiv(
          u_muldiv(coalesce(kept_1, 1), coalesce(kept_2, 1), '1'),
          u_muldiv(coalesce(kept_3, 1), coalesce(kept_4, 1), '1'), '1'),
        CASE WHEN coalesce(kept_5, kept_6, kept_7, kept_8, kept_9, kept_10) IS NULL THEN '1'
          ELSE u_muldiv(
            u_muldiv(
              u_muldiv(coalesce(kept_5, 1), coalesce(kept_6, 1), '1'),
              u_muldiv(coalesce(kept_7, 1), coalesce(kept_8, 1), '1'), '1'),
            u_muldiv(coalesce(kept_9, 1), coalesce(kept_10, 1), '1'), '1') END, '1')
      END AS kept
  FROM facts
),
reasons AS (
  SELECT
    *,
    CASE WHEN fixed = '0' THEN 'nothing_executed'
      WHEN quote_fixed IS NULL THEN 'no_quote'
      WHEN quote_fixed = '0' THEN 'quote_without_price'
      WHEN quote_open = '0' THEN 'zero_baseline' END AS gross_reason,
    CASE WHEN fixed = '0' THEN 'nothing_executed'
      WHEN quote_fixed IS NULL THEN 'no_quote'
      WHEN quote_net IS NULL THEN 'quote_without_price'
      WHEN quote_net = '0' OR quote_net LIKE '-%' THEN 'zero_baseline' END AS net_reason,
    CASE WHEN has_unknown_factor THEN 'no_volume_factors'
      WHEN has_other_factor THEN 'factor_out_of_range' END AS factor_reason,
    CASE WHEN NOT is_listed THEN 'jit_owner_unknown'
      WHEN fixed = '0' THEN 'nothing_executed'
      WHEN limit_fixed = '0' THEN 'limit_without_price'
      WHEN limit_open = '0' THEN 'zero_baseline' END AS limit_reason
  FROM scaled
),
baselines AS (
  SELECT
    *,
    CASE WHEN NOT is_listed THEN NULL
      WHEN is_sell THEN u_sub(executed, scaled_limit)
      ELSE u_sub(scaled_limit, executed) END AS surplus,
    CASE WHEN gross_reason IS NULL THEN u_muldiv(quote_open, fixed, '1') END AS gross_top,
    CASE WHEN net_reason IS NULL THEN u_muldiv(quote_net, fixed, '1') END AS net_top,
    lpad('', CAST(18 * volume_count AS INT), '0') AS shown_zeros,
    CASE WHEN is_sell THEN u_sub(fixed, executed_fee) END AS left_after_fee,
    CASE WHEN limit_reason IS NULL THEN u_muldiv(limit_open, fixed, '1') END AS limit_top,
    CASE WHEN gross_reason IS NULL OR net_reason IS NULL
      THEN u_muldiv(executed, quote_fixed, '1') END AS executed_quoted,
    CASE WHEN limit_reason IS NULL THEN u_muldiv(executed, limit_fixed, '1') END AS executed_limited
  FROM reasons
),
shown_baseline AS (
  SELECT
    *,
    CASE WHEN factor_reason IS NULL THEN u_muldiv(net_top, kept, '1') END AS shown_top
  FROM baselines
),
won AS (
  SELECT
    *,
    CASE WHEN is_sell THEN u_sub(executed_quoted, gross_top)
      ELSE u_sub(gross_top, executed_quoted) END AS gross_won,
    CASE WHEN is_sell THEN u_sub(executed_quoted, net_top)
      ELSE u_sub(net_top, executed_quoted) END AS net_won,
    CASE WHEN shown_top IS NULL THEN NULL
      WHEN is_sell THEN u_sub(executed_quoted || shown_zeros, shown_top)
      ELSE u_sub(shown_top, executed_quoted || shown_zeros) END AS shown_won,
    CASE WHEN is_sell THEN u_sub(executed_limited, limit_top)
      ELSE u_sub(limit_top, executed_limited) END AS limit_won,
    CASE WHEN gross_reason IS NOT NULL THEN gross_reason
      WHEN NOT is_listed THEN 'jit_owner_unknown'
      WHEN fees IS NULL THEN 'no_protocol_fees'
      WHEN executed_fee IS NULL THEN 'no_settlement_or_executed_fee'
      WHEN is_sell AND (executed = '0' OR left_after_fee = '0' OR left_after_fee LIKE '-%')
        THEN 'fee_does_not_fit'
      WHEN left_after_fee = '1' THEN 'unbounded'
      WHEN has_unknown_origin THEN 'unknown_fee_origin' END AS fee_reason,
    CASE WHEN is_sell THEN u_add(executed, fees) ELSE u_sub(executed, fees) END AS before_fees
  FROM shown_baseline
),
all_fees AS (
  SELECT
    *,
    CASE WHEN fee_reason IS NOT NULL THEN NULL
      WHEN NOT is_sell THEN executed_fee
      WHEN executed_fee = '0' THEN '0'
      ELSE u_add(u_muldiv(executed_fee, u_sub(executed, '1'),
        nullif(left_after_fee, '0')), '1')
      END AS fee_low,
    CASE WHEN fee_reason IS NOT NULL THEN NULL
      WHEN NOT is_sell THEN executed_fee
      ELSE u_sub(u_muldiv_up(u_add(executed_fee, '1'), executed,
        nullif(u_sub(left_after_fee, '1'), '0')), '1') END AS fee_high,
    CASE WHEN gross_reason IS NULL THEN u_muldiv(gross_won, '1', nullif(quote_fixed, '0')) END AS gross_atoms
  FROM won
),
decomposed AS (
  SELECT
    *,
    u_muldiv(priced_amount, price, '1') AS worth,
    CASE WHEN fee_reason IS NOT NULL THEN fee_reason
      WHEN fee_high <> fee_low AND u_is_less(fee_high, fee_low) THEN 'fee_does_not_fit' END AS parts_reason
  FROM all_fees
)
SELECT
  network, environment, chain_id, order_uid, block_number, log_index, filled_at, filled_at_ms,
  tx_hash, auction_id, kind, pair, solver, solver_name, owner, sell_token, buy_token,
  CASE WHEN is_sell THEN buy_token ELSE sell_token END AS surplus_token,
  sell_amount, sell_amount_tokens, buy_amount, buy_amount_tokens,
  CASE WHEN length(worth) > 18 THEN substr(worth, 1, length(worth) - 18)
    WHEN worth IS NOT NULL THEN '0' END AS volume,
  u_ratio(worth, '1000000000000000000000000000000000000') AS volume_native,
  u_ratio(fixed, limit_fixed) AS filled_fraction,
  scaled_limit,
  surplus,
  u_bps(surplus, scaled_limit) AS surplus_bps_of_limit,
  u_bps(surplus, executed) AS surplus_bps_of_executed,
  u_bps(u_muldiv(surplus, quote_fixed, '1'), gross_top) AS surplus_bps_of_quote,
  CASE WHEN before_fees = '0' OR before_fees LIKE '-%' THEN NULL
    ELSE u_bps(surplus, before_fees) END AS surplus_bps_before_protocol_fees,
  gross_atoms AS slippage_gross,
  u_bps(gross_won, gross_top) AS slippage_gross_bps,
  u_muldiv(net_won, '1', nullif(quote_fixed, '0')) AS slippage_net,
  u_bps(net_won, net_top) AS slippage_net_bps,
  u_muldiv(shown_won, '1', nullif(quote_fixed, '0') || shown_zeros) AS slippage_user_shown,
  u_bps(shown_won, shown_top) AS slippage_user_shown_bps,
  CASE WHEN limit_reason IS NULL THEN surplus END AS slippage_limit,
  u_bps(limit_won, limit_top) AS slippage_limit_bps,
  coalesce(gross_reason, net_reason, factor_reason, limit_reason) AS slippage_reason,
  fees AS protocol_fees,
  CASE WHEN parts_reason IS NULL THEN u_sub(fees, fee_high) END AS network_part_low,
  CASE WHEN parts_reason IS NULL THEN u_sub(fees, fee_low) END AS network_part_high,
  CASE WHEN parts_reason IS NULL THEN u_sub(partner_fees, fees) END AS protocol_part,
  CASE WHEN parts_reason IS NULL THEN
    CASE WHEN partner_fees = '0' THEN '0' ELSE '-' || partner_fees END END AS partner_part,
  CASE WHEN parts_reason IS NULL THEN u_add(gross_atoms, fee_low) END AS market_part_low,
  CASE WHEN parts_reason IS NULL THEN u_add(gross_atoms, fee_high) END AS market_part_high,
  parts_reason AS decomposition_reason
FROM decomposed
