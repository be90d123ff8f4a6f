-- solver_slippage
-- grain: One solver and one accounting week: what its settlements left in or took from the buffers after fees
-- key: chain_id, environment, week_start, solver
-- tables: settlement_slippage
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- week_start | String | UTC | start of the accounting week of the settlements' blocks; null if it is unknown
-- solver | String | | account that submitted the settlements, in lower case
-- solver_name | String | | its name; null if unknown
-- settlements | Int64 | settlements | settlements that succeeded and were audited
-- exact_count | Int64 | settlements | those whose slippage is exact
-- bounded_count | Int64 | settlements | those of which both bounds are known, and differ
-- open_count | Int64 | settlements | those of which only the lower bound is known: a contract may have paid native atoms in
-- unpriced_count | Int64 | settlements | those left out since a token has no native price, as the accounting leaves out what its feed does not price
-- unknown_count | Int64 | settlements | those left out since an imbalance, a fee or the auction is unknown, as slippage_reason of settlement_slippage says
-- exact_atoms | String | native atoms | sum of the exact slippages, each rounded down; null without one
-- exact_native | Float64 | native tokens | the same for axes
-- slippage_low_atoms | String | native atoms | sum of the lower bounds of all that are not left out; null without one
-- slippage_low_native | Float64 | native tokens | the same for axes
-- slippage_high_atoms | String | native atoms | sum of the upper bounds of all that are not left out; null without one, or if open_count is above 0
-- slippage_high_native | Float64 | native tokens | the same for axes
--
-- Exact: sums of atoms. Negative if the buffers of the settlement contract paid. `settlementSlippage` of
-- orderlens/metrics states the definition, which is that of the accounting,
-- https://github.com/cowprotocol/dune-queries, cowprotocol/accounting/slippage, with one difference: the
-- accounting uses hourly prices of another feed, and this the native prices of each auction. Settlements
-- that the accounting leaves out by hand (excluded_batches_query_3490353) are in these sums. A settlement
-- in which no other native atoms move is taken to have received none: payments of contracts have no log.
WITH settled AS (
  SELECT
    network, environment, chain_id, week_start, lower(solver) AS solver, solver_name,
    slippage_low_atoms AS low, slippage_high_atoms AS high, slippage_reason AS reason,
    slippage_low_atoms = slippage_high_atoms AS is_exact
  FROM settlement_slippage
  WHERE coalesce(slippage_reason, '') <> 'reverted'
)
SELECT
  network, environment, chain_id, week_start, solver,
  max(solver_name) AS solver_name,
  count(*) AS settlements,
  count(CASE WHEN is_exact THEN 1 END) AS exact_count,
  count(CASE WHEN NOT is_exact THEN 1 END) AS bounded_count,
  count(CASE WHEN low IS NOT NULL AND high IS NULL THEN 1 END) AS open_count,
  count(CASE WHEN reason = 'no_native_price' THEN 1 END) AS unpriced_count,
  count(CASE WHEN reason <> 'no_native_price' THEN 1 END) AS unknown_count,
  sum(CASE WHEN is_exact THEN low END) AS exact_atoms,
  sum(low) AS slippage_low_atoms,
  CASE WHEN count(CASE WHEN low IS NOT NULL AND high IS NULL THEN 1 END) = 0
    THEN sum(high) END AS slippage_high_atoms
FROM settled
GROUP BY network, environment, chain_id, week_start, solver
