-- concentration
-- grain: One window of fills: an accounting week, a directed pair, or a size
-- key: chain_id, environment, windows, window_of
-- tables: fills
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- windows | String | | what the windows are: week, pair or size
-- window_of | String | | first day of the week, such as 2026-11-24; sell and buy token; or the power of ten native tokens that the volume reaches, such as 1e-2
-- fills | Int64 | fills | fills whose solver and volume are known
-- unknown_count | Int64 | fills | fills without a known solver or native price, which are left out
-- solvers | Int64 | solvers | solvers of those fills
-- volume_atoms | String | native atoms | sum of their volume, as fills.volume_atoms
-- volume_native | Float64 | native tokens | the same for axes
-- largest_share | Float64 | 0 to 1 | volume of the largest solver / volume of all; null if that is 0
-- herfindahl | Float64 | 0 to 1 | sum of the squares of the shares of all solvers, to 12 places: 1 / n for n of equal size
-- equal_solvers | Float64 | solvers | 1 / herfindahl, to 9 places: so many solvers of equal size are as concentrated
WITH placed AS (
  SELECT
    network, environment, chain_id, solver, volume_atoms, 'week' AS windows,
    -- The first accounting week after 1970 began on a Tuesday, five days in.
    CAST(DATE '1970-01-06' + CAST(floor((filled_at_ms - 432000000) / 604800000e0) * 7 AS INT)
      AS STRING) AS window_of
  FROM fills
  WHERE filled_at_ms IS NOT NULL
  UNION ALL
  SELECT
    network, environment, chain_id, solver, volume_atoms, 'pair', sell_token || ' ' || buy_token
  FROM fills
  UNION ALL
  SELECT
    network, environment, chain_id, solver, volume_atoms, 'size',
    '1e' || CAST(CAST(floor(log10(volume_native)) AS INT) AS STRING)
  FROM fills
  WHERE volume_native > 0
),
by_solver AS (
  SELECT
    network, environment, chain_id, windows, window_of, solver,
    count(CASE WHEN solver IS NOT NULL THEN volume_atoms END) AS fills,
    count(*) AS all_fills,
    u_sum(CASE WHEN solver IS NOT NULL THEN volume_atoms END) AS volume_atoms
  FROM placed
  GROUP BY network, environment, chain_id, windows, window_of, solver
),
shared AS (
  SELECT
    *, u_sum(volume_atoms) OVER (PARTITION BY environment, chain_id, windows, window_of) AS of_all
  FROM by_solver
),
rated AS (
  SELECT
    *, CAST(u_format(volume_atoms, 0) AS DOUBLE)
    / nullif(CAST(u_format(of_all, 0) AS DOUBLE), 0e0) AS share
  FROM shared
)
SELECT
  network, environment, chain_id, windows, window_of,
  sum(fills) AS fills,
  sum(all_fills) - sum(fills) AS unknown_count,
  count(CASE WHEN fills > 0 THEN solver END) AS solvers,
  coalesce(u_sum(volume_atoms), '0') AS volume_atoms,
  max(share) AS largest_share,
  round(sum(share * share), 12) AS herfindahl,
  round(1e0 / sum(share * share), 9) AS equal_solvers
FROM rated
GROUP BY network, environment, chain_id, windows, window_of
