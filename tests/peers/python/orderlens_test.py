"""Tests of lib/sql/python/orderlens.py in DuckDB and pyiceberg, over copies of a dataset.

Its arguments are the folder of the module and that of the dataset.
"""

import contextlib
import io
import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

MODULE, DATASET = sys.argv[1], Path(sys.argv[2])
sys.path.insert(0, MODULE)

import duckdb
import orderlens
from pyiceberg.catalog.sql import SqlCatalog


class Folders(unittest.TestCase):
    """Tests with a folder of their own."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = Path(temporary.name)

    def copy(self, name, change=lambda manifest: None):
        """A copy of the dataset whose manifest is changed."""
        folder = self.root / name
        shutil.copytree(DATASET, folder)
        manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
        change(manifest)
        (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
        return folder

    def open(self, *folders, **options):
        """A connection, and what was printed."""
        with contextlib.redirect_stdout(io.StringIO()) as said:
            db = orderlens.open_duckdb(*folders, **options)
        self.addCleanup(db.close)
        return db, said.getvalue()

    def refused(self, pattern, *folders, **options):
        with self.assertRaisesRegex(orderlens.DatasetError, pattern):
            self.open(*folders, **options)

    def rewrite(self, folder, path, select):
        """Writes a file of the dataset again, with the rows of a query over `rows`."""
        with duckdb.connect() as db:
            db.execute(f"CREATE TABLE rows AS FROM '{folder / path}'")
            db.execute(f"COPY ({select}) TO '{folder / path}' (FORMAT parquet)")


class OpenDuckDb(Folders):
    def test_a_whole_dataset_prints_nothing(self):
        db, said = self.open(self.copy("it's [one] of *, chain_id=7"), verify=True)
        self.assertEqual(said, "")
        self.assertEqual(db.execute("SELECT chain_id, count(*) FROM fills GROUP BY ALL").fetchall(), [(1, 37)])

    def test_amounts_are_numbers_and_times_are_in_utc(self):
        db, _ = self.open(DATASET)
        kinds = {name: kind for name, kind, *_ in db.execute("DESCRIBE fills").fetchall()}
        self.assertEqual((kinds["surplus_atoms"], kinds["surplus_tokens"]), ("BIGNUM", "DOUBLE"))
        first = db.execute("SELECT max(volume_atoms) > 9, CAST(min(filled_at_utc) AS VARCHAR) FROM fills").fetchone()
        self.assertTrue(first[0])
        self.assertRegex(first[1], r"^2026-11-21 15:.*\+00$")

    def test_nulls_come_first_as_in_spark(self):
        db, _ = self.open(DATASET)
        rows = db.execute("SELECT x FROM (VALUES (1), (NULL)) AS t(x) ORDER BY x").fetchall()
        self.assertEqual(rows, [(None,), (1,)])

    def test_longer_amounts_than_decimals_hold_are_exact(self):
        most = 2**256 - 1
        folder = self.copy("long")
        for file in (folder / "fees").iterdir():
            self.rewrite(folder, f"fees/{file.name}", f"SELECT * REPLACE ('{most}' AS fee_native_atoms) FROM rows")
        db, _ = self.open(folder)
        self.assertEqual(db.execute("SELECT CAST(sum(fee_native_atoms) AS VARCHAR) FROM fees").fetchall(), [(str(81 * most),)])

    def test_an_amount_that_is_no_whole_number_fails_its_query(self):
        for bad in ("1.6", "1e3", "", " 1", "+1"):
            folder = self.copy(f"bad {bad}")
            self.rewrite(folder, "fills/0000001000-0000001999.parquet", f"SELECT * REPLACE ('{bad}' AS surplus_atoms) FROM rows")
            db, _ = self.open(folder)
            with self.assertRaisesRegex(duckdb.Error, "surplus_atoms is not a whole number"):
                db.execute("SELECT sum(surplus_atoms) FROM fills").fetchall()

    def test_verify_names_files_that_are_not_those_of_the_manifest(self):
        folder = self.copy("altered")
        path = "fills/0000002000-0000002999.parquet"
        self.rewrite(folder, path, "FROM rows ORDER BY ALL DESC")
        self.open(folder)
        self.refused(f"damaged files: 1, such as {path}\nFix: ", folder, verify=True)

    def test_gaps_are_printed(self):
        def change(manifest):
            manifest["isComplete"] = False
            manifest["ids"]["failed"] = [[2046, 2047], [2049, 2049]]
            manifest["items"]["order"]["failed"] = 2
            manifest["failures"] = [{"kind": "order", "key": "0x12", "reason": "status 500"}]

        folder = self.copy("gaps", change)
        _, said = self.open(folder)
        self.assertEqual(
            said,
            f"{folder}: it has gaps: auctions failed: 3, order failed: 2\n"
            f"{folder}: order 0x12: status 500\n",
        )

    def test_an_interrupted_export_has_its_records(self):
        derived = {"fills", "fees", "bids", "outcomes", "attempts", "fair_gain", "lifecycle", "rewards", "auction_rewards"}

        def change(manifest):
            manifest["derived"] = None
            manifest["files"] = [file for file in manifest["files"] if file["path"].split("/")[0] not in derived]

        db, said = self.open(self.copy("interrupted", change))
        self.assertIn("its export was interrupted", said)
        self.assertIn("No view leaderboard: it reads outcomes, bids, which the datasets lack", said)
        self.assertEqual(db.execute("SELECT count(*) FROM trades").fetchall(), [(37,)])

    def test_datasets_that_share_rows_are_refused(self):
        def as_range(first, last):
            return lambda manifest: manifest["range"].update({"from": first, "to": last})

        overlapping = self.copy("overlapping", as_range(2049, 3000))
        self.refused("both have the auctions 2049 to 2049\nFix: Merge them", DATASET, overlapping)
        later = self.copy("later", as_range(2050, 3000))
        self.refused("shared rows of auctions: 32\nFix: Merge them", DATASET, later)
        only_orders = lambda manifest: manifest.update(
            range=None, files=[file for file in manifest["files"] if file["path"].startswith(("orders/", "trades/"))]
        )
        self.refused("shared rows of orders: 41", DATASET, self.copy("orders", only_orders))
        only_trades = lambda manifest: manifest.update(
            range=None, files=[file for file in manifest["files"] if file["path"].startswith("trades/")]
        )
        self.refused("shared rows of trades: 37", DATASET, self.copy("trades", only_trades))
        self.refused("Cannot open .* twice", DATASET, f"{DATASET}/")
        staging = self.copy("staging", lambda manifest: manifest["source"].update(environment="staging"))
        self.refused("several environments of one chain", DATASET, staging)

    def test_datasets_of_several_chains_are_one(self):
        other = self.copy("other", lambda manifest: manifest["source"].update(chainId=100))
        for file in (other / "trades").iterdir():
            # Columns in another order are the same columns.
            select = "SELECT owner, * EXCLUDE (owner) REPLACE (100 AS chain_id) FROM rows"
            self.rewrite(other, f"trades/{file.name}", select)
        db, said = self.open(DATASET, other)
        self.assertEqual(said, "")
        kinds = db.execute("SELECT DISTINCT length(owner), typeof(sell_amount_atoms) FROM trades").fetchall()
        self.assertEqual(kinds, [(42, "BIGNUM")])
        rows = db.execute("SELECT chain_id, count(*) FROM trades GROUP BY ALL ORDER BY ALL").fetchall()
        self.assertEqual(rows, [(1, 37), (100, 37)])

    def test_tables_that_not_all_have_are_named(self):
        def change(manifest):
            manifest["source"].update(chainId=100)
            manifest["files"] = [file for file in manifest["files"] if not file["path"].startswith("bids/")]

        db, said = self.open(DATASET, self.copy("fewer", change))
        self.assertIn("Not all datasets have the tables bids", said)
        self.assertIn("No view pairs: it reads bids, which the datasets lack", said)
        with self.assertRaises(duckdb.Error):
            db.execute("FROM bids")

    def test_views_do_without_the_table_that_a_dataset_may_lack(self):
        def without(*names, chain=1):
            def change(manifest):
                manifest["source"].update(chainId=chain)
                manifest["files"] = [file for file in manifest["files"] if file["path"].split("/")[0] not in names]

            return change

        gas = "FROM gas_surplus ORDER BY ALL"
        named = "symbol, sold_tokens, bought_tokens, matched_tokens"
        cow = f"SELECT * EXCLUDE ({named}) FROM cow_shares ORDER BY ALL"
        whole, _ = self.open(DATASET)
        bare, said = self.open(self.copy("bare", without("settlements", "tokens")))
        self.assertEqual(said, "")
        self.assertEqual(bare.execute(cow).fetchall(), whole.execute(cow).fetchall())
        self.assertGreater(len(bare.execute(gas).fetchall()), 1)
        tokens = "SELECT DISTINCT symbol IS NULL, sold_tokens IS NULL FROM cow_shares"
        self.assertEqual(bare.execute(tokens).fetchall(), [(False, True)])
        for name in ("settlements", "tokens"):
            with self.assertRaises(duckdb.Error):
                bare.execute(f"FROM {name}")
        both, said = self.open(DATASET, self.copy("other", without("settlements", "tokens", chain=100)))
        self.assertIn("Not all datasets have the tables settlements, tokens", said)
        # Both copies have rows of one chain.
        symbols = "SELECT DISTINCT token, symbol FROM cow_shares ORDER BY ALL"
        self.assertEqual(both.execute(symbols).fetchall(), whole.execute(symbols).fetchall())

    def test_a_missing_or_damaged_file_is_named_with_the_remedy(self):
        folder = self.copy("missing")
        # DuckDB opens the first file for its columns.
        file = min((folder / "fills").iterdir())
        file.unlink()
        self.refused(f"Cannot open {folder}: {file} is missing\nFix: .*orderlens verify {folder}.*rebuild", folder)
        file.write_text("damaged")
        self.refused(f"Cannot open {folder}: .*{file.name}.*\nFix: .*orderlens verify", folder)

    def test_what_is_no_dataset_is_refused(self):
        self.refused("no folder is given\nFix: ", *[])
        self.refused("another format\nFix: ", self.copy("later", lambda manifest: manifest.update(schema="orderlens/dataset@2")))
        self.refused("none: it has no manifest.json\nFix: ", self.root / "none")


class PublishIceberg(Folders):
    def publish(self, *words, **options):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            return orderlens.publish_iceberg(*words, **options), said.getvalue()

    def counts(self):
        manifest = json.loads((DATASET / "manifest.json").read_text("utf-8"))
        counts = {}
        for file in manifest["files"]:
            name = file["path"].split("/")[0]
            if name != "raw":
                counts[name] = counts.get(name, 0) + file["rows"]
        return counts

    def test_a_new_catalogue_has_the_rows_of_the_manifest(self):
        folder = self.root / "catalogue"
        rows, said = self.publish(DATASET, folder)
        self.assertEqual(rows, self.counts())
        self.assertEqual(said, f"Catalogue orderlens, namespace orderlens: {len(rows)} tables, {sum(rows.values())} rows\n")
        with self.assertRaisesRegex(orderlens.DatasetError, "it exists\nFix: Pass a new folder"):
            self.publish(DATASET, folder)

    def test_a_catalogue_of_another_place_names_no_folder_of_this_machine(self):
        folder = self.root / "catalogue"
        rows, _ = self.publish(DATASET, folder, location="s3://a/b/")
        self.assertEqual(rows, self.counts())
        files = [path for path in folder.rglob("*") if path.is_file()]
        self.assertGreater(len(files), len(rows))
        for path in files:
            content = path.read_bytes()
            for here in (self.root, DATASET):
                self.assertFalse(str(here).encode() in content, f"{path} names {here}")
        again = SqlCatalog("orderlens", uri=f"sqlite:///{folder}/catalog.db", **{"py-io-impl": "orderlens.LocatedIO"})
        files = [task.file.file_path for task in again.load_table("orderlens.tokens").scan().plan_files()]
        names = ["0000001000-0000001999", "0000002000-0000002999", "unbid"]
        self.assertEqual(sorted(files), [f"s3://a/b/market_1/tokens/{name}.parquet" for name in names])

    def test_an_own_catalogue_takes_the_tables(self):
        uri = f"sqlite:///{self.root}/own.db"
        own = SqlCatalog("mine", uri=uri, warehouse=f"file://{self.root}/warehouse")
        own.create_namespace("orderlens")
        rows, said = self.publish(DATASET, own)
        self.assertTrue(said.startswith("Catalogue mine, namespace orderlens: "))
        self.assertEqual(own.load_table("orderlens.fills").scan().count(), rows["fills"])

    def test_locations_are_uris_that_tell_both_folders_apart(self):
        for location in ("", "data", "/data", "s3:data", "s3://"):
            with self.assertRaisesRegex(orderlens.DatasetError, "it is not a URI\nFix: "):
                self.publish(DATASET, self.root / "catalogue", location=location)
        with self.assertRaisesRegex(orderlens.DatasetError, "both folders are called market_1"):
            self.publish(DATASET, self.root / "market_1", location="s3://a/b")
        self.assertEqual(list(self.root.iterdir()), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
