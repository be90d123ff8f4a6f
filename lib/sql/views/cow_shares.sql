-- cow_shares
-- grain: One token of one settlement: how much of what is bought of it is also sold
-- key: chain_id, environment, tx_hash, token
-- tables: trades, tokens
-- optional: tokens: chain_id BIGINT, token STRING, symbol STRING, decimals BIGINT
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- tx_hash | String | | trades.tx_hash: of the settlement; trades without one are left out
-- auction_id | Int64 | | trades.auction_id: its auction, null if unknown
-- token | String | | address of the token; the native token and its wrapped one are two
-- symbol | String | | symbol of the token, or its shortened address
-- trades | Int64 | fills | fills of the settlement that sell or buy it
-- sold_atoms | String | token atoms | what they sell of it, as trades.sell_amount_atoms
-- sold_tokens | Float64 | whole tokens | sold_atoms / 10^decimals, for axes; null if decimals are unknown
-- bought_atoms | String | token atoms | what they buy of it, as trades.buy_amount_atoms
-- bought_tokens | Float64 | whole tokens | bought_atoms / 10^decimals, for axes; null if decimals are unknown
-- matched_atoms | String | token atoms | the smaller of both: what can have gone from trader to trader, at most
-- matched_tokens | Float64 | whole tokens | matched_atoms / 10^decimals, for axes; null if decimals are unknown
-- cow_share | Float64 | 0 to 1 | matched_atoms / bought_atoms, an upper bound without transfers; null if none is bought
--
-- `naive_cow_potential` of the public queries of the protocol,
-- https://github.com/cowprotocol/dune-queries/blob/3d0c359e50d9a2254605f8e07e1e164fdad66241/cowprotocol/coincidence_of_wants/cow_per_token_4021555.sql
-- It needs no transfers: what was sold may have gone to a pool, and what was bought come from one.
-- Amounts sold include fees, amounts bought are after them. Amounts are exact; `cowShares` of
-- orderlens/metrics has the share as an exact fraction, of which this is a double.
WITH moved AS (
  SELECT
    network, environment, chain_id, lower(tx_hash) AS tx_hash, auction_id,
    lower(sell_token) AS token, 1 AS counted, sell_amount_atoms AS sold, NULL AS bought
  FROM trades
  WHERE tx_hash IS NOT NULL
  UNION ALL
  SELECT
    network, environment, chain_id, lower(tx_hash), auction_id,
    -- A trade of a token for itself is one.
    lower(buy_token), CASE WHEN lower(buy_token) = lower(sell_token) THEN 0 ELSE 1 END,
    NULL, buy_amount_atoms
  FROM trades
  WHERE tx_hash IS NOT NULL
),
summed AS (
  SELECT
    network, environment, chain_id, tx_hash, token,
    min(auction_id) AS auction_id,
    sum(counted) AS trades,
    coalesce(sum(sold), 0) AS sold_atoms,
    coalesce(sum(bought), 0) AS bought_atoms
  FROM moved
  GROUP BY network, environment, chain_id, tx_hash, token
),
matched AS (
  SELECT
    *, CASE WHEN sold_atoms < bought_atoms THEN sold_atoms ELSE bought_atoms END AS matched_atoms
  FROM summed
),
-- Several files have a row of the same token.
known AS (
  SELECT chain_id, lower(token) AS address, max(symbol) AS symbol, max(decimals) AS decimals
  FROM tokens
  GROUP BY chain_id, lower(token)
)
SELECT
  m.*,
  coalesce(k.symbol, substr(token, 1, 6) || '…' || substr(token, -4)) AS symbol,
  -- By its text, the nearest double.
  CAST(CAST(sold_atoms AS STRING) || 'e-' || CAST(decimals AS STRING) AS DOUBLE) AS sold_tokens,
  CAST(CAST(bought_atoms AS STRING) || 'e-' || CAST(decimals AS STRING) AS DOUBLE)
    AS bought_tokens,
  CAST(CAST(matched_atoms AS STRING) || 'e-' || CAST(decimals AS STRING) AS DOUBLE)
    AS matched_tokens,
  CAST(CAST(matched_atoms AS STRING) AS DOUBLE)
    / nullif(CAST(CAST(bought_atoms AS STRING) AS DOUBLE), 0e0) AS cow_share
FROM matched AS m
LEFT JOIN known AS k ON k.address = m.token AND k.chain_id = m.chain_id
