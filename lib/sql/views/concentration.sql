-- concentration
-- grain: One window of fills of one deployment: an accounting week, a directed pair, or a size
-- key: chain_id, environment, windows, window_of
-- tables: fills
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- windows | String | | what the windows are: week, pair or size
-- window_of | String | | first day of the week, such as 2026-11-24, a Tuesday; sell and buy token; or the power of ten native tokens that the volume reaches, such as 1e-2
-- fills | Int64 | fills | fills whose solver and volume are known
-- unknown_count | Int64 | fills | fills without a known solver or native price, which are left out
-- solvers | Int64 | solvers | solvers of those fills
-- volume_atoms | String | native atoms | sum of their volume, as fills.volume_atoms
-- volume_native | Float64 | native tokens | the same for axes
-- largest_share | Float64 | 0 to 1 | volume of the largest solver / volume of all; null without volume
-- herfindahl | Float64 | 0 to 1 | sum of the squares of the shares of all solvers, 1 / n for n of equal size; null without volume
-- equal_solvers | Float64 | solvers | 1 / herfindahl: the number of equal solvers that are as concentrated; null without volume
--
-- The Herfindahl-Hirschman index, https://www.justice.gov/atr/herfindahl-hirschman-index, over the sums
-- of each solver's volume. `windowedConcentration` of orderlens/metrics has it as exact fractions. Here
-- each squared share is rounded down to 18 decimals, so that the sum is one of whole numbers, the same
-- in every engine and on any number of threads.
-- A fill without a time is in no week, one without a volume or with a volume of 0 in no size.
WITH windowed AS (
  SELECT
    'week' AS windows,
    -- Weeks begin on Tuesday, 00:00 UTC, as 1970-01-06 did.
    CAST(DATE '1970-01-06' + CAST(7 * floor((filled_at_ms - 432000000) / 604800000e0) AS INT)
      AS STRING) AS window_of,
    network, environment, chain_id, solver, volume_atoms
  FROM fills
  WHERE filled_at_ms IS NOT NULL
  UNION ALL
  SELECT
    'pair', lower(sell_token || ' ' || buy_token),
    network, environment, chain_id, solver, volume_atoms
  FROM fills
  UNION ALL
  SELECT
    'size', '1e' || CAST(length(CAST(volume_atoms AS STRING)) - 19 AS STRING),
    network, environment, chain_id, solver, volume_atoms
  FROM fills
  WHERE volume_atoms > 0
),
summed AS (
  SELECT
    network, environment, chain_id, windows, window_of, lower(solver) AS solver,
    count(*) AS fills,
    count(CASE WHEN solver IS NOT NULL THEN volume_atoms END) AS known,
    sum(CASE WHEN solver IS NOT NULL THEN volume_atoms END) AS volume
  FROM windowed
  GROUP BY network, environment, chain_id, windows, window_of, lower(solver)
),
totals AS (
  SELECT
    *,
    sum(volume) OVER (PARTITION BY network, environment, chain_id, windows, window_of) AS total
  FROM summed
),
shared AS (
  SELECT
    *,
    CAST(CAST(volume AS STRING) AS DOUBLE)
      / nullif(CAST(CAST(total AS STRING) AS DOUBLE), 0e0) AS share
  FROM totals
),
measured AS (
  SELECT
    network, environment, chain_id, windows, window_of,
    sum(known) AS fills,
    sum(fills) - sum(known) AS unknown_count,
    count(volume) AS solvers,
    coalesce(sum(volume), 0) AS volume_atoms,
    max(share) AS largest_share,
    CAST(CAST(sum(CAST(floor(share * share * 1e18) AS BIGINT)) AS BIGINT) AS DOUBLE) AS squares
  FROM shared
  GROUP BY network, environment, chain_id, windows, window_of
)
SELECT *, squares / 1e18 AS herfindahl, 1e18 / squares AS equal_solvers
FROM measured
