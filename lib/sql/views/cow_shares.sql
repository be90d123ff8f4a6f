-- cow_shares
-- grain: One token of one settlement
-- key: chain_id, environment, tx_hash, token
-- tables: trades
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- tx_hash | String | | transaction of the settlement
-- auction_id | Int64 | | its auction; null if unknown
-- token | String | | address of the token; the native token and its wrapped one are two
-- trades | Int64 | fills | fills of the settlement that sell or buy it
-- sold_atoms | String | token atoms | what they sell of it, as trades.sell_amount_atoms
-- sold | Float64 | token atoms | sold_atoms, rounded
-- bought_atoms | String | token atoms | what they buy of it, as trades.buy_amount_atoms
-- bought | Float64 | token atoms | bought_atoms, rounded
-- matched_atoms | String | token atoms | the smaller of both: what can have gone from trader to trader, at most
-- matched | Float64 | token atoms | matched_atoms, rounded
-- cow_share | Float64 | 0 to 1 | matched_atoms / bought_atoms, an upper bound without transfers: naive_cow_potential of the public dune-queries; null if none is bought
WITH moved AS (
  SELECT
    network, environment, chain_id, tx_hash, auction_id, sell_token AS token, TRUE AS is_sold,
    sell_amount_atoms AS atoms
  FROM trades
  UNION ALL
  SELECT
    network, environment, chain_id, tx_hash, auction_id, buy_token, FALSE, buy_amount_atoms
  FROM trades
),
summed AS (
  SELECT
    network, environment, chain_id, tx_hash, token,
    max(auction_id) AS auction_id,
    count(*) AS trades,
    u_sum(CASE WHEN is_sold THEN atoms ELSE '0' END) AS sold_atoms,
    u_sum(CASE WHEN is_sold THEN '0' ELSE atoms END) AS bought_atoms
  FROM moved
  WHERE tx_hash IS NOT NULL
  GROUP BY network, environment, chain_id, tx_hash, token
)
SELECT
  network, environment, chain_id, tx_hash, auction_id, token, trades,
  sold_atoms, CAST(u_format(sold_atoms, 0) AS DOUBLE) AS sold,
  bought_atoms, CAST(u_format(bought_atoms, 0) AS DOUBLE) AS bought,
  matched_atoms, CAST(u_format(matched_atoms, 0) AS DOUBLE) AS matched,
  CASE WHEN u_compare(bought_atoms, '0') > 0
    THEN least(1e0, CAST(u_format(sold_atoms, 0) AS DOUBLE)
      / CAST(u_format(bought_atoms, 0) AS DOUBLE)) END AS cow_share
FROM (
  SELECT
    *, CASE WHEN u_compare(sold_atoms, bought_atoms) < 0
      THEN sold_atoms ELSE bought_atoms END AS matched_atoms
  FROM summed
)
