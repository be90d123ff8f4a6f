"""Answers questions 11 to 20 of docs/questions.md from rows of tables, without the library.

Reads one JSON object a line from FOLDER/TABLE.json, and prints, by the number of the question, texts
that its answer has.
"""

import json
import statistics
import sys


def rows(table):
    with open(f"{sys.argv[1]}/{table}.json", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def grouped(items, key):
    groups = {}
    for item in items:
        groups.setdefault(item[key], []).append(item)
    return groups


def total(items, column):
    return sum(int(item[column]) for item in items)


def weighted_median(items, value, weight):
    """The value at which half of the weight is reached."""
    half, reached = sum(item[weight] for item in items) / 2, 0
    for item in sorted(items, key=lambda item: item[value]):
        reached += item[weight]
        if reached >= half:
            return item[value]


def signed(number, digits):
    return f"{number:+.{digits}f}".replace("-", "\u2212")


fills, fees = rows("fills"), rows("fees")
answers = {}

pairs = [(weighted_median(of, "slippage_net_bps", "volume_native"), pair, len(of))
         for pair, of in grouped(fills, "pair").items() if len(of) >= 10]
answers[11] = [f"{pair},{n},{bps:.2f}," for bps, pair, n in sorted(pairs)]

settled = [{**one, "seconds": (one["end_timestamp_ms"] - one["start_timestamp_ms"]) / 1000}
           for one in rows("settlement_attempts") if one["outcome"] == "success"]
# Milliseconds are rounded down: three digits may be 1 lower.
answers[12] = [f"over all {len(settled)} rows: {statistics.median(one['seconds'] for one in settled):.3f}"] + [
    f"({solver}, n = {len(of)})"
    for solver, of in grouped(settled, "solver_name").items() if len(of) >= 10]

volumes = {uid: total(of, "volume_atoms") for uid, of in grouped(fills, "order_uid").items()}
charged = {uid: total(of, "fee_native_atoms") for uid, of in grouped(fees, "order_uid").items()}
by_size = sorted(volumes, key=volumes.get)
sizes = [len(by_size) // 4 + (quarter < len(by_size) % 4) for quarter in range(4)]
quarters = [by_size[sum(sizes[:at]):sum(sizes[:at + 1])] for at in range(4)]


def rate(uids):
    return signed(1e4 * sum(charged[uid] for uid in uids) / sum(volumes[uid] for uid in uids), 1)


answers[13] = [f"all {len(by_size)} rows: {rate(by_size)} bps"] + [
    f"{rate(quarters[at])} bps ({at + 1}, n = {sizes[at]})" for at in (1, 2)]

unbid = [one for one in rows("lifecycle") if one["had_bid"] is False]
longest = sorted(unbid, key=lambda one: -one["observed_seconds"])[:5]
answers[14] = [f"{one['order_uid'][:10]},{one['pair']},{one['status']},{one['auction_count']}," for one in longest]

beaten = [{**one, "gain": one["executed_over_limit_bps"] - one["best_unexecuted_over_limit_bps"]}
          for one in rows("best_other_bids") if one["best_unexecuted_filtered_out"] is False]
answers[15] = [f"all {len(beaten)} rows: {signed(statistics.median(one['gain'] for one in beaten), 1)} bps"] + [
    f"{signed(statistics.median(one['gain'] for one in of), 1)} bps ({solver}, n = {len(of)})"
    for solver, of in grouped(beaten, "executed_solver_name").items() if len(of) >= 10]

halves = [("until 04:45", [one for one in fills if one["filled_at_ms"] < 1795322700000]),
          ("from 04:45", [one for one in fills if one["filled_at_ms"] >= 1795322700000])]
answers[16] = [f"{signed(statistics.median(one['slippage_net_bps'] for one in of), 1)} bps ({name}, n = {len(of)})"
               for name, of in halves]

names = {"0xae8be95be03288071217078950278910001dcbc8": "Acme"}
answers[17] = [f"{names.get(recipient, recipient)},{len(of)},{total(of, 'fee_native_atoms')}"
               for recipient, of in grouped([one for one in fees if one["is_partner"]], "recipient").items()]

answers[18] = [f"{len(fills)} fills"]

volume = total(fills, "volume_atoms")
answers[20] = [
    f"{solver},{round(total(of, 'volume_atoms') / 1e18, 4)},{round(total(of, 'volume_atoms') / volume, 4)},"
    f"{round(1e4 * total(of, 'surplus_native_atoms') / total(of, 'volume_atoms'), 2)}"
    for solver, of in grouped(fills, "solver_name").items()]

json.dump(answers, sys.stdout)
