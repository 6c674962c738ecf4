import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { readArMember } from '../ar.ts';
import { RefusedError, type Source } from '../source.ts';
import { pickForGpg } from '../tools/environment.ts';
import { runTool, ToolError } from '../tools/run-tool.ts';
import { unpack } from '../tools/unpack.ts';
import { compress } from './package-files.ts';

/** Puts files into a folder that is packed as a FileSet, without copying them. */
export function linkFiles(files: readonly string[], into: string): void {
  mkdirSync(into, { recursive: true });
  for (const file of files) linkSync(file, join(into, basename(file)));
}

const hash = (algorithm: string, bytes: Buffer): string => createHash(algorithm).update(bytes).digest('hex');

/**
 * Makes a flat repository of Debian packages (sources.list(5)) in the folder that has them.
 *
 * @param work an empty folder
 * @param gpgKey fingerprint of the key that signs it; absent: the repository is not signed
 */
export function indexDebs(folder: string, source: Source, work: string, gpgKey: string | undefined): void {
  const names = readdirSync(folder).sort();
  const stanzas = names.map((name) => {
    const bytes = readFileSync(join(folder, name));
    unpack(readArMember(bytes, 'control.tar').bytes, join(work, name), '--gzip');
    const [fields, text] = readFileSync(join(work, name, 'control'), 'utf8').split(/^(?=Description:)/m);
    const place = [`Filename: ./${name}`, `Size: ${bytes.length}`];
    return `${fields}${[...place, `SHA256: ${hash('sha256', bytes)}`].join('\n')}\n${text}`;
  });
  const packages = Buffer.from(stanzas.join('\n'));
  const indexes: readonly (readonly [string, Buffer])[] = [
    ['Packages', packages],
    ['Packages.gz', compress(packages)],
  ];
  const architectures = stanzas.map((stanza) => /^Architecture: (.*)$/m.exec(stanza)![1]!);
  const release = [
    'Origin: svc',
    'Label: svc',
    'Suite: stable',
    'Codename: stable',
    `Version: ${source.version}`,
    `Date: ${source.date.toUTCString().replace('GMT', 'UTC')}`,
    `Architectures: ${[...new Set(architectures)].sort().join(' ')}`,
    'Description: svc',
    'SHA256:',
    ...indexes.map(([name, bytes]) => ` ${hash('sha256', bytes)} ${bytes.length} ${name}`),
  ];
  for (const [name, bytes] of indexes) write(join(folder, name), bytes);
  write(join(folder, 'Release'), Buffer.from(`${release.join('\n')}\n`));
  if (gpgKey === undefined) return;
  for (const [flag, name] of [
    ['--clearsign', 'InRelease'],
    ['--detach-sign', 'Release.gpg'],
  ] as const) {
    sign(
      gpgKey,
      [flag, ...(name === 'InRelease' ? [] : ['--armor'])],
      join(folder, 'Release'),
      join(folder, name),
      source,
    );
  }
}

/** Makes a repository of RPMs in the folder that has them, with `createrepo_c`. The arguments are those of `indexDebs`. */
export function indexRpms(folder: string, source: Source, gpgKey: string | undefined): void {
  const { seconds } = source;
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), seconds, seconds);
  const time = ['--revision', String(seconds), '--set-timestamp-to-revision'];
  const form = ['--no-database', '--general-compress-type', 'gz', '--workers', '1'];
  runTool('createrepo_c', ['--quiet', ...time, ...form, folder]);
  const metadata = join(folder, 'repodata');
  chmodSync(metadata, 0o755);
  for (const name of readdirSync(metadata)) chmodSync(join(metadata, name), 0o644);
  if (gpgKey === undefined) return;
  const repomd = join(metadata, 'repomd.xml');
  sign(gpgKey, ['--detach-sign', '--armor'], repomd, `${repomd}.asc`, source);
}

function write(path: string, bytes: Buffer): void {
  writeFileSync(path, bytes);
  chmodSync(path, 0o644);
}

/**
 * Signs nothing with the key, as the repositories are signed later.
 *
 * @throws RefusedError with the reason of gpg, for example for a key that is younger than the commit
 */
export function requireGpgKey(key: string, { seconds, date }: Source): void {
  // gpg would make one, with nothing in it
  const home = process.env.GNUPGHOME || join(homedir(), '.gnupg');
  if (!existsSync(home)) {
    throw new RefusedError(`gpg cannot sign with ${key}: there are no keys, as ${home} does not exist`);
  }
  try {
    runGpg(key, ['--clearsign'], seconds);
  } catch (cause) {
    if (!(cause instanceof ToolError)) throw cause;
    const said = cause.stderr.split('\n').slice(1).join('; ');
    throw new RefusedError(
      `gpg cannot sign with ${key} at the time of the commit, ${date.toISOString()}: ${said}`,
      { cause },
    );
  }
}

/** The signature has the time of the commit, so that the same key signs the same bytes in the same way. */
function sign(key: string, flags: readonly string[], file: string, into: string, { seconds }: Source): void {
  runGpg(key, ['--output', into, ...flags, file], seconds);
  chmodSync(into, 0o644);
}

/** Runs gpg without its settings, which could add comments, signers and other forms to a signature. */
function runGpg(key: string, args: readonly string[], seconds: number): void {
  const own = ['--no-options', '--no-comments', '--no-emit-version', '--batch', '--yes'];
  const time = ['--faked-system-time', `${seconds}!`];
  runTool('gpg', [...own, ...time, '--local-user', key, ...args], { env: pickForGpg(process.env) });
}
