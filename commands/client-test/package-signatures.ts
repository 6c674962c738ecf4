import { access, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAbsent } from '../../src/disk/is-absent.ts';
import { toNamedFileError } from '../../src/disk/named-file-error.ts';
import { readPlainText } from '../../src/disk/plain-file.ts';
import { isUnsignedFile } from '../../src/fileset/package-check/is-unsigned-file.ts';
import { findProgram } from '../../src/program/find-program.ts';
import { lastLine } from '../../src/program/run-outside.ts';
import { fr } from '../../src/text/language.ts';
import { type Rule, rule } from '../../src/text/rule.ts';
import type { Sandbox } from './model.ts';
import { toMissingKey } from './package-keys.ts';
import { type RepositorySettings, readRepositorySettings } from './repository-settings.ts';
import { runClient } from './run-check.ts';

/** Reads a file that may be missing. @throws SVC-FIL-005 */
async function readText(path: string): Promise<string> {
  return readPlainText(path).catch((error: unknown) => {
    if (isAbsent(error)) return '';
    throw toNamedFileError(error, path);
  });
}

/**
 * Reads the settings that a node uses: those of the folders, and where the files of the machine are tested, of its `dnf.conf`.
 *
 * @throws SVC-FIL-005 for a file that cannot be read
 */
export async function readSettings(
  folders: readonly string[],
  isInstalled: boolean,
): Promise<ReadonlyMap<string, RepositorySettings>> {
  const texts: string[] = [];
  for (const folder of folders)
    for (const name of (await readdir(folder).catch(() => [])).sort())
      if (name.endsWith('.repo')) texts.push(await readText(join(folder, name)));
  return readRepositorySettings(isInstalled ? await readText('/etc/dnf/dnf.conf') : '', texts);
}

/** The path of a key on this machine; undefined for one that dnf fetches, or whose name has a variable of dnf. */
function toKeyPath(address: string): string | undefined {
  if (address.includes('$')) return undefined;
  if (address.startsWith('/')) return address;
  return address.startsWith('file://') && URL.canParse(address) ? fileURLToPath(address) : undefined;
}

/**
 * Judges a package as dnf does when it installs it. The command that downloads does not judge, and the one that installs
 * would need the dependencies of the package. Without `rpmkeys`, only a missing signature is found.
 *
 * @param path of the package
 * @param id of its repository
 * @returns why dnf refuses it
 */
export async function judgeSignature(
  sandbox: Sandbox,
  path: string,
  id: string,
  settings: RepositorySettings | undefined,
): Promise<Rule | string | undefined> {
  if (!settings?.gpgcheck) return undefined;
  if (await isUnsignedFile(path))
    return rule(
      [
        'the package has no signature of its own, and gpgcheck=1 of {id} refuses it',
        fr`le paquet n’a pas de signature propre, et gpgcheck=1 de {id} le refuse`,
      ],
      { id },
    );
  const program = findProgram('rpmkeys', { PATH: sandbox.path });
  const keys = settings.keys.map(toKeyPath);
  if (program === undefined || keys.includes(undefined)) return undefined;
  const database = join(sandbox.folder, 'rpm', id.replaceAll(/[^A-Za-z0-9-]/g, '_'));
  await mkdir(database, { recursive: true });
  for (const key of keys) {
    const isThere = await access(key!).then(
      () => true,
      () => false,
    );
    if (!isThere) return toMissingKey(key!);
    const { exitCode, stderr } = await runClient(sandbox, ['--dbpath', database, '--import', key!], {
      program,
    });
    if (exitCode !== 0) return lastLine(stderr);
  }
  const args = ['--dbpath', database, '--define', '_pkgverify_level signature', '--checksig', path];
  const { exitCode, stdout, stderr } = await runClient(sandbox, args, { program });
  return exitCode === 0 ? undefined : lastLine(stdout) || lastLine(stderr);
}
