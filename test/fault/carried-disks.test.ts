import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import type { MediumReport } from '../../src/contract/medium.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { buildImage, pushArtifact } from '../kit/content/content.ts';
import { putHoles } from '../kit/content/put-holes.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { type Instance, startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runCommand } from '../kit/program/run-command.ts';
import { describeStore, type LayoutScene, openLayoutScene } from '../kit/scene/layout-scene.ts';
import { toFaultEnvironment } from './rig/instrumented.ts';
import { mountImage, needsVolume, type SmallVolume } from './rig/small-volume.ts';

// Carried disks are FAT32 and exFAT: no links, no permissions, no inode numbers of their own, names in any case. Both
// run on the kernel's own driver where it has one, exFAT else through FUSE.

const kinds = ['vfat', 'exfat'] as const;
const mib = 1 << 20;
/** More than passes through the page cache before a kill can come. */
const large = buildImage('large', { ownLayers: 3, layerSize: 24 * mib });
const unchecked = { SVC_PREFLIGHT_DISABLED: 'true' };

/** Makes the kernel forget files that are not open: they get other inode numbers then. */
function forgetFiles(t: TestContext): boolean {
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '2');
    return true;
  } catch {
    t.skip('not run: needs the right to drop caches');
    return false;
  }
}

let shared: LayoutScene | undefined;
let uses = 0;
after(() => shared?.[Symbol.asyncDispose]());

/** A store with large content, which no test changes. Content that a test adds is removed after the test. */
async function useScene(): Promise<LayoutScene> {
  shared ??= await openLayoutScene({
    inProcess: true,
    also: (store) =>
      pushArtifact(openRepository(store, 'local/large', { owner: { provenance: 'import' } }), large, '1'),
  });
  const all = shared;
  uses += 1;
  const prefix = `use-${uses}-`;
  const toOwn = (store: string): string => (store === 'medium' ? store : `${prefix}${store}`);
  return {
    ...all,
    path: (name, ...more) => all.path(`${prefix}${name}`, ...more),
    svc: (store, ...more) => all.svc(toOwn(store), ...more),
    json: (store, ...more) => all.json(toOwn(store), ...more),
    read: (store, look) => all.read(toOwn(store), look),
    [Symbol.asyncDispose]: async () => {
      const own = (await readdir(all.folder)).filter((name) => name.startsWith(prefix));
      for (const name of own) await rm(all.path(name), { recursive: true });
    },
  };
}

async function push(instance: Instance, text: string): Promise<Response> {
  return fetch(`${instance.url}/v2/some/thing/blobs/uploads/?digest=${hashBytes(text)}`, {
    method: 'POST',
    headers: { authorization: instance.authorization, 'content-type': 'application/octet-stream' },
    body: text,
  });
}

test('a store whose files were numbered anew since it was opened is written on FAT, and elsewhere left alone', async () => {
  await using folder = await openTempFolder();
  const start = (env = {}) => startInstance({ folder: folder.path, env });
  assert.equal(await (await start()).stop(), 0);
  const store = join(folder.path, 'store');
  const ledgers = join(store, 'ledger');
  const fat = toFaultEnvironment({ roots: [], filesystems: { [store]: 0x4d44 } });
  for (const [env, status] of [
    [{}, 409],
    [fat, 201],
  ] as const) {
    await using instance = await start(env);
    for (const name of await readdir(ledgers)) {
      await copyFile(join(ledgers, name), join(folder.path, name));
      await rename(join(folder.path, name), join(ledgers, name));
    }
    assert.equal((await push(instance, 'bytes')).status, status, instance.log());
  }
});

