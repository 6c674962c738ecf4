import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { checkPackages } from '../../src/fileset/package-check/check-packages.ts';
import { listSignatures } from '../../src/fileset/package-check/list-signatures.ts';
import type { PackageFinding, PackageReport, PackageTree } from '../../src/fileset/package-check/model.ts';
import { openPackageTree } from '../../src/fileset/package-check/open-package-tree.ts';
import { findProgram } from '../../src/program/find-program.ts';
import { svcError } from '../../src/text/error.ts';
import type { Tools } from './index-tools.ts';
import { isSignedBy } from './sign-index.ts';

/** Faults that an error names; each of them is printed. */
const mostNamed = 20;

/** The part of a check that a report prints. */
export type TreeCheck = Omit<PackageReport, 'findings' | 'named'>;

/** Opens a folder to check its package repositories. @param tools its `folder` is a real path */
export function openTree({ folder, env }: Tools): Promise<PackageTree> {
  const xz = findProgram('xz', env);
  return openPackageTree(folder, (path) => (xz === undefined ? undefined : unpackXz(xz, path, env)));
}

/**
 * Judges the package repositories of a folder, and their signatures where a key is named.
 *
 * @param key fingerprint of the key that must have signed every repository
 * @throws SVC-FIL-009
 */
export async function judgeTree(
  tools: Tools,
  tree: PackageTree,
  key: string | undefined,
): Promise<PackageReport> {
  const { folder } = tools;
  const report = await checkPackages(tree);
  const findings = [...report.findings];
  if (key !== undefined)
    for (const { paths, signature } of listSignatures(tree.paths)) {
      const at = signature ?? paths[0]!;
      if (signature === undefined) findings.push({ path: at, fault: 'unsigned' });
      else if (
        !(await isSignedBy(
          tools,
          key,
          paths.map((path) => join(folder, path)),
        ))
      )
        findings.push({ path: at, fault: 'signer' });
    }
  return { ...report, findings };
}

/**
 * Checks the package repositories of a folder, and their signatures where a key is named.
 *
 * @param key fingerprint of the key that must have signed every repository
 * @throws SVC-FIL-008 when a fault was found, after `onFault` got each; SVC-FIL-009
 */
export async function checkTree(
  tools: Tools,
  tree: PackageTree,
  key: string | undefined,
  onFault: (finding: PackageFinding) => void,
): Promise<TreeCheck> {
  const { findings, named: _, ...report } = await judgeTree(tools, tree, key);
  requireSound(tools, findings, onFault);
  return report;
}

/** @throws SVC-FIL-008 when there is a fault, after `onFault` got each */
export function requireSound(
  { folder }: Pick<Tools, 'folder'>,
  findings: readonly PackageFinding[],
  onFault: (finding: PackageFinding) => void,
): void {
  if (findings.length === 0) return;
  for (const finding of findings) onFault(finding);
  const faults = findings
    .slice(0, mostNamed)
    .map(({ path, fault }) => (path === '' ? fault : `${path} (${fault})`));
  throw svcError('SVC-FIL-008', { path: folder, count: findings.length, faults });
}

/** The decompressed bytes of a file; the end of a stream that the program could not read is an error. */
async function* unpackXz(program: string, path: string, env: Tools['env']): AsyncGenerator<Buffer> {
  const child = spawn(program, ['--decompress', '--stdout', '--', path], {
    env: env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  ended.catch(() => undefined);
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer;
    if ((await ended) !== 0) throw Object.assign(new Error('xz failed'), { code: 'ERR_XZ' });
  } finally {
    child.kill();
  }
}
