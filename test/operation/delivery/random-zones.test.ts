import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { toRandom } from '../../fault/rig/random.ts';
import { buildImage, seededBytes, toBlob } from '../../kit/content/content.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { buildMedium } from '../../kit/scene/medium.ts';

const layerType = 'application/vnd.oci.image.layer.v1.tar+gzip';
const actions = 'bring write import import add restart copy restore forget untag'.split(' ');

/** A disk that was written, with the delivery that it is a part of. */
interface Disk {
  readonly root: string;
  readonly id: string;
  readonly part: number;
  readonly parts: number;
  readonly version: number;
}

/** What the zone must remember: the parts that arrived, and the freshest version that arrived whole. */
interface Known {
  readonly arrived: Map<string, Set<number>>;
  /** Disks whose import landed every recipe. */
  readonly whole: Set<string>;
  /** Deliveries that the zone calls complete. */
  readonly complete: Set<string>;
  freshest: number;
}

const toKey = ({ name, version }: Pick<Delivery['recipes'][number], 'name' | 'version'>): string =>
  `${name}@${version}`;

const copyOf = ({ arrived, whole, complete, freshest }: Known): Known => ({
  arrived: new Map([...arrived].map(([id, parts]) => [id, new Set(parts)])),
  whole: new Set(whole),
  complete: new Set(complete),
  freshest,
});

/** A source with three states of its store, and a zone with a registry. Both run in this process. */
async function openSites(random: () => number) {
  const folder = await openTempFolder();
  const at = (name: string): string => join(folder.path, name);
  const [signer, zone] = [createSigner(), createSigner()];
  await writeFile(at('zone.key'), zone.privateKeyPem, { mode: 0o600 });
  await writeFile(at('zone.pub'), zone.publicKeyPem);
  const registry = await createRegistryDouble();
  const trust = { roots: [{ name: 'release', key: signer.publicKeyPem }] };
  const peers = [{ name: 'zone-b', keyFile: at('zone.pub'), for: ['receipt'] }];
  const shared = toBlob(seededBytes(`shared ${random()}`, 300_000), layerType);
  const stores: AsyncDisposable[] = [];
  for (const version of [0, 1, 2]) {
    const recipes = ['shop', 'depot'].map((name) => ({
      ...{ name, version: `1.${version}.0`, layout: 'bundle' as const },
      ingredients: [
        {
          ...{
            name: 'image',
            kind: 'ContainerImage' as const,
            ref: `origin.example/${name}`,
            tag: `1.${version}.0`,
          },
          artifact: buildImage(`${name} ${version}`, { layers: [shared], ownLayers: 2, layerSize: 300_000 }),
        },
      ],
    }));
    const store = await buildMedium({ signer, recipes, resolvedAt: `2026-0${version + 1}-01T00:00:00.000Z` });
    stores.push(store);
    const settings = { storage: { root: store.root }, state: { root: at('maker') }, trust, peers };
    await writeFile(at(`source-${version}.json`), JSON.stringify({ mode: 'mirror', ...settings }));
  }
  const own = { mode: 'mirror', zone: 'zone-b', trust, signing: { keyFile: at('zone.key') } };
  const places = { storage: { root: at('carried') }, state: { root: at('zone-state') } };
  const destination = { destination: { registry: registry.host }, registries: { insecure: [registry.host] } };
  await writeFile(at('zone.json'), JSON.stringify({ ...own, ...places, ...destination }));
  return {
    at,
    registry,
    ofSource: (version: number, ...args: string[]) => [...args, '--config', at(`source-${version}.json`)],
    ofZone: (...args: string[]) => [...args, '--config', at('zone.json')],
    [Symbol.asyncDispose]: async () => {
      for (const one of [registry, ...stores, folder]) await one[Symbol.asyncDispose]();
    },
  };
}

