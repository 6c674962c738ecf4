import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Architecture, architectures } from './arch.ts';
import { RefusedError } from './source.ts';

/** A Debian package of the image, pinned. */
export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  /** Architecture of Debian, or `all`. */
  readonly architecture: string;
  readonly sha256: string;
  /** Expression of SPDX, or the words of the package where SPDX has none. */
  readonly license: string;
}

/** A package of npm, pinned by the lockfile. */
export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** Subresource integrity, as npm writes it. */
  readonly integrity: string;
}

const pins = join(import.meta.dirname, 'debian-packages.json');

/** The Debian packages of the image of one processor. */
export function listDebianPackages(architecture: Architecture): readonly DebianPackage[] {
  const all = JSON.parse(readFileSync(pins, 'utf8')) as readonly DebianPackage[];
  return all.filter((one) => ['all', architectures[architecture].deb].includes(one.architecture));
}

/** Name of a Debian package's file, as apt downloads it. */
export function debFileName({ name, version, architecture }: DebianPackage): string {
  return `${name}_${version.replace(':', '%3a')}_${architecture}.deb`;
}

/** Name of the file of a package of npm, as `npm pack` writes it. */
export function npmFileName({ name, version }: NpmPackage): string {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
}

/**
 * Reads a file of the folder of inputs, if it is exactly the pinned one.
 *
 * @throws RefusedError when it is missing, or has other bytes
 */
export function readInput(folder: string, input: DebianPackage | NpmPackage): Buffer {
  const isNpm = 'integrity' in input;
  const name = isNpm ? npmFileName(input) : debFileName(input);
  const path = join(folder, name);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    throw new RefusedError(
      `${name} is not in ${folder}: npm run release:inputs brings it there where there is a network, or copy it`,
    );
  }
  // a pipe would be waited for
  if (!found.isFile()) {
    throw new RefusedError(
      `${path} is not a file: remove it, and npm run release:inputs brings the pinned one`,
    );
  }
  const bytes = readFileSync(path);
  const hash = (algorithm: string, encoding: 'hex' | 'base64'): string =>
    createHash(algorithm).update(bytes).digest(encoding);
  const [expected, actual] = isNpm
    ? [input.integrity, `sha512-${hash('sha512', 'base64')}`]
    : [`sha256:${input.sha256}`, `sha256:${hash('sha256', 'hex')}`];
  if (actual !== expected) {
    throw new RefusedError(
      `${path} is not the file that is pinned: expected ${expected}, found ${actual}; remove it, and npm run release:inputs brings the pinned one`,
    );
  }
  return bytes;
}

/**
 * Reads every Debian package that the image of these processors needs, so that nothing is built in vain.
 *
 * @throws RefusedError for the first one that is missing or is not the pinned one
 */
export function requireDebianPackages(platforms: readonly Architecture[], folder: string): void {
  for (const platform of platforms) {
    for (const one of listDebianPackages(platform)) readInput(folder, one);
  }
}
