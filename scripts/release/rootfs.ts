import {
  chmodSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readArMember } from './ar.ts';
import type { Architecture } from './arch.ts';
import { listDebianPackages, readInput } from './inputs.ts';
import { unpack } from './tools/unpack.ts';

/** User and group of the container, beyond those of any machine. */
export const containerUser = 65_532;

/** Folders in which every user makes files that the others cannot remove. */
export const temporaryFolders = ['tmp', 'var/tmp'] as const;

/** Folders of a package that no program in the image reads. Licenses stay. */
const left = ['usr/share/man', 'usr/share/locale', 'usr/share/lintian', 'usr/share/info', 'usr/share/bug'];

/**
 * Makes the root folder of the image from the pinned packages: the libraries of the runtime, certificate authorities and
 * time zones. There is no shell and no package manager; scripts of packages are not run.
 *
 * @param inputs folder of the packages
 * @throws RefusedError for a package that is missing or is not the pinned one
 */
export function makeRootfs(into: string, architecture: Architecture, inputs: string): void {
  for (const pinned of listDebianPackages(architecture)) {
    const archive = readInput(inputs, pinned);
    const data = readArMember(archive, 'data.tar');
    unpack(data.bytes, into, data.name.endsWith('.xz') ? '--xz' : '--gzip');
    const control = readArMember(archive, 'control.tar');
    const temporary = join(into, '.control');
    unpack(control.bytes, temporary, control.name.endsWith('.xz') ? '--xz' : '--gzip');
    // here scanners look for the packages of an image without a package manager
    write(join(into, 'var/lib/dpkg/status.d', pinned.name), readFileSync(join(temporary, 'control')));
    rmSync(temporary, { recursive: true });
  }
  for (const path of left) rmSync(join(into, path), { recursive: true, force: true });
  for (const path of globSync('usr/share/doc/*/*', { cwd: into })) {
    // a link to the folder of another package leads to the same files
    if (!path.endsWith('/copyright')) rmSync(join(into, path), { recursive: true, force: true });
  }
  const authorities = globSync('usr/share/ca-certificates/mozilla/*.crt', { cwd: into }).sort();
  const bundle = authorities.map((path) => readFileSync(join(into, path)));
  write(join(into, 'etc/ssl/certs/ca-certificates.crt'), Buffer.concat(bundle));
  const user = `svc:x:${containerUser}:`;
  write(
    join(into, 'etc/passwd'),
    `root:x:0:0:root:/:/sbin/nologin\n${user}${containerUser}:svc:/var/lib/svc:/sbin/nologin\n`,
  );
  write(join(into, 'etc/group'), `root:x:0:\n${user}\n`);
  // The layer has no owners: in these folders the user of the container must be able to make its own.
  for (const path of [...temporaryFolders, 'srv/svc', 'var/lib/svc']) {
    mkdirSync(join(into, path), { recursive: true });
    chmodSync(join(into, path), 0o777);
  }
  mkdirSync(join(into, 'etc/svc'), { recursive: true });
  // the time zones have a link to it
  symlinkSync('../usr/share/zoneinfo/Etc/UTC', join(into, 'etc/localtime'));
  makeLinksRelative(into, into);
}

function write(path: string, bytes: Buffer | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  chmodSync(path, 0o644);
}

/** A packed folder has no links to absolute paths. */
function makeLinksRelative(root: string, folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stats = lstatSync(path);
    if (stats.isDirectory()) makeLinksRelative(root, path);
    // made by this process, with its umask
    if (stats.isDirectory() && (stats.mode & 0o777) !== 0o777) chmodSync(path, 0o755);
    if (!stats.isSymbolicLink()) continue;
    const target = readlinkSync(path);
    if (!target.startsWith('/')) continue;
    rmSync(path);
    symlinkSync(relative(folder, join(root, target)), path);
  }
}
