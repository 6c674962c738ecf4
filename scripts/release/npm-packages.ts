import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Architecture } from './arch.ts';
import type { NpmPackage } from './inputs.ts';
import { RefusedError } from './source.ts';

/** A package with its place in the tree that npm installs. */
export interface PlacedPackage extends NpmPackage {
  /** Folder below the root of the sources, such as `node_modules/a/node_modules/b`. */
  readonly folder: string;
}

/** The entry of a package in the lockfile. */
export interface LockedPackage {
  readonly name?: string;
  readonly version: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  readonly libc?: string | readonly string[];
}

/** The package that builds the program; no other dependency for development has a part in a release. */
const bundler = 'esbuild';

/** The packages of the lockfile, by their folders. */
export function readLockfile(root: string): Readonly<Record<string, LockedPackage>> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, LockedPackage>>;
  };
  return packages;
}

/**
 * Lists the packages that are in the program or build it, each with its place. They are the dependencies of the program,
 * the bundler, and the runtime and the native modules of the processors.
 *
 * @param platforms processors that the program is for
 * @param builders processors of the machines that build it
 * @throws RefusedError for a package without SHA-512 in the lockfile
 */
export function listBuildPackages(
  root: string,
  platforms: readonly Architecture[],
  builders: readonly Architecture[],
): readonly PlacedPackage[] {
  const packages = readLockfile(root);
  const found = new Map<string, PlacedPackage>();
  const add = (from: string, names: Iterable<string>, architectures: readonly Architecture[]): void => {
    for (const name of names) {
      const folder = locate(packages, from, name);
      // a package of another system is optional, and npm need not have locked it
      if (folder === undefined || found.has(folder) || !isFor(packages[folder]!, architectures)) continue;
      const locked = packages[folder]!;
      found.set(folder, { folder, ...toPinned(folder, locked) });
      const optional = locked.peerDependenciesMeta ?? {};
      const peers = Object.keys(locked.peerDependencies ?? {}).filter((one) => !optional[one]?.optional);
      const needed = { ...locked.dependencies, ...locked.optionalDependencies };
      add(folder, [...Object.keys(needed), ...peers], architectures);
    }
  };
  const runtimes = [...new Set([...platforms, ...builders])].map((one) => `node-linux-${one}`);
  add('', Object.keys(packages['']!.dependencies ?? {}), platforms);
  add('', [bundler], builders);
  add('', runtimes, [...platforms, ...builders]);
  for (const name of [bundler, ...runtimes]) {
    if (!found.has(`node_modules/${name}`)) throw new RefusedError(`${name} is not in the lockfile`);
  }
  return [...found.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

/** The runtime and the native password hash of a processor. */
export function listNativePackages(
  root: string,
  architecture: Architecture,
): { readonly runtime: PlacedPackage; readonly addon: PlacedPackage } {
  const packages = readLockfile(root);
  const get = (name: string): PlacedPackage => {
    const folder = `node_modules/${name}`;
    return { folder, ...toPinned(folder, packages[folder]!) };
  };
  return {
    runtime: get(`node-linux-${architecture}`),
    addon: get(`@node-rs/argon2-linux-${architecture}-gnu`),
  };
}

/** The folder of a package as a module in another folder finds it. */
function locate(
  packages: Readonly<Record<string, LockedPackage>>,
  from: string,
  name: string,
): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const folder = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (packages[folder] !== undefined) return folder;
    if (at === '') return undefined;
  }
}

function isFor(locked: LockedPackage, architectures: readonly string[]): boolean {
  const { os = 'linux', cpu = architectures, libc = 'glibc' } = locked;
  const isMet = (wanted: string | readonly string[], given: readonly string[]): boolean =>
    [wanted].flat().some((one) => given.includes(one));
  return isMet(os, ['linux']) && isMet(libc, ['glibc']) && isMet(cpu, architectures);
}

function toPinned(folder: string, { name, version, integrity }: LockedPackage): NpmPackage {
  if (!integrity?.startsWith('sha512-')) {
    throw new RefusedError(`the lockfile has no SHA-512 of ${folder}: it cannot be verified`);
  }
  return { name: name ?? folder.split('node_modules/').at(-1)!, version, integrity };
}
