-- gas_surplus
-- grain: One solver: the surplus of its fills after the gas that they took
-- key: chain_id, environment, solver
-- tables: fills
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- solver | String | | address of the solver; null if unknown
-- solver_name | String | | its name; null if unknown
-- fills | Int64 | fills | fills whose surplus in native atoms and whose gas cost are known
-- unknown_count | Int64 | fills | fills without one of them, which are left out
-- surplus_atoms | String | native atoms | sum of fills.surplus_native_atoms, each rounded down
-- surplus_native | Float64 | native tokens | the same for axes
-- gas_cost_atoms | String | native atoms | sum of fills.gas_cost_atoms
-- gas_cost_native | Float64 | native tokens | the same for axes
-- after_gas_atoms | String | native atoms | surplus - gas cost; the surplus is already after the network fee that traders paid for gas, so this is a lower bound of what the trades were worth
-- after_gas_native | Float64 | native tokens | the same for axes
-- below_gas_count | Int64 | fills | fills whose surplus is less than their gas cost
WITH known AS (
  SELECT
    *, surplus_native_atoms IS NOT NULL AND gas_cost_atoms IS NOT NULL AS is_known
  FROM fills
),
-- Each fill twice, so that one sum has both.
signed AS (
  SELECT *, FALSE AS is_gas, CAST(surplus_native_atoms AS STRING) AS part FROM known
  UNION ALL
  SELECT
    *, TRUE, CASE WHEN u_compare(gas_cost_atoms, '0') = 0 THEN '0'
      ELSE '-' || CAST(gas_cost_atoms AS STRING) END
  FROM known
)
SELECT
  network, environment, chain_id, solver,
  max(solver_name) AS solver_name,
  count(CASE WHEN is_gas AND is_known THEN 1 END) AS fills,
  count(CASE WHEN is_gas AND NOT is_known THEN 1 END) AS unknown_count,
  u_sum(CASE WHEN is_known AND NOT is_gas THEN part ELSE '0' END) AS surplus_atoms,
  u_sum(CASE WHEN is_known AND is_gas THEN gas_cost_atoms ELSE '0' END) AS gas_cost_atoms,
  u_sum(CASE WHEN is_known THEN part ELSE '0' END) AS after_gas_atoms,
  count(CASE WHEN is_gas AND u_compare(surplus_native_atoms, gas_cost_atoms) < 0 THEN 1 END)
    AS below_gas_count
FROM signed
GROUP BY network, environment, chain_id, solver
