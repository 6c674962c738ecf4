import { findAptRepositories, findRpmRepositories } from '../../client/package-repositories.ts';
import { readStanzas, toPackageFiles, toReleaseFiles } from './control.ts';
import { joinBelow } from './join-below.ts';
import {
  documentBytes,
  FormError,
  mostFindings,
  type NamedFile,
  type PackageFault,
  type PackageFinding,
  type PackageReport,
  type PackageTree,
} from './model.ts';
import { findBroken, findUnlisted, packageNames } from './package-files.ts';
import { readPrimary, toRepomdFiles } from './rpm-metadata.ts';

/** The check of one tree: the named files, and the faults. */
class Check {
  readonly #tree: PackageTree;
  /** Claims of indexes about each path, and whether they held. */
  readonly #checked = new Map<string, NamedFile & { readonly holds: boolean }>();
  readonly named = new Map<string, Set<string>>();
  readonly #reported = new Set<string>();
  readonly findings: PackageFinding[] = [];
  bytes = 0;

  readonly #since: number | undefined;

  constructor(tree: PackageTree, since: number | undefined) {
    this.#tree = tree;
    this.#since = since;
  }

  get packages(): number {
    const all = new Set<string>();
    for (const paths of this.named.values()) for (const path of paths) all.add(path);
    return all.size;
  }

  get files(): number {
    return this.#checked.size;
  }