for (const kind of kinds) {
  const mountDisk = (path: string, bytes = 512 * mib): SmallVolume => mountImage(path, kind, bytes);

  test(`${kind}: layouts are exported onto a disk that is mounted, and come back from it`, async (t) => {
    await using scene = await useScene();
    if (!needsVolume(t, kind, scene.folder)) return;
    await using disk = mountDisk(scene.path('disk'));
    const [archive, folder] = [join(disk.path, 'all.tar'), join(disk.path, 'all')];
    assert.equal((await scene.json('medium', ['export', archive])).exitCode, 0);
    assert.equal((await scene.json('medium', ['export', folder, '--directory'])).exitCode, 0);
    const first = hashBytes(readFileSync(archive));
    for (const [path, flags] of [
      [archive, []],
      [folder, ['--directory']],
    ] as const) {
      const taken = await scene.svc('medium', ['export', path, ...flags]);
      assert.match(taken.stderr, /SVC-LAY-003/);
      const again = await scene.svc('medium', ['export', path, ...flags, '--overwrite']);
      assert.equal(again.exitCode, 0, again.stderr);
    }
    assert.deepEqual((await readdir(disk.path)).sort(), ['all', 'all.tar']);
    disk.unmount();
    disk.mountAgain();
    assert.equal(hashBytes(readFileSync(archive)), first);
    const expected = await scene.read('medium', describeStore);
    for (const [n, path] of [archive, folder].entries()) {
      assert.equal((await scene.json(`copy-${n}`, ['import', path])).failed, 0);
      assert.deepEqual(await scene.read(`copy-${n}`, describeStore), expected);
    }
  });

  test(`${kind}: an export that is killed leaves nothing with its name, and the next one completes it`, async (t) => {
    await using scene = await useScene();
    if (!needsVolume(t, kind, scene.folder)) return;
    await using disk = mountDisk(scene.path('disk'));
    for (const [name, flags] of [
      ['all.tar', []],
      ['all', ['--directory']],
    ] as const) {
      const output = join(disk.path, name);
      const killer = new AbortController();
      const killed = scene.svc('medium', ['export', output, ...flags], { signal: killer.signal });
      const under = name === 'all' ? join(output, 'ingest') : disk.path;
      await eventually('the export to have begun', () => existsSync(under) && readdirSync(under).length > 0);
      killer.abort();
      const { signal } = await killed;
      if (signal === null) t.diagnostic(`${name}: the export was faster than the kill`);
      else assert.equal(existsSync(name === 'all' ? join(output, 'index.json') : output), false);
      const more = signal === null ? ['--overwrite'] : [];
      const again = await scene.svc('medium', ['export', output, ...flags, ...more]);
      assert.equal(again.exitCode, 0, again.stderr);
      assert.equal((await scene.json(`copy-${name}`, ['import', output])).failed, 0);
    }
    assert.deepEqual((await readdir(disk.path)).sort(), ['all', 'all.tar'], 'nothing is left beside them');
  });

  test(`${kind}: a disk that is too small is refused, unchecked it fills up, and nothing with the name is left`, async (t) => {
    await using scene = await useScene();
    if (!needsVolume(t, kind, scene.folder)) return;
    await using disk = mountDisk(scene.path('disk'), 66 * mib);
    const output = join(disk.path, 'all.tar');
    const refused = await scene.svc('medium', ['export', output]);
    assert.match(refused.stderr, /SVC-STO-004/);
    const full = await scene.svc('medium', ['export', output], { env: unchecked });
    assert.equal(full.exitCode, 1);
    assert.match(full.stderr, /SVC-STO-004/);
    assert.deepEqual(await readdir(disk.path), []);
  });

  test(`${kind}: a file of 4 GiB is ${kind === 'vfat' ? 'refused' : 'let through'} by the plan`, async (t) => {
    await using scene = await openLayoutScene({
      inProcess: true,
      also: (store) => putHoles(store, 'local/huge', [2 ** 32]),
    });
    if (!needsVolume(t, kind, scene.folder)) return;
    await using disk = mountDisk(scene.path('disk'), 6 * 1024 * mib);
    for (const flags of [[], ['--directory']]) {
      const plan = ['export', join(disk.path, 'huge'), '--dry-run', '--repository', 'local/huge', ...flags];
      const { exitCode, stderr } = await scene.svc('medium', plan);
      if (kind === 'vfat') assert.match(stderr, /SVC-STO-005.*\(vfat\).*its limit is 4 GiB/);
      else assert.equal(exitCode, 0, stderr);
    }
    assert.deepEqual(await readdir(disk.path), []);
  });

  test(`${kind}: a disk that may only be read takes no export, says so, and is imported from`, async (t) => {
    await using scene = await useScene();
    if (!needsVolume(t, kind, scene.folder)) return;
    await using disk = mountDisk(scene.path('disk'));
    const output = join(disk.path, 'all.tar');
    assert.equal((await scene.json('medium', ['export', output])).exitCode, 0);
    disk.remount('ro');
    for (const flags of [['--overwrite'], ['--directory']]) {
      const path = flags[0] === '--directory' ? join(disk.path, 'all') : output;
      const refused = await scene.svc('medium', ['export', path, ...flags]);
      assert.equal(refused.exitCode, 1);
      assert.match(refused.stderr, /SVC-STO-002/);
    }
    assert.equal((await scene.json('copy', ['import', output])).failed, 0);
  });

  test(`${kind}: a disk that is taken away in the middle of an export loses the export only`, async (t) => {
    await using scene = await useScene();
    if (!needsVolume(t, kind, scene.folder)) return;
    await using disk = mountDisk(scene.path('disk'));
    const output = join(disk.path, 'all.tar');
    // a process, whose open files keep the disk busy until it ends
    const running = scene.svc('medium', ['export', output], { timeout: 120_000 });
    await eventually('the export to have begun', () => readdirSync(disk.path).length > 0);
    disk.unmount();
    const { exitCode, stderr } = await running;
    assert.ok(exitCode === 0 || /SVC-STO-00[12]/.test(stderr), stderr);
    assert.deepEqual(await readdir(scene.path('disk')), [], 'nothing goes into the folder below it');
    // processes with open files let go first
    await eventually('the disk to come back', () => {
      try {
        disk.mountAgain();
        return true;
      } catch {
        return false;
      }
    });
    const again = await scene.svc('medium', ['export', output, '--overwrite']);
    assert.equal(again.exitCode, 0, again.stderr);
    assert.equal((await scene.json('copy', ['import', output])).failed, 0);
    assert.deepEqual(await readdir(disk.path), ['all.tar']);
  });

  test(`${kind}: a carried medium stays served when its files are numbered anew, whole and in parts`, async (t) => {
    await using scene = await useScene();
    if (!needsVolume(t, kind, scene.folder)) return;
    await using disk = mountDisk(scene.path('disk'));
    const root = join(disk.path, 'Medium');
    await cp(scene.medium.root, root, { recursive: true });
    disk.unmount();
    disk.mountAgain();
    const { signer, zone, records } = scene.medium;
    const config = {
      mode: 'mirror',
      zone,
      storage: { root },
      trust: { roots: [{ name: 'release', key: signer.publicKeyPem }] },
    };
    await mkdir(scene.path('away'));
    await using instance = await startInstance({ folder: scene.path('away'), config });
    await eventually('the medium to be open', async () => {
      const { body } = await instance.api('GET', '/media/verification');
      return body.serving === 'open';
    });
    if (!forgetFiles(t)) return;
    const { repository, digest } = records[0]!.ingredients[0]!;
    const headers = { authorization: instance.authorization };
    const at = `${instance.url}/v2/${repository}`;
    const manifest = await fetch(`${at}/manifests/${digest}`, { headers });
    assert.equal(manifest.status, 200, await manifest.clone().text());
    const { layers } = (await manifest.json()) as { layers: { digest: string }[] };
    const part = await fetch(`${at}/blobs/${layers[0]!.digest}`, {
      headers: { ...headers, range: 'bytes=0-3' },
    });
    assert.equal(part.status, 206);
    assert.equal((await part.arrayBuffer()).byteLength, 4);
  });

  test(`${kind}: a medium is verified by a name in any case, and stays as it is`, async (t) => {
    await using scene = await useScene();
    if (!needsVolume(t, kind, scene.folder)) return;
    await using disk = mountDisk(scene.path('disk'));
    const root = join(disk.path, 'Medium');
    await cp(scene.medium.root, root, { recursive: true });
    const before = readdirSync(disk.path, { recursive: true }).sort();
    const other = existsSync(join(disk.path, 'MEDIUM')) ? 'MEDIUM' : 'Medium';
    const { signer, zone } = scene.medium;
    const path = scene.path('away.json');
    const trust = { roots: [{ name: 'release', key: signer.publicKeyPem }] };
    const state = { root: scene.path('away') };
    writeFileSync(path, JSON.stringify({ mode: 'mirror', zone, state, trust }));
    for (const name of ['Medium', other]) {
      const args = ['media', 'verify', '--config', path, '--storage-root', join(disk.path, name)];
      const result = await runCommand([...args, '--output', 'json']);
      assert.equal(result.exitCode, 0, `${name}: ${result.stdout}${result.stderr}`);
      assert.equal((JSON.parse(result.stdout) as MediumReport).verdict, 'pushable');
    }
    assert.deepEqual(readdirSync(disk.path, { recursive: true }).sort(), before);
  });
}
