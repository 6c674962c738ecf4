import { spawnSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { names } from './archives.ts';
import { blobOf, folder, type Mutation } from './mutation.ts';
import { toFolder } from './tar-members.ts';
import { layer, second } from './victim.ts';

export function* mutateFolders(): Generator<Mutation> {
  for (const [name, path] of names) {
    // paths that no file system can name, or that would leave the folder here already
    if (path.includes('..') || path.startsWith('/') || path.includes('//') || path.includes('/./')) continue;
    yield folder(name, 'SVC-LAY-002', (root) => toFolder(new Map([[path, Buffer.from('planted')]]), root));
  }
  const link = (path: string, target: string) => async (root: string) => {
    const { rm } = await import('node:fs/promises');
    await rm(join(root, path), { recursive: true, force: true });
    await symlink(target, join(root, path));
  };
  yield folder('a blob that is a link', 'SVC-LAY-002', link(blobOf(layer!), '/etc/passwd'));
  yield folder('a blob that is a link to a blob', 'SVC-LAY-002', link(blobOf(layer!), blobOf(second!)));
  yield folder('a folder of blobs that is a link', 'SVC-LAY-002', link('blobs/sha256', '/etc'));
  yield folder('the blobs that are a link', 'SVC-LAY-002', link('blobs', '/'));
  yield folder('an index that is a link', 'SVC-LAY-002', link('index.json', '/etc/passwd'));
  yield folder('a marker that is a link', 'SVC-LAY-002', link('oci-layout', '/dev/zero'));
  yield folder('a link that leads nowhere', 'SVC-LAY-002', link('elsewhere', '/nowhere'));
  yield folder('a pipe for a blob', 'SVC-LAY-002', async (root) => {
    const { rm } = await import('node:fs/promises');
    await rm(join(root, blobOf(layer!)));
    const made = spawnSync('mkfifo', [join(root, blobOf(layer!))]);
    if (made.status !== 0) throw new Error(String(made.stderr));
  });
  yield folder('a folder for a blob', 'SVC-LAY-002', async (root) => {
    await mkdir(join(root, 'blobs', 'sha256', 'c'.repeat(64)));
  });
  yield folder('an empty folder of somebody else', 'SVC-LAY-002', async (root) => {
    await mkdir(join(root, '.git'));
  });
  yield {
    name: 'folder: nothing in it',
    code: 'SVC-LAY-002',
    whole: true,
    make: async (path) => void (await mkdir(path)),
  };
  yield { name: 'nothing there', code: 'SVC-LAY-001', whole: true, make: async () => {} };
  yield {
    name: 'a pipe',
    code: 'SVC-LAY-001',
    whole: true,
    make: async (path) => void spawnSync('mkfifo', [path]),
  };
  yield {
    name: 'a link that leads nowhere',
    code: 'SVC-LAY-001',
    whole: true,
    make: async (path) => symlink('/nowhere/at/all', path),
  };
  yield {
    name: 'a device',
    code: 'SVC-FIL-003',
    whole: true,
    make: async (path) => symlink('/dev/zero', path),
  };
}
