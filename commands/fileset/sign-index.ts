import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { runTool, type Tools } from './index-tools.ts';

/** gpg without questions: a locked key fails in place of asking for its passphrase. */
const silent = ['--batch', '--no-tty', '--pinentry-mode', 'error', '--yes'] as const;

/** Returns the fingerprint that a text is; undefined when it is none. Short identifiers can be forged. */
export function toFingerprint(text: string): string | undefined {
  const hex = text.replaceAll(/[\s:]/g, '').toUpperCase();
  return /^(?:[0-9A-F]{40}|[0-9A-F]{64})$/.test(hex) ? hex : undefined;
}

/** Signs a Release file as `InRelease`, and verifies the result. @throws SVC-FIL-009 */
export async function signClear(tools: Tools, key: string, file: string, output: string): Promise<void> {
  await runTool(tools, 'gpg', [
    ...silent,
    '--local-user',
    key,
    '--digest-algo',
    'SHA512',
    '--output',
    output,
    '--clearsign',
    file,
  ]);
  await requireSigner(tools, key, [output]);
}

/** Signs a file beside it, and verifies the result. @throws SVC-FIL-009 */
export async function signDetached(tools: Tools, key: string, file: string, output: string): Promise<void> {
  await runTool(tools, 'gpg', [
    ...silent,
    '--local-user',
    key,
    '--digest-algo',
    'SHA512',
    '--armor',
    '--output',
    output,
    '--detach-sign',
    file,
  ]);
  await requireSigner(tools, key, [output, file]);
}

async function requireSigner(tools: Tools, key: string, files: readonly string[]): Promise<void> {
  if (await isSignedBy(tools, key, files)) return;
  throw svcError('SVC-FIL-009', {
    program: 'gpg',
    path: tools.folder,
    detail: rule(['the signature is not of the named key', fr`la signature n’est pas de la clé nommée`]),
  });
}

/**
 * Whether a file has a valid signature of a key, by the keyring of the user (gnupg, doc/DETAILS).
 *
 * @param key fingerprint of the primary key or of the signing subkey
 * @param files a clear-signed file; or a detached signature and the signed file
 * @throws SVC-FIL-009 when gpg is not installed
 */
export async function isSignedBy(tools: Tools, key: string, files: readonly string[]): Promise<boolean> {
  const { stdout } = await runTool(
    tools,
    'gpg',
    ['--batch', '--no-tty', '--status-fd', '1', '--verify', ...files],
    { mayFail: true },
  );
  const lines = stdout.split('\n').filter((line) => line.startsWith('[GNUPG:] '));
  const words = lines.map((line) => line.split(' '));
  const bad = ['REVKEYSIG', 'EXPKEYSIG', 'EXPSIG', 'BADSIG', 'ERRSIG', 'KEYREVOKED', 'NODATA'];
  if (words.some(([, name = '']) => bad.includes(name))) return false;
  if (!words.some(([, name]) => name === 'GOODSIG')) return false;
  const valid = words.filter(([, name]) => name === 'VALIDSIG');
  return valid.length > 0 && valid.every(([, , own, ...rest]) => own === key || rest.at(-1) === key);
}
