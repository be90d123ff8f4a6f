-- partners
-- grain: One application, one recipient of partner fees and one accounting week; without a recipient, fees that may be of a partner
-- key: chain_id, environment, week_start, app_code, recipient
-- tables: fees
-- network | String | | name of the network; null without a name
-- environment | String | | production or staging; null without one
-- chain_id | Int64 | | chain id
-- week_start | String | UTC | start of the accounting week of the fills; null if it is unknown
-- app_code | String | | appCode of the app data documents; null without one
-- recipient | String | | who receives the fees, in lower case; null for fees of which it is not known whether they are of a partner
-- orders | Int64 | orders | orders that paid these fees
-- fills | Int64 | fills | their fills
-- unknown_count | Int64 | fees | fees of which it is not known whether they are of a partner: all of them without a recipient, else 0
-- unpriced_count | Int64 | fees | fees whose token has no native price
-- fees_atoms | String | native atoms | sum of the fees; null if one of them has no native price, or without a recipient
-- fees_native | Float64 | native tokens | the same for axes
-- service_share | Float64 | 0 to 1 | the default share that the service keeps, which a partner's own agreement may replace; null where it is not known, or changed in the week
-- net_atoms | String | native atoms | what is left of the fees by that share, each rounded down; null if one has no native price, or the share is not known
-- net_native | Float64 | native tokens | the same for axes
SELECT
  network, environment, chain_id, week_start, app_code, recipient,
  count(DISTINCT order_uid) AS orders,
  count(DISTINCT block_number * 1000000 + log_index) AS fills,
  count(CASE WHEN is_partner IS NULL THEN 1 END) AS unknown_count,
  count(CASE WHEN fee_native_atoms IS NULL THEN 1 END) AS unpriced_count,
  CASE WHEN count(CASE WHEN is_partner THEN fee_native_atoms END) = count(*)
    THEN sum(fee_native_atoms) END AS fees_atoms,
  CASE WHEN min(service_share) = max(service_share) THEN max(service_share) END AS service_share,
  CASE WHEN count(partner_net_atoms) = count(*) THEN sum(partner_net_atoms) END AS net_atoms
FROM fees
WHERE is_partner OR is_partner IS NULL
GROUP BY network, environment, chain_id, week_start, app_code, recipient
