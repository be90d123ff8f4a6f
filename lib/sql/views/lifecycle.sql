-- lifecycle
-- grain: One order, from its creation to its end or to the time of the export
-- key: chain_id, environment, order_uid
-- tables: orders, order_events, trades, solution_orders, order_listings
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- order_uid | String | | the order
-- status | String | | its status, as reported
-- kind | String | | sell or buy
-- partially_fillable | Bool | | whether it may be filled in parts
-- pair | String | | symbols of sell_token → buy_token, or their shortened addresses
-- market_position | String | | in_market or out_of_market of the stored quote; null without one
-- created_at | String | UTC | event created; creation date of the order without events
-- created_at_ms | Int64 | unix milliseconds | created_at, rounded down
-- expires_at_ms | Int64 | unix milliseconds | end of the last second of its validity, as its trader set it
-- first_fill_at | String | UTC | when it was first filled; null if it was not, or unknown
-- first_fill_at_ms | Int64 | unix milliseconds | first_fill_at, rounded down
-- last_fill_at | String | UTC | when it was last filled; null if it was not, or unknown
-- last_fill_at_ms | Int64 | unix milliseconds | last_fill_at, rounded down
-- time_to_first_fill_seconds | Float64 | seconds | first_fill_at - created_at
-- time_to_last_fill_seconds | Float64 | seconds | last_fill_at - created_at of a fully filled order; null otherwise
-- invalid_seconds | Float64 | seconds | time between events during which it could not be settled; null without events
-- filtered_seconds | Float64 | seconds | time between events during which the protocol left it out; null without events
-- event_count | Int64 | events | events known
-- last_event | String | | label of the last of them; null without events
-- auction_count | Int64 | auctions | auctions of the dataset that listed it, or in which somebody bid on it
-- bid_count | Int64 | solutions | solutions with it
-- fill_count | Int64 | fills | its fills
-- filled_fraction | Float64 | 0 to 1 | executed / signed, of the amount that the order fixes
WITH timed AS (
  SELECT
    chain_id, environment, order_uid, label, timestamp, timestamp_ms,
    u_ns(timestamp, timestamp_ms) AS began_ns,
    lead(u_ns(timestamp, timestamp_ms)) OVER (
      PARTITION BY chain_id, environment, order_uid
      ORDER BY u_ns(timestamp, timestamp_ms), position) AS ended_ns,
    row_number() OVER (
      PARTITION BY chain_id, environment, order_uid
      ORDER BY u_ns(timestamp, timestamp_ms), position) AS place,
    row_number() OVER (
      PARTITION BY chain_id, environment, order_uid
      ORDER BY u_ns(timestamp, timestamp_ms) DESC, position DESC) AS place_from_last
  FROM order_events
),
events AS (
  SELECT
    chain_id, environment, order_uid,
    count(*) AS event_count,
    max(CASE WHEN place_from_last = 1 THEN label END) AS last_event,
    min_by(CASE WHEN label = 'created' THEN timestamp END,
      CASE WHEN label = 'created' THEN place END) AS created_at,
    min_by(CASE WHEN label = 'created' THEN timestamp_ms END,
      CASE WHEN label = 'created' THEN place END) AS created_at_ms,
    CAST(sum(CASE WHEN label = 'invalid' THEN coalesce(ended_ns, began_ns) - began_ns ELSE 0 END)
      AS BIGINT) AS invalid_ns,
    CAST(sum(CASE WHEN label = 'filtered' THEN coalesce(ended_ns, began_ns) - began_ns ELSE 0 END)
      AS BIGINT) AS filtered_ns
  FROM timed
  GROUP BY chain_id, environment, order_uid
),
fills_by_place AS (
  SELECT
    chain_id, order_uid, filled_at, filled_at_ms,
    row_number() OVER (
      PARTITION BY chain_id, order_uid ORDER BY block_number, log_index) AS place,
    row_number() OVER (
      PARTITION BY chain_id, order_uid ORDER BY block_number DESC, log_index DESC) AS place_from_last
  FROM trades
),
filled AS (
  SELECT
    chain_id, order_uid,
    count(*) AS fill_count,
    max(CASE WHEN place = 1 THEN filled_at END) AS first_fill_at,
    max(CASE WHEN place = 1 THEN filled_at_ms END) AS first_fill_at_ms,
    max(CASE WHEN place_from_last = 1 THEN filled_at END) AS last_fill_at,
    max(CASE WHEN place_from_last = 1 THEN filled_at_ms END) AS last_fill_at_ms
  FROM fills_by_place
  GROUP BY chain_id, order_uid
),
listed AS (
  SELECT chain_id, environment, order_uid, sum(auction_count) AS auction_count
  FROM order_listings
  GROUP BY chain_id, environment, order_uid
),
bids AS (
  SELECT
    b.chain_id, b.environment, b.order_uid,
    count(*) AS bid_count,
    count(DISTINCT CASE WHEN l.order_uid IS NULL THEN b.auction_id END) AS unlisted_count
  FROM solution_orders b
  LEFT JOIN order_listings l ON l.order_uid = b.order_uid AND l.chain_id = b.chain_id
    AND l.environment IS NOT DISTINCT FROM b.environment
    AND b.auction_id BETWEEN l.first_auction_id AND l.last_auction_id
  GROUP BY b.chain_id, b.environment, b.order_uid
),
joined AS (
  SELECT
    o.network, o.environment, o.chain_id, o.order_uid, o.status, o.kind, o.partially_fillable,
    o.pair, o.market_position,
    coalesce(e.created_at, o.creation_date) AS created_at,
    coalesce(e.created_at_ms, o.creation_date_ms) AS created_at_ms,
    (coalesce(o.user_valid_to, o.valid_to) + 1) * 1000 AS expires_at_ms,
    f.first_fill_at, f.first_fill_at_ms, f.last_fill_at, f.last_fill_at_ms,
    e.invalid_ns, e.filtered_ns,
    coalesce(e.event_count, 0) AS event_count,
    e.last_event,
    CAST(coalesce(l.auction_count, 0) + coalesce(b.unlisted_count, 0) AS BIGINT) AS auction_count,
    coalesce(b.bid_count, 0) AS bid_count,
    coalesce(f.fill_count, 0) AS fill_count,
    o.filled_fraction
  FROM orders o
  LEFT JOIN events e ON e.order_uid = o.order_uid AND e.chain_id = o.chain_id
    AND e.environment IS NOT DISTINCT FROM o.environment
  LEFT JOIN filled f ON f.order_uid = o.order_uid AND f.chain_id = o.chain_id
  LEFT JOIN listed l ON l.order_uid = o.order_uid AND l.chain_id = o.chain_id
    AND l.environment IS NOT DISTINCT FROM o.environment
  LEFT JOIN bids b ON b.order_uid = o.order_uid AND b.chain_id = o.chain_id
    AND b.environment IS NOT DISTINCT FROM o.environment
)
SELECT
  network, environment, chain_id, order_uid, status, kind, partially_fillable, pair,
  market_position, created_at, created_at_ms, expires_at_ms, first_fill_at, first_fill_at_ms,
  last_fill_at, last_fill_at_ms,
  u_ratio(CAST(u_ns(first_fill_at, first_fill_at_ms) - u_ns(created_at, created_at_ms) AS STRING),
    '1000000000') AS time_to_first_fill_seconds,
  CASE WHEN status = 'fulfilled' THEN
    u_ratio(CAST(u_ns(last_fill_at, last_fill_at_ms) - u_ns(created_at, created_at_ms) AS STRING),
      '1000000000') END AS time_to_last_fill_seconds,
  u_ratio(CAST(invalid_ns AS STRING), '1000000000') AS invalid_seconds,
  u_ratio(CAST(filtered_ns AS STRING), '1000000000') AS filtered_seconds,
  event_count, last_event, auction_count, bid_count, fill_count, filled_fraction
FROM joined