  report(path: string, fault: PackageFault): void {
    const key = `${fault} ${path}`;
    if (this.findings.length >= mostFindings || this.#reported.has(key)) return;
    this.#reported.add(key);
    this.findings.push({ path, fault });
  }

  /** Requires a file with its size and hash. @returns its path when it is there and right */
  async require(folder: string, named: NamedFile): Promise<string | undefined> {
    const path = joinBelow(folder, named.path);
    if (path === undefined) {
      this.report(named.path.slice(0, 512), 'outside');
      return undefined;
    }
    const { size, hash } = named;
    const before = this.#checked.get(path);
    if (before?.size === size && before.hash?.hex === hash?.hex) return before.holds ? path : undefined;
    const actual = await this.#tree.sizeOf(path);
    const fault = await this.#judge(path, named, actual);
    this.#checked.set(path, { ...named, holds: fault === undefined });
    if (fault !== undefined) {
      this.report(path, fault);
      return undefined;
    }
    this.bytes += actual ?? 0;
    return path;
  }

  async #judge(
    path: string,
    { size, hash }: NamedFile,
    actual: number | undefined,
  ): Promise<PackageFault | undefined> {
    if (actual === undefined) return 'absent';
    if (actual !== size) return 'size';
    if (hash === undefined) return 'weak';
    if (this.#since !== undefined && (await this.#tree.modifiedAt(path)) <= this.#since) return undefined;
    return (await this.#tree.hash(path, hash.algorithm)) === hash.hex ? undefined : 'hash';
  }

  /** Reads a small document. @throws FormError when it is too large */
  async text(path: string): Promise<string> {
    if (((await this.#tree.sizeOf(path)) ?? 0) > documentBytes) throw new FormError('it is too large');
    const chunks: Buffer[] = [];
    for await (const chunk of (await this.#tree.read(path)) ?? []) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  }

  /** Runs the reading of one index; an error of form is a finding. */
  async reading(path: string, work: (bytes: AsyncIterable<Buffer>) => Promise<void>): Promise<void> {
    try {
      const bytes = await this.#tree.read(path);
      if (bytes === undefined) this.report(path, 'compression');
      else await work(bytes);
    } catch (error) {
      // a broken compression ends in an error of zlib
      const { code } = error as { readonly code?: unknown };
      if (!(error instanceof FormError) && !/^(?:Z_|ERR_)/.test(String(code))) throw error;
      this.report(path, 'form');
    }
  }

  async packagesOf(folder: string, path: string, files: readonly NamedFile[]): Promise<void> {
    if (files.length === 0) this.report(path, 'form');
    const named = this.named.get(path) ?? new Set();
    this.named.set(path, named);
    for (const file of files) {
      named.add(joinBelow(folder, file.path) ?? file.path);
      await this.require(folder, file);
    }
  }
}

const compressions = ['', '.gz', '.zst', '.xz', '.bz2', '.lzma', '.lz4'] as const;
const stemOf = (path: string): string => path.replace(/\.(?:gz|zst|xz|bz2|lzma|lz4)$/, '');

/** Selects the forms of one index that are there: archives name forms that they do not keep, and one is enough. */
async function requireIndexes(
  check: Check,
  tree: PackageTree,
  folder: string,
  named: readonly NamedFile[],
): Promise<readonly string[]> {
  const groups = new Map<string, NamedFile[]>();
  for (const file of named) {
    const stem = stemOf(file.path);
    groups.set(stem, [...(groups.get(stem) ?? []), file]);
  }
  const chosen: string[] = [];
  for (const [stem, group] of groups) {
    const there: NamedFile[] = [];
    for (const file of group) {
      const path = joinBelow(folder, file.path);
      if (path === undefined || (await tree.sizeOf(path)) !== undefined) there.push(file);
    }
    if (there.length === 0) {
      check.report(joinBelow(folder, group[0]!.path) ?? stem, 'absent');
      continue;
    }
    const right: string[] = [];
    for (const file of there) {
      const path = await check.require(folder, file);
      if (path !== undefined) right.push(path);
    }
    if (!/(?:^|\/)(?:Packages|Sources)$/.test(stem)) continue;
    const best = compressions.map((end) => right.find((path) => path.endsWith(stem + end))).find(Boolean);
    if (best !== undefined) chosen.push(best);
  }
  return chosen;
}

async function checkSuite(check: Check, tree: PackageTree, root: string, release: string): Promise<void> {
  const folder = release.slice(0, Math.max(release.lastIndexOf('/'), 0));
  let named: readonly NamedFile[] = [];
  await check.reading(release, async () => {
    named = toReleaseFiles(await check.text(release));
  });
  for (const index of await requireIndexes(check, tree, folder, named))
    await check.reading(index, async (bytes) => {
      for await (const stanza of readStanzas(bytes))
        await check.packagesOf(root, index, toPackageFiles(stanza));
    });
}

async function checkApt(check: Check, tree: PackageTree): Promise<readonly string[]> {
  const repositories = findAptRepositories(tree.paths);
  const paths = new Set(tree.paths);
  for (const { folder, suites } of repositories)
    for (const { suite } of suites) {
      const at = [folder, ...(suite === './' ? [] : ['dists', suite])].filter(Boolean).join('/');
      const releases = ['InRelease', 'Release'].map((name) => (at === '' ? name : `${at}/${name}`));
      const present = releases.filter((path) => paths.has(path));
      if (present.length === 0) check.report(releases[1]!, 'absent');
      // apt reads the first, older programs the second: both must hold
      for (const release of present) await checkSuite(check, tree, folder, release);
    }
  return repositories.map(({ folder }) => folder);
}

async function checkRpm(check: Check, tree: PackageTree): Promise<readonly string[]> {
  const repositories = findRpmRepositories(tree.paths);
  for (const { folder } of repositories) {
    const repomd = folder === '' ? 'repodata/repomd.xml' : `${folder}/repodata/repomd.xml`;
    const primaries: string[] = [];
    await check.reading(repomd, async () => {
      const files = toRepomdFiles(await check.text(repomd));
      if (!files.some(({ type }) => type === 'primary')) throw new FormError('no list of packages');
      for (const file of files) {
        const path = await check.require(folder, file);
        if (file.type === 'primary' && path !== undefined) primaries.push(path);
      }
    });
    for (const primary of primaries)
      await check.reading(primary, async (bytes) => {
        for await (const file of readPrimary(bytes)) await check.packagesOf(folder, primary, [file]);
      });
  }
  return repositories.map(({ folder }) => folder);
}

/** Checks that the packages of a kind are whole, and named by an index. A file with another fault is not reported again. */
async function checkFiles(check: Check, tree: PackageTree, kind: 'apt' | 'rpm'): Promise<void> {
  const faulty = new Set(check.findings.map(({ path }) => path));
  // an index that cannot be read names nothing
  const isRead = [...faulty].every((path) => packageNames[kind].test(path));
  for (const { path } of await findBroken(tree, kind)) {
    if (!faulty.has(path)) check.report(path, 'broken');
    faulty.add(path);
  }
  if (!isRead) return;
  const named = new Set([...check.named.values()].flatMap((paths) => [...paths]));
  for (const { path, fault } of findUnlisted(tree, kind, named))
    if (!faulty.has(path)) check.report(path, fault);
}

/**
 * Checks the presence, size and hash of every file in the indexes of the package repositories in a tree. These are
 * `Release` or `InRelease` with `Packages` and `Sources`, and `repomd.xml` with `primary`. The packages of the tree
 * must be whole, and each must be named. Does not check signatures.
 *
 * @param options with `since`, only files that were written later are hashed; of the others their size must be right
 */
export async function checkPackages(
  tree: PackageTree,
  { since }: { readonly since?: number } = {},
): Promise<PackageReport> {
  const check = new Check(tree, since);
  const apt = await checkApt(check, tree);
  const rpm = await checkRpm(check, tree);
  if (apt.length > 0) await checkFiles(check, tree, 'apt');
  if (rpm.length > 0) await checkFiles(check, tree, 'rpm');
  if (check.packages === 0 && check.findings.length === 0) check.report('', 'empty');
  const toEntry = (kind: 'apt' | 'rpm') => (folder: string) => ({ folder, kind });
  return {
    repositories: [...apt.map(toEntry('apt')), ...rpm.map(toEntry('rpm'))],
    files: check.files,
    bytes: check.bytes,
    packages: check.packages,
    named: check.named,
    findings: check.findings.sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}
