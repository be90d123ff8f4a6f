import { cp } from "node:fs/promises";
import { InputError } from "orderlens";
import { publishDataset, verifyDataset } from "orderlens/datasets";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { findSignatureFault, parseSigner } from "../../lib/datasets/layout/signature.ts";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { runQuietly } from "../../tools/terminal/run_quietly.ts";
import { inFolder } from "../sandbox/temp_folder.ts";

/** Made by `ssh-keygen -Y sign -n file` of OpenSSH. */
const SSH = {
  message: "orderlens\n",
  key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMeMApSVWfD3uWlByxn65c4g1g59B0sW86TiHTLyAMpz comment",
  signature: `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgx4wClJVZ8Pe5aUHLGfrlziDWDn
0HSxbzpOIdMvIAynMAAAAEZmlsZQAAAAAAAAAGc2hhNTEyAAAAUwAAAAtzc2gtZWQyNTUx
OQAAAEBvd1VJgiwcPnu4RPADs5cvsmn4zf/qQNWlFg+Dq/w7baL4XodsdpE0fjxIDeS3nz
byp2Od3ks+ZuuKd0Y0/1EK
-----END SSH SIGNATURE-----
`,
};
/** An example of minisign: its public key, and a signature of `test`. */
const MINISIGN = {
  message: "test",
  key: "untrusted comment: a key\nRWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3\n",
  signature: `untrusted comment: signature from minisign secret key
RUQf6LRCGA9i559r3g7V1qNyJDApGip8MfqcadIgT9CuhV3EMhHoN1mGTkUidF/z7SrlQgXdy8ofjb7bNJJylDOocrCo8KLzZwo=
trusted comment: timestamp:1633700835\tfile:test\tprehashed
wLMDjy9FLAuxZ3q4NlEvkgtyhrr0gtTu6KC4KBJdITbbOeAi1zBIYo0v4iTgt8jJpIidRJnp94ABQkJAgAooBQ==
`,
};
const OTHER_SSH =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB";

const encode = (text: string) => new TextEncoder().encode(text);

for (const [name, { message, key, signature }] of Object.entries({ SSH, MINISIGN })) {
  Deno.test(`findSignatureFault() accepts a signature of ${name}, and no other`, () => {
    const signer = parseSigner(key);
    assert(signer !== null);
    const find = (text: string, by = signature) => findSignatureFault(encode(text), by, signer);
    assertEquals(find(message), null);
    assertEquals(find(`${message} `), "it is not of this file");
    assert(find(message, "")?.startsWith("it is no signature of"));
    // Whatever character changes, it is rejected; the first line of minisign is not signed.
    const start = name === "SSH" ? 40 : signature.indexOf("\n") + 1;
    for (let index = start; index < signature.length - 30; index += 7) {
      const letter = signature[index] === "A" ? "B" : "A";
      if (!/[A-Za-z0-9]/.test(signature[index]!)) continue;
      const changed = signature.slice(0, index) + letter + signature.slice(index + 1);
      assert(find(message, changed) !== null, `accepts another ${index}`);
    }
  });
}

Deno.test("parseSigner() rejects other keys, and findSignatureFault() names another signer", () => {
  for (const text of ["", "ssh-rsa AAAA", "ssh-ed25519 AAAA", "RWQf6LRCGA9i5", "none"]) {
    assertEquals(parseSigner(text), null);
  }
  const other = parseSigner(OTHER_SSH);
  assert(other !== null);
  const fault = findSignatureFault(encode(SSH.message), SSH.signature, other);
  assertEquals(fault, "it is by another key");
});

const hasSshKeygen = await runQuietly({ program: "sh", args: ["-c", "command -v ssh-keygen"] })
  .then(({ success }) => success);

Deno.test({
  name: "verifyDataset() compares the signer of a publication that ssh-keygen signed",
  ignore: !hasSshKeygen,
  fn: async () => {
    const folder = await Deno.makeTempDir();
    try {
      const set = `${folder}/set`;
      await cp(`${SHIPPED_FOLDER}/market_1`, set, { recursive: true });
      const script = `ssh-keygen -q -t ed25519 -N "" -f ${folder}/key &&
        ssh-keygen -q -Y sign -n file -f ${folder}/key ${set}/manifest.json`;
      const { success, output } = await runQuietly({ program: "sh", args: ["-c", script] });
      assert(success, output);
      const signer = await Deno.readTextFile(`${folder}/key.pub`);
      await publishDataset(set, `${folder}/upload`, { target: "huggingface" });
      assertEquals((await verifyDataset(`${folder}/upload`, { signer })).problems, []);
      assertEquals((await verifyDataset(`${folder}/upload`, { signer: OTHER_SSH })).problems, [
        { file: "manifest.json.sig", problem: "it is by another key" },
      ]);
      await Deno.remove(`${folder}/upload/manifest.json.sig`);
      const { problems } = await verifyDataset(`${folder}/upload`, { signer });
      assertEquals(problems.at(-1), { file: "manifest.json.sig", problem: "it is missing" });
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

inFolder.test("verifyDataset() rejects a signer that is no public key", async () => {
  await assertRejects(() => verifyDataset("market_1", { signer: "me" }), InputError, "signer");
});
