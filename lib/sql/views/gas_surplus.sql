-- gas_surplus
-- grain: One solver: the surplus of its fills after the gas that they took
-- key: chain_id, environment, solver
-- tables: fills, settlements
-- optional: settlements: chain_id BIGINT, environment STRING, tx_hash STRING, gas_cost_per_trade_atoms BIGINT
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- solver | String | | fills.solver: null for fills whose solver is unknown
-- solver_name | String | | its name; null if unknown
-- fills | Int64 | fills | fills whose surplus in native atoms and whose gas are known
-- unknown_count | Int64 | fills | fills without one of them, which are left out
-- surplus_atoms | String | native atoms | sum of fills.surplus_native_atoms, each rounded down; null without such fills
-- surplus_native | Float64 | native tokens | the same for axes
-- gas_cost_atoms | String | native atoms | sum of fills.gas_cost_atoms; where that is null, of settlements.gas_cost_per_trade_atoms; null without such fills
-- gas_cost_native | Float64 | native tokens | the same for axes
-- after_gas_atoms | String | native atoms | surplus_atoms - gas_cost_atoms: a lower bound of what the trades were worth
-- after_gas_native | Float64 | native tokens | the same for axes
-- below_gas_count | Int64 | fills | fills whose surplus is less than their gas
-- absurd_count | Int64 | fills | those of these fills whose fills.price_sides is absurd
-- suspect_count | Int64 | fills | those of these fills whose fills.price_sides is suspect
-- sound_surplus_atoms | String | native atoms | the same sum as surplus_atoms, without absurd and suspect fills; null without others
-- sound_surplus_native | Float64 | native tokens | the same for axes
--
-- Exact: sums of atoms. The gas of a fill is what the service reports; where it reports none, that of its
-- settlement, split equally over the trades and rounded down, as the service splits it,
-- https://github.com/cowprotocol/services/pull/4540. Surplus is what traders got beyond their limits,
-- which is already after the network fee that they paid for gas: the difference is a lower bound,
-- comparable between solvers. `gasAdjustedSurplus` of orderlens/metrics computes the same of records.
WITH paid AS (
  SELECT
    f.network, f.environment, f.chain_id, lower(f.solver) AS solver, f.solver_name, f.price_sides,
    f.surplus_native_atoms AS surplus,
    coalesce(f.gas_cost_atoms, s.gas_cost_per_trade_atoms) AS gas
  FROM fills AS f
  LEFT JOIN settlements AS s ON lower(s.tx_hash) = lower(f.tx_hash) AND s.chain_id = f.chain_id
    AND s.environment IS NOT DISTINCT FROM f.environment
),
known AS (
  SELECT
    *, surplus IS NOT NULL AND gas IS NOT NULL AS is_known,
    coalesce(price_sides, '') IN ('absurd', 'suspect') AS is_doubtful
  FROM paid
)
SELECT
  network, environment, chain_id, solver,
  max(solver_name) AS solver_name,
  count(CASE WHEN is_known THEN 1 END) AS fills,
  count(CASE WHEN NOT is_known THEN 1 END) AS unknown_count,
  sum(CASE WHEN is_known THEN surplus END) AS surplus_atoms,
  sum(CASE WHEN is_known THEN gas END) AS gas_cost_atoms,
  sum(CASE WHEN is_known THEN surplus - gas END) AS after_gas_atoms,
  count(CASE WHEN is_known AND surplus < gas THEN 1 END) AS below_gas_count,
  count(CASE WHEN is_known AND price_sides = 'absurd' THEN 1 END) AS absurd_count,
  count(CASE WHEN is_known AND price_sides = 'suspect' THEN 1 END) AS suspect_count,
  sum(CASE WHEN is_known AND NOT is_doubtful THEN surplus END) AS sound_surplus_atoms
FROM known
GROUP BY network, environment, chain_id, solver
