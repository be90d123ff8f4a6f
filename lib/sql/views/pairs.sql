-- pairs
-- grain: One solver and one directed pair of tokens that it bid on
-- key: chain_id, environment, solver, sell_token, buy_token
-- tables: solution_orders, auctions, native_prices
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- solver | String | | address of the solver
-- solver_name | String | | its name; null if unknown
-- sell_token | String | | token sold
-- buy_token | String | | token bought
-- pair | String | | symbols of sell_token → buy_token, or their shortened addresses
-- bids | Int64 | solutions | solutions of the solver with an order of the pair
-- wins | Int64 | solutions | winning solutions among them
-- volume | String | native atoms | orders of the pair in winning solutions, settled or not: sell_amount at the native price of the auction, rounded down; buy_amount if the sell token has no price; null if neither has
-- volume_native | Float64 | native tokens | the same for axes
-- first_auction_id | Int64 | | first auction in which it bid on the pair
-- first_start_block | Int64 | | start block of that auction
-- last_auction_id | Int64 | | last auction in which it bid on the pair
-- last_start_block | Int64 | | start block of that auction
WITH priced AS (
  SELECT
    b.network, b.environment, b.chain_id, b.solver, b.solver_name, b.sell_token, b.buy_token,
    b.pair, b.auction_id, b.ranking, b.is_winner, a.auction_start_block,
    CASE WHEN NOT b.is_winner THEN '0'
      WHEN s.native_price IS NOT NULL
        THEN u_muldiv(b.sell_amount, s.native_price, '1000000000000000000')
      ELSE u_muldiv(b.buy_amount, p.native_price, '1000000000000000000') END AS volume
  FROM solution_orders b
  LEFT JOIN raw_auctions a ON a.auction_id = b.auction_id AND a.chain_id = b.chain_id
    AND a.environment IS NOT DISTINCT FROM b.environment
  LEFT JOIN native_prices s ON b.is_winner AND s.auction_id = b.auction_id
    AND s.chain_id = b.chain_id AND s.environment IS NOT DISTINCT FROM b.environment
    AND lower(s.token) = lower(b.sell_token)
  LEFT JOIN native_prices p ON b.is_winner AND p.auction_id = b.auction_id
    AND p.chain_id = b.chain_id AND p.environment IS NOT DISTINCT FROM b.environment
    AND lower(p.token) = lower(b.buy_token)
  WHERE b.sell_token IS NOT NULL AND b.buy_token IS NOT NULL
),
summed AS (
  SELECT
    network, environment, chain_id,
    min(solver) AS solver,
    max(solver_name) AS solver_name,
    min(sell_token) AS sell_token,
    min(buy_token) AS buy_token,
    max(pair) AS pair,
    count(DISTINCT CAST(auction_id AS STRING) || ' ' || CAST(ranking AS STRING)) AS bids,
    count(DISTINCT CASE WHEN is_winner
      THEN CAST(auction_id AS STRING) || ' ' || CAST(ranking AS STRING) END) AS wins,
    CASE WHEN count(volume) = count(*) THEN u_sum(volume) END AS volume,
    min(auction_id) AS first_auction_id,
    min_by(auction_start_block, auction_id) AS first_start_block,
    max(auction_id) AS last_auction_id,
    max_by(auction_start_block, auction_id) AS last_start_block
  FROM priced
  GROUP BY network, environment, chain_id, lower(solver), lower(sell_token), lower(buy_token)
)
SELECT
  network, environment, chain_id, solver, solver_name, sell_token, buy_token, pair, bids, wins,
  volume,
  u_ratio(volume, '1000000000000000000') AS volume_native,
  first_auction_id, first_start_block, last_auction_id, last_start_block
FROM summed
