-- fees
-- grain: One fee that one policy, of the protocol or a partner, charged on one fill, recomputed from its policy
-- key: chain_id, block_number, log_index, position
-- tables: protocol_fees, trades, orders, native_prices
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- order_uid | String | | order of the fill
-- block_number | Int64 | | block of the settlement
-- log_index | Int64 | | index of the event in its block
-- position | Int64 | | position among the fees of the fill, from 1: the order in which they were applied
-- filled_at | String | UTC | when the fill happened; null if unknown
-- tx_hash | String | | settlement transaction
-- auction_id | Int64 | | auction it was settled from
-- kind | String | | sell or buy
-- pair | String | | symbols of the tokens, or their shortened addresses
-- solver | String | | solver that settled
-- solver_name | String | | its name; null if unknown
-- owner | String | | owner of the order
-- policy_kind | String | | surplus, volume or priceImprovement; null without a policy
-- is_partner | Bool | | whether the app data asks for the fee; null if unknown
-- recipient | String | | recipient of a partner fee
-- factor | Float64 | 0 to 1 | factor of the policy
-- max_volume_factor | Float64 | 0 to 1 | its cap; null for volume fees
-- fee_token | String | | token of the fee: the surplus token
-- fee_symbol | String | | its symbol, or its shortened address
-- fee_amount | String | fee token atoms | what was charged
-- fee_amount_tokens | Float64 | whole fee tokens | the same for axes; null if decimals are unknown
-- fee_native_atoms | String | native atoms | fee_amount at the native price of the auction, rounded down; null if the token has no price
-- amount_before | String | surplus token atoms | bought (sell order) or sold (buy order) before this fee, as charged
-- amount_after | String | surplus token atoms | the same after this fee
-- fee_bps | Float64 | basis points of amount_before | fee_amount / amount_before
-- recomputed_amount | String | fee token atoms | recomputeFees: what follows from the policy; null if it cannot be recomputed
-- uncapped_amount | String | fee token atoms | the same without the cap
-- is_capped | Bool | | whether the cap reduced the fee
-- difference | String | fee token atoms | fee_amount - recomputed_amount: positive if more was charged
-- verdict | String | | exact, differs or not_computable
-- reason | String | | why the fee is not computable; null if it is. Price improvements are over the quote stored with the order; too_many_policies before the last 8 of a fill
WITH charged AS (
  SELECT
    p.network, p.environment, p.chain_id, p.order_uid, p.block_number, p.log_index, p.position,
    p.filled_at, p.tx_hash, p.auction_id, p.kind, p.pair, p.solver, p.solver_name, p.owner,
    p.policy_kind, p.is_partner, p.recipient, p.factor, p.max_volume_factor, p.fee_token,
    p.fee_symbol, p.fee_amount, p.fee_amount_tokens, p.amount_before, p.amount_after,
    p.reason AS reported_reason,
    row_number() OVER (
      PARTITION BY p.environment, p.chain_id, p.block_number, p.log_index
      ORDER BY p.position DESC) AS place,
    p.kind = 'sell' AS is_sell,
    CASE WHEN p.kind = 'sell' THEN t.sell_amount_before_fees ELSE t.buy_amount END AS fixed,
    CASE WHEN p.kind = 'sell' THEN t.buy_amount ELSE t.sell_amount_before_fees END AS executed,
    CASE WHEN p.kind = 'sell' THEN o.sell_amount ELSE o.buy_amount END AS limit_fixed,
    CASE WHEN p.kind = 'sell' THEN o.buy_amount ELSE o.sell_amount END AS limit_open,
    CASE WHEN p.kind = 'sell' THEN o.quote_sell_amount ELSE o.quote_buy_amount END AS quote_fixed,
    CASE WHEN p.kind = 'sell' THEN o.quote_buy_amount ELSE o.quote_sell_amount END AS quote_open,
    o.quote_network_fee AS quote_fee,
    CASE WHEN p.factor >= 0e0 AND p.factor < 1e0 THEN p.factor END AS share,
    CASE WHEN coalesce(p.max_volume_factor, p.factor) >= 0e0
      AND coalesce(p.max_volume_factor, p.factor) < 1e0
      THEN coalesce(p.max_volume_factor, p.factor) END AS volume_share,
    u_muldiv(p.fee_amount, n.native_price, '1000000000000000000') AS fee_native_atoms
  FROM protocol_fees p
  JOIN trades t ON t.chain_id = p.chain_id AND t.block_number = p.block_number
    AND t.log_index = p.log_index AND t.environment IS NOT DISTINCT FROM p.environment
  JOIN orders o ON o.order_uid = p.order_uid AND o.chain_id = p.chain_id
    AND o.environment IS NOT DISTINCT FROM p.environment
  LEFT JOIN native_prices n ON n.auction_id = p.auction_id AND n.chain_id = p.chain_id
    AND n.environment IS NOT DISTINCT FROM p.environment AND lower(n.token) = lower(p.fee_token)
),
netted AS (
  SELECT
    *,
    CASE WHEN quote_fixed = '0' THEN NULL
      WHEN is_sell
        THEN u_sub(quote_open, u_muldiv(quote_fee, quote_open, nullif(quote_fixed, '0')))
      ELSE u_add(quote_open, quote_fee) END AS quote_net,
    share / (1e0 - share) AS multiplier,
    CASE WHEN is_sell THEN volume_share / (1e0 - volume_share)
      ELSE volume_share / (1e0 + volume_share) END AS volume_multiplier
  FROM charged
),
quoted AS (
  SELECT
    *,
    u_muldiv(quote_net, limit_fixed, nullif(quote_fixed, '0')) AS quoted_limit,
    u_wad(multiplier) AS wad,
    u_wad(volume_multiplier) AS volume_wad
  FROM netted
),
limited AS (
  SELECT
    *,
    CASE WHEN policy_kind = 'priceImprovement'
        AND u_is_less(quoted_limit, limit_open) = (NOT is_sell)
      THEN quoted_limit ELSE limit_open END AS open_limit
  FROM quoted
),
policies AS (
  SELECT
    *,
    CASE WHEN is_sell THEN u_muldiv_up(open_limit, fixed, nullif(limit_fixed, '0'))
      ELSE u_muldiv(open_limit, fixed, nullif(limit_fixed, '0')) END AS scaled_limit,
    CASE WHEN limit_fixed = '0' THEN 'limit_without_price'
      WHEN fixed = '0' THEN 'nothing_executed'
      WHEN policy_kind IS NULL THEN coalesce(reported_reason, 'no_policy')
      WHEN policy_kind = 'priceImprovement' AND quote_fixed IS NULL THEN 'no_quote'
      WHEN policy_kind = 'priceImprovement' AND quote_net IS NULL THEN 'quote_without_price'
      WHEN share IS NULL AND factor = 1e0 THEN 'factor_one'
      WHEN share IS NULL THEN 'factor_out_of_range'
      WHEN volume_share IS NULL AND max_volume_factor = 1e0 THEN 'factor_one'
      WHEN volume_share IS NULL THEN 'factor_out_of_range' END AS policy_reason
  FROM limited
),
undone_0 AS (
  SELECT
    *,
    '0' AS taken_0, CAST(NULL AS STRING) AS atoms_0, CAST(NULL AS STRING) AS uncapped_0,
    CASE WHEN place > 8 THEN 'too_many_policies' END AS reason_0
  FROM policies
),
-- repeat N from 1 to 8
undone_{N} AS (
  SELECT
    *,
    max(CASE WHEN place = {N} THEN u_add(taken_{N-1}, coalesce(atoms_{N}, fee_amount)) END)
      OVER (PARTITION BY environment, chain_id, block_number, log_index) AS taken_{N}
  FROM (
    SELECT
      *,
      CASE WHEN place <> {N} THEN uncapped_{N-1}
        WHEN reason_{N} IS NULL THEN full_{N} END AS uncapped_{N},
      CASE WHEN place <> {N} THEN atoms_{N-1}
        WHEN reason_{N} IS NOT NULL THEN NULL
        WHEN u_is_less(cap_{N}, full_{N}) THEN cap_{N}
        ELSE full_{N} END AS atoms_{N}
    FROM (
      SELECT
        *,
        CASE WHEN place <> {N} THEN NULL
          WHEN policy_kind = 'volume' THEN u_times(before_{N}, volume_multiplier, volume_wad)
          ELSE u_times(better_{N}, multiplier, wad) END AS full_{N},
        CASE WHEN place = {N} THEN u_times(before_{N}, volume_multiplier, volume_wad) END AS cap_{N},
        CASE WHEN place <> {N} THEN reason_{N-1}
          WHEN policy_reason IN ('limit_without_price', 'nothing_executed') THEN policy_reason
          WHEN before_{N} LIKE '-%' THEN 'fees_above_volume'
          WHEN policy_reason IS NOT NULL THEN policy_reason
          WHEN better_{N} LIKE '-%' THEN 'below_limit'
          WHEN u_overflows(better_{N}, multiplier, wad)
            OR u_overflows(before_{N}, volume_multiplier, volume_wad) THEN 'overflow' END AS reason_{N}
      FROM (
        SELECT
          *,
          CASE WHEN policy_kind = 'volume' THEN '0'
            WHEN policy_kind = 'priceImprovement' AND (quote_net LIKE '-%' OR over_{N} LIKE '-%')
              THEN '0'
            ELSE over_{N} END AS better_{N}
        FROM (
          SELECT
            *,
            CASE WHEN place <> {N} THEN NULL
              WHEN is_sell THEN u_sub(before_{N}, scaled_limit)
              ELSE u_sub(scaled_limit, before_{N}) END AS over_{N}
          FROM (
            SELECT
              *,
              CASE WHEN place <> {N} THEN NULL
                WHEN is_sell THEN u_add(executed, taken_{N-1})
                ELSE u_sub(executed, taken_{N-1}) END AS before_{N}
            FROM undone_{N-1}
          ) AS started_{N}
        ) AS compared_{N}
      ) AS improved_{N}
    ) AS multiplied_{N}
  ) AS judged_{N}
),
-- end
recomputed AS (
  SELECT
    network, environment, chain_id, order_uid, block_number, log_index, position, filled_at,
    tx_hash, auction_id, kind, pair, solver, solver_name, owner, policy_kind, is_partner, recipient,
    factor, max_volume_factor, fee_token, fee_symbol, fee_amount, fee_amount_tokens,
    fee_native_atoms, amount_before, amount_after,
    atoms_8 AS recomputed_amount, uncapped_8 AS uncapped_amount, reason_8 AS reason
  FROM undone_8
)
SELECT
  network, environment, chain_id, order_uid, block_number, log_index, position, filled_at,
  tx_hash, auction_id, kind, pair, solver, solver_name, owner, policy_kind, is_partner, recipient,
  factor, max_volume_factor, fee_token, fee_symbol, fee_amount, fee_amount_tokens,
  fee_native_atoms, amount_before, amount_after,
  u_bps(fee_amount, amount_before) AS fee_bps,
  recomputed_amount,
  uncapped_amount,
  recomputed_amount <> uncapped_amount AS is_capped,
  u_sub(fee_amount, recomputed_amount) AS difference,
  CASE WHEN reason IS NOT NULL THEN 'not_computable'
    WHEN recomputed_amount = fee_amount THEN 'exact'
    ELSE 'differs' END AS verdict,
  reason
FROM recomputed
