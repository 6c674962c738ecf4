import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBounded } from '../../disk/named-file.ts';
import type { PackageKeys } from '../../engine/prove/check-signatures.ts';
import { findProgram } from '../../program/find-program.ts';
import { runOutside } from '../../program/run-outside.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';

/** Maximum bytes of a keyring. */
const keyringBytes = 4 << 20;
/** Milliseconds for one signature. */
const patience = 60_000;

const armor =
  /^-----BEGIN PGP PUBLIC KEY BLOCK-----\r?\n(?:[A-Za-z]+: [^\n]*\n)*\r?\n([A-Za-z0-9+/=\s]+)-----END PGP PUBLIC KEY BLOCK-----/gm;

/** The keys as gpgv reads them, which takes no armor. @throws SVC-VAL-001 for a file that is no public key of OpenPGP */
function toBinary(bytes: Buffer, file: string): Buffer {
  const blocks = [...bytes.toString('latin1').matchAll(armor)].map(([, body]) =>
    // the last line is a check sum
    Buffer.from(body!.replace(/^=\S{4}\s*$/m, ''), 'base64'),
  );
  const keys = blocks.length > 0 ? Buffer.concat(blocks) : bytes;
  // a public key packet (RFC 9580, section 4.2), or the keybox of gpg
  const isKeyring =
    [0x98, 0x99, 0x9a, 0xc6].includes(keys[0] ?? 0) || keys.toString('latin1', 8, 12) === 'KBXf';
  if (isKeyring) return keys;
  throw svcError('SVC-VAL-001', {
    file,
    path: '/',
    rule: rule(['it is not an OpenPGP public key', fr`ce n’est pas une clé publique OpenPGP`]),
  });
}

/**
 * Opens the public keys of the signers of packages. The program gpgv verifies with them, as it does for apt: in an empty home,
 * without network, and a minute for each signature at most.
 *
 * @param options.path `PATH` of the user
 * @throws SVC-CLO-005 when gpgv is not installed, SVC-VAL-001 for a file that is no public key, SVC-FIL-005
 */
export async function openPackageKeys(
  keyrings: readonly string[],
  { path, signal }: { readonly path: string; readonly signal: AbortSignal },
): Promise<PackageKeys & AsyncDisposable> {
  const gpgv = findProgram('gpgv', { PATH: path });
  if (gpgv === undefined) throw svcError('SVC-CLO-005', {});
  const keys: Buffer[] = [];
  for (const keyring of keyrings) keys.push(toBinary(await readBounded(keyring, keyringBytes), keyring));
  const folder = await mkdtemp(join(tmpdir(), 'svc-keys-'));
  const at = (name: string): string => join(folder, name);
  const put = (files: readonly Buffer[], name: string): Promise<readonly string[]> =>
    Promise.all(
      files.map(async (bytes, i) => {
        await writeFile(at(`${name}-${i}`), bytes);
        return at(`${name}-${i}`);
      }),
    );
  const rings = (await put(keys, 'keys')).flatMap((file) => ['--keyring', file]);
  return {
    verify: async (files) => {
      const args = ['--homedir', folder, '--status-fd', '1', ...rings, ...(await put(files, 'signed'))];
      const env = { PATH: path, HOME: folder, LC_ALL: 'C' };
      const { stdout } = await runOutside(gpgv, args, { env, signal, timeout: patience });
      return isValid(stdout);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Hash algorithms by which apt and dnf believe no signature: MD5, SHA-1 and RIPE-MD/160 (RFC 9580, section 9.5). */
const weak: ReadonlySet<string | undefined> = new Set(['1', '2', '3']);

/**
 * Judges as apt does, by the states that gpgv gives (gnupg, doc/DETAILS): at least one key of the keyrings signed, and no
 * signature is wrong. An archive may have further signatures, of keys that are not known.
 */
function isValid(status: string): boolean {
  const words = status
    .split('\n')
    .filter((line) => line.startsWith('[GNUPG:] '))
    .map((line) => line.split(' '));
  const isSaid = (name: string): boolean => words.some(([, said]) => said === name);
  const strong = words.some(([, said, ...members]) => said === 'VALIDSIG' && !weak.has(members[7]));
  return isSaid('GOODSIG') && strong && !isSaid('BADSIG') && !isSaid('KEYREVOKED');
}
