import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A file of a package. */
export interface PackageFile {
  /** Where it is installed, without the leading slash. */
  readonly path: string;
  readonly mode: number;
  readonly bytes: Buffer;
}

/** Where distributions differ. */
export interface PackagePlaces {
  /** Folder of completion scripts of zsh. */
  readonly zsh: string;
}

/** Files of `deploy/` that a machine uses, with their places. All others are examples. */
const installed: Readonly<Record<string, readonly [path: string, mode: number]>> = {
  'svc.service': ['usr/lib/systemd/system/svc.service', 0o644],
  'svc.sysusers': ['usr/lib/sysusers.d/svc.conf', 0o644],
  'svc-medium': ['usr/sbin/svc-medium', 0o755],
};

/**
 * Lists the files of a package, sorted by path, without the program: unit, account, manual, completion, documentation,
 * dashboard, alerts and examples. No configuration is among them: that of an instance is written by
 * `svc quickstart`, so that no upgrade can replace it.
 *
 * @param root folder of the sources
 * @param bill the bill of materials, which is installed beside the documentation
 */
export function listPackageFiles(root: string, { zsh }: PackagePlaces, bill: Buffer): PackageFile[] {
  const file = (path: string, from: string, mode = 0o644): PackageFile => ({
    path,
    mode,
    bytes: readFileSync(join(root, from)),
  });
  const manual = readdirSync(join(root, 'man')).map((name) => ({
    path: `usr/share/man/man1/${name}.gz`,
    mode: 0o644,
    bytes: compress(readFileSync(join(root, 'man', name))),
  }));
  const deploy = readdirSync(join(root, 'deploy'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, 'deploy').length + 1))
    .filter((name) => !name.startsWith('chart/'))
    .map((name) => {
      const [path, mode] = installed[name] ?? [`usr/share/svc/${name}`, 0o644];
      return file(path, join('deploy', name), mode);
    });
  const docs = readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => file(`usr/share/doc/svc/${name}`, join('docs', name)));
  return [
    ...manual,
    ...deploy,
    ...docs,
    file('usr/share/bash-completion/completions/svc', 'completions/svc'),
    file(`${zsh}/_svc`, 'completions/_svc'),
    file('usr/share/fish/vendor_completions.d/svc.fish', 'completions/svc.fish'),
    { path: 'usr/share/doc/svc/svc.cdx.json', mode: 0o644, bytes: bill },
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Compresses as `gzip -n` does: without name and time.
 *
 * @param level of zlib
 */
export function compress(bytes: Buffer, level = 9): Buffer {
  return gzipSync(bytes, { level });
}
