-- What views say of the outcomes of one solver, where they have {solver_sums}.
    network, environment, chain_id, solver,
    max(solver_name) AS solver_name,
    count(*) AS bid_count,
    CASE WHEN count(filtered_out) = count(*)
      THEN count(CASE WHEN filtered_out THEN 1 END) END AS filtered_count,
    count(CASE WHEN is_winner THEN 1 END) AS winning_count,
    count(DISTINCT auction_id) AS auctions_bid,
    count(DISTINCT CASE WHEN is_winner THEN auction_id END) AS auctions_won,
    sum(CASE WHEN is_winner THEN score_atoms ELSE 0 END) AS score_won_atoms,
    coalesce(sum(reference_score_atoms), 0) AS reference_score_sum_atoms,
    coalesce(sum(margin_atoms), 0) AS margin_sum_atoms,
    count(margin_atoms) AS margin_auctions,
    count(CASE WHEN outcome = 'in_time' THEN 1 END) AS in_time,
    count(CASE WHEN outcome = 'late' THEN 1 END) AS late,
    count(CASE WHEN outcome = 'absent' THEN 1 END) AS absent,
    count(CASE WHEN outcome = 'pending' THEN 1 END) AS pending,
    count(CASE WHEN outcome = 'unknown' THEN 1 END) AS unknown
