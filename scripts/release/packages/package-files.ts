import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { keepRows, moveLinks } from './move-links.ts';

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

/** The list of the examples. */
const examples = 'deploy/README.md';

/** A file of the sources with its place. */
interface Copied extends Pick<PackageFile, 'path' | 'mode'> {
  /** Path below the root of the sources. */
  readonly from: string;
}

/** Paths of the files in a folder and below, from the root of the sources. */
function listBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

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
  const deploy = listBelow(root, 'deploy')
    .filter((path) => !path.startsWith('deploy/chart/'))
    .map((path): Copied => {
      const name = path.slice('deploy/'.length);
      const [place, mode] = installed[name] ?? [`usr/share/svc/${name}`, 0o644];
      return { from: path, path: place, mode };
    });
  const docs = listBelow(root, 'docs').map(
    (path): Copied => ({ from: path, path: `usr/share/doc/svc/${path.slice('docs/'.length)}`, mode: 0o644 }),
  );
  const places = new Map([...deploy, ...docs].map(({ from, path }) => [from, path]));
  const read = ({ from, path, mode }: Copied): PackageFile => {
    const source = file(path, from, mode);
    if (!from.endsWith('.md')) return source;
    const isBeside = (name: string): boolean =>
      places.get(join(dirname(from), name)) === join(dirname(path), name);
    const text = source.bytes.toString();
    return {
      ...source,
      bytes: Buffer.from(moveLinks(from === examples ? keepRows(text, isBeside) : text, from, places)),
    };
  };
  return [
    ...manual,
    ...[...deploy, ...docs].map(read),
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
