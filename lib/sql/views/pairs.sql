-- pairs
-- grain: One solver and one directed pair of tokens that it bid on; without tokens, bids whose tokens are not known
-- key: chain_id, environment, solver, sell_token, buy_token
-- tables: bids
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- solver | String | | address of the solver
-- solver_name | String | | its name; null if unknown
-- sell_token | String | | token sold; null if unknown
-- buy_token | String | | token bought; null if unknown
-- pair | String | | symbols of sell_token → buy_token, or their shortened addresses; null if unknown
-- bids | Int64 | solutions | solutions of the solver with an order of the pair
-- wins | Int64 | solutions | winning solutions among them
-- volume_atoms | String | native atoms | orders of the pair in winning solutions, settled or not, as bids.volume_atoms; null if one of them has no native price
-- volume_native | Float64 | native tokens | the same for axes
-- first_auction_id | Int64 | | first auction in which it bid on the pair
-- first_start_block | Int64 | | start block of that auction
-- first_auction_at | String | UTC | when that auction began, as bids.auction_at; null if unknown
-- last_auction_id | Int64 | | last auction in which it bid on the pair
-- last_start_block | Int64 | | start block of that auction
-- last_auction_at | String | UTC | when that auction began, as bids.auction_at; null if unknown
WITH summed AS (
  SELECT
    network, environment, chain_id, solver, sell_token, buy_token,
    max(solver_name) AS solver_name,
    max(pair) AS pair,
    count(DISTINCT auction_id * 1000000 + ranking) AS bids,
    count(DISTINCT CASE WHEN is_winner THEN auction_id * 1000000 + ranking END) AS wins,
    CASE WHEN count(CASE WHEN is_winner AND volume_atoms IS NULL THEN 1 END) = 0
      THEN sum(CASE WHEN is_winner THEN volume_atoms ELSE 0 END) END AS volume_atoms,
    min(auction_id) AS first_auction_id,
    min_by(auction_start_block, auction_id) AS first_start_block,
    max(auction_id) AS last_auction_id,
    max_by(auction_start_block, auction_id) AS last_start_block
  FROM bids
  GROUP BY network, environment, chain_id, solver, sell_token, buy_token
),
began AS (
  SELECT environment, chain_id, auction_id, max(auction_at) AS auction_at
  FROM bids
  GROUP BY environment, chain_id, auction_id
)
SELECT s.*, f.auction_at AS first_auction_at, l.auction_at AS last_auction_at
FROM summed AS s
LEFT JOIN began AS f ON f.auction_id = s.first_auction_id AND f.chain_id = s.chain_id
  AND f.environment IS NOT DISTINCT FROM s.environment
LEFT JOIN began AS l ON l.auction_id = s.last_auction_id AND l.chain_id = s.chain_id
  AND l.environment IS NOT DISTINCT FROM s.environment
