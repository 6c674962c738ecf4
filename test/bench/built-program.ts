import { spawnSync } from 'node:child_process';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Builds the program and copies it aside, so that the measured program stays the same while the sources go on changing.
 *
 * @returns the path of the launcher
 */
export async function buildProgram(root: string, folder: string): Promise<string> {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', 'build.ts')], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the build failed:\n${stderr}`);
  const built = join(folder, 'built');
  await mkdir(built);
  await cp(join(root, 'dist'), join(built, 'dist'), { recursive: true });
  await symlink(join(root, 'node_modules'), join(built, 'node_modules'));
  return join(built, 'dist', 'svc');
}