/** Plays random actions, and compares what the zone says with its registry after each. */
async function play(random: () => number, steps: number): Promise<void> {
  const below = (count: number): number => Math.floor(random() * count);
  await using sites = await openSites(random);
  const { at, registry, ofSource, ofZone } = sites;
  const said: string[] = [];
  const run = async (args: readonly string[], ...codes: readonly number[]): Promise<any> => {
    const result = await runCommand([...args, '--output', 'json']);
    said.push(`${args.slice(0, 3).join(' ')}: ${result.exitCode}`);
    const isExpected = codes.includes(result.exitCode);
    assert.ok(isExpected, `${said.join('\n')}\n${result.stderr}\n${result.stdout.slice(0, 3000)}`);
    return { exitCode: result.exitCode, ...(result.stdout === '' ? {} : JSON.parse(result.stdout)) };
  };
  const disks: Disk[] = [];
  let known: Known = { arrived: new Map(), whole: new Set(), complete: new Set(), freshest: -1 };
  let copied: Known | undefined;
  let drive: Disk | undefined;
  let version = 0;
  /** Recipes that the registry lost; an import may bring them back. */
  const lost = new Set<string>();
  const isHeld = (name: string, of: string): boolean =>
    registry.manifest(`cookbook/${name}`, of) !== undefined;
  const hasArrived = ({ id, part }: Disk): boolean => known.arrived.get(id)?.has(part) === true;
  /** The exit code of a check: an older disk is refused, unless everything that it carries landed. */
  const toGuard = (disk: Disk): 0 | 3 => {
    const isWhole = known.whole.has(disk.root) || (known.complete.has(disk.id) && hasArrived(disk));
    return disk.version >= known.freshest || isWhole ? 0 : 3;
  };

  const write = async (base: 'latest' | 'none'): Promise<readonly Disk[]> => {
    if (disks.length > 0 && below(3) > 0) version = Math.min(2, version + 1);
    const name = `disk-${disks.length}`;
    const size = below(2) === 0 ? ['--volume-size', '800kB'] : [];
    const flags = ['--zone', 'zone-b', '--base', base, ...size];
    const { delivery, volumes } = await run(ofSource(version, 'media', 'write', at(name), ...flags), 0);
    const { id, parts } = delivery;
    const written = volumes.map(({ path: root, part }: any): Disk => ({ root, id, part, parts, version }));
    disks.push(...written);
    return written;
  };
  const importDisk = async (disk: Disk): Promise<void> => {
    // 1: content of its base is gone, and a recipe of it is held
    const codes = toGuard(disk) === 0 ? [0, 1] : [3];
    const { exitCode, task } = await run(ofZone('media', 'import', disk.root), ...codes);
    drive = disk;
    if (exitCode === 3) return;
    const isLanded = task.items.every(({ status }: { status: string }) => status === 'done');
    const left = new Set(task.items.flatMap(({ name, status }: any) => (status === 'done' ? [] : [name])));
    for (const one of task.delivery.recipes)
      assert.equal(one.state === 'landed', !left.has(toKey(one)), `${said.join('\n')}\n${toKey(one)}`);
    if (isLanded && task.delivery.complete) known.whole.add(disk.root);
    known.arrived.set(disk.id, (known.arrived.get(disk.id) ?? new Set()).add(disk.part));
    for (const one of lost) if (isHeld(...(one.split('@') as [string, string]))) lost.delete(one);
  };

  const check = async (): Promise<void> => {
    const list = await run(ofZone('media', 'status'), 0, 5);
    const deliveries: readonly Delivery[] = list.deliveries;
    const about = (): string => `${said.join('\n')}\n${JSON.stringify(deliveries, null, 1)}`;
    for (const { id, complete, recipes, parts, overtakenBy, needed } of deliveries) {
      const absent = recipes.filter(
        (one) =>
          (complete || one.state === 'landed') && !isHeld(one.name, one.version) && !lost.has(toKey(one)),
      );
      assert.deepEqual(absent, [], about());
      if (complete) known.complete.add(id);
      const isHere = recipes.every(({ name, version: of }) => isHeld(name, of));
      if (isHere && known.arrived.get(id)?.size === parts) assert.ok(complete, about());
      if (complete || overtakenBy === undefined) assert.equal(complete && needed.length > 0, false, about());
    }
    const open = deliveries.filter(({ complete, overtakenBy }) => !complete && overtakenBy === undefined);
    assert.equal(list.exitCode, open.length > 0 ? 5 : 0, about());
    /** What the zone waits for, whichever disk is asked about. */
    const awaited = new Set(
      open.flatMap(({ recipes }) => recipes.filter(({ state }) => state !== 'landed').map(toKey)),
    );
    const statusOf = async (disk: Disk): Promise<any> => {
      const status = await run(ofZone('status', '--storage-root', disk.root), 0, 5);
      const absent = status.wanted.filter(({ state }: any) => state === 'missing' || state === 'blocked');
      const unsaid = [...awaited].filter((one) => !absent.map(toKey).includes(one));
      assert.deepEqual(unsaid, [], about());
      if (awaited.size > 0) assert.equal(status.exitCode, 5, about());
      if (awaited.size > 0) assert.match(status.verdict, /^(?:missing|closed|run-failed)$/, about());
      return status;
    };
    const [whole] = deliveries
      .filter(({ id, complete }) => complete && known.arrived.has(id))
      .sort((a, b) => (a.completedAt! < b.completedAt! ? 1 : -1));
    const disk = disks.find((one) => one.id === whole?.id && hasArrived(one));
    if (disk !== undefined && disk !== drive)
      assert.equal((await statusOf(disk)).verdict, awaited.size > 0 ? 'missing' : 'complete', about());
    const arrived = disks.filter(hasArrived);
    const any = arrived[below(arrived.length)];
    if (any !== undefined) await run(ofZone('media', 'verify', '--storage-root', any.root), toGuard(any));
    if (drive === undefined) return;
    const own = deliveries.find(({ id }) => id === drive!.id);
    const status = await statusOf(drive);
    if (own?.complete && awaited.size === 0)
      assert.deepEqual([status.exitCode, status.verdict], [0, 'complete'], about());
    for (const { id, complete } of deliveries.filter((one) => one.id === drive!.id))
      assert.equal(status.delivery?.id === id && status.delivery.complete, complete, about());
  };

  const act: Readonly<Record<string, () => Promise<unknown>>> = {
    write: () => write(below(2) === 0 ? 'none' : 'latest'),
    bring: async () => {
      const written = [...(await write(below(2) === 0 ? 'none' : 'latest'))];
      for (const disk of below(2) === 0 ? written.reverse() : written) await importDisk(disk);
    },
    import: async () => {
      const disk = disks[below(disks.length)];
      if (disk !== undefined) await importDisk(disk);
    },
    add: async () => {
      const receipt = drive && join(drive.root, '_svc/receipts/zone-b.sigstore.json');
      if (receipt && existsSync(receipt)) await run(ofSource(version, 'receipt', 'add', receipt), 0, 3, 4);
    },
    // an instance verifies the medium in its drive at its start
    restart: async () => {
      if (drive === undefined) return;
      await run(ofZone('media', 'verify', '--storage-root', drive.root), toGuard(drive));
    },
    copy: async () => {
      await rm(at('copy'), { recursive: true, force: true });
      if (!existsSync(at('zone-state'))) return;
      await cp(at('zone-state'), at('copy'), { recursive: true });
      copied = copyOf(known);
    },
    restore: async () => {
      if (copied === undefined) return;
      await rm(at('zone-state'), { recursive: true });
      await cp(at('copy'), at('zone-state'), { recursive: true });
      known = copyOf(copied);
    },
    forget: async () => {
      const ids = [...known.arrived.keys()];
      const id = ids[below(ids.length)];
      if (id === undefined) return;
      await run(ofZone('media', 'forget', id), 0);
      known.arrived.delete(id);
      known.complete.delete(id);
    },
    untag: async () => {
      const [name, of] = [['shop', 'depot'][below(2)]!, `1.${below(3)}.0`];
      const found = registry.manifest(`cookbook/${name}`, of);
      if (found === undefined) return;
      registry.untag(`cookbook/${name}`, of);
      registry.remove(`cookbook/${name}`, found.digest);
      lost.add(`${name}@${of}`);
    },
  };

  /** The freshest version that arrived whole: by the mark of the zone, which a forgotten delivery leaves. */
  const advance = (): void => {
    for (const { id, parts, version: of } of disks) {
      const isWhole = known.arrived.get(id)?.size === parts;
      if (isWhole && of > known.freshest) known.freshest = of;
    }
  };
  for (let i = 0; i < steps; i += 1) {
    const name = i < 2 ? 'bring' : actions[below(actions.length)]!;
    said.push(`— ${name}`);
    await act[name]!();
    advance();
    await check();
  }
  said.push('— a whole delivery');
  for (const disk of await write('none')) {
    await importDisk(disk);
    await check();
  }
  for (const name of ['shop', 'depot']) assert.ok(isHeld(name, `1.${version}.0`), said.join('\n'));
  assert.equal((await run(ofZone('status', '--storage-root', drive!.root), 0)).verdict, 'complete');
}

for (let round = 0; round < 3; round += 1)
  test(`round ${round}: what a zone says of its deliveries is what its registry has`, () =>
    play(toRandom(`zones ${round}`), 6));
