import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Task } from '../../../src/contract/task.ts';
import { buildImage } from '../../kit/content/content.ts';
import { openRequestRelay } from '../../kit/hostile/request-relay.ts';
import { startInstance } from '../../kit/instance/instance.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { runSvc } from '../../kit/program/svc.ts';
import { type PulledTags, pullTagged } from '../../kit/result/pulled-content.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { decideFor } from '../../kit/scene/delivery.ts';
import { type BuiltMedium, buildMedium, type MediumRecipe } from '../../kit/scene/medium.ts';
import { writePartOf } from '../../kit/scene/write-part-of.ts';
import { onlyRound, seed, times } from '../rig/form.ts';
import { readFaultReport, toFaultEnvironment } from '../rig/instrumented.ts';
import { toRandom } from '../rig/random.ts';

const names = ['wide', 'shop', 'depot', 'yard'] as const;
const repositories = names.flatMap((name) => [`cookbook/${name}`, `origin.example/${name}/image`]);

/** One recipe has a layer that is larger than a disk, and all have one in common. */
function toRecipes(): MediumRecipe[] {
  const shared = buildImage('shared', { ownLayers: 1, layerSize: 60_000 }).blobs.slice(-1);
  return names.map((name) => ({
    name,
    version: '1.0.0',
    layout: name === 'shop' ? 'classic' : 'bundle',
    ingredients: [
      {
        ...{ name: 'image', kind: 'ContainerImage', ref: `origin.example/${name}/image`, tag: '1.0.0' },
        artifact: buildImage(name, {
          layers: shared,
          ...(name === 'wide'
            ? { ownLayers: 1, layerSize: 5_000_000 }
            : { ownLayers: 2, layerSize: 130_000 }),
        }),
      },
    ],
  }));
}

/** A delivery on four disks, of which some have a part of one file. */
async function openDelivery(): Promise<{ readonly medium: BuiltMedium; readonly roots: readonly string[] }> {
  const medium = await buildMedium({ recipes: toRecipes() });
  await using store = await openStoreAt({ root: medium.root }, { access: 'read' });
  const delivery = await decideFor(store, { supply: { each: { bytes: 1_900_000 }, most: 9 } });
  assert.equal(delivery.parts.length, 4);
  assert.ok(delivery.parts.filter(({ segments }) => segments.length > 0).length > 1, 'no file is cut');
  const roots = delivery.parts.map((_, i) => join(medium.folder, `part-${i + 1}`));
  for (const [i, root] of roots.entries()) await writePartOf(store, delivery, root, i + 1);
  return { medium, roots };
}

interface Zone extends AsyncDisposable {
  readonly origin: string;
}
/** The registries that a delivery is imported into. */
const zones: Readonly<Record<string, (folder: string) => Promise<Zone>>> = {
  'its own registry': async (folder) => {
    const instance = await startInstance({ folder, config: { auth: { disabled: true } } });
    return { origin: instance.url, [Symbol.asyncDispose]: () => instance[Symbol.asyncDispose]() };
  },
  'a destination': async () => {
    const double = await createRegistryDouble();
    return { origin: double.origin, [Symbol.asyncDispose]: () => double[Symbol.asyncDispose]() };
  },
};

const moments = ['before', 'during', 'after'] as const;

/**
 * Imports the parts in random order. A random import is killed at a random request to the registry or write of the state.
 *
 * @param isKilled whether imports are killed
 * @returns the tags at the end, and the number of kills
 */
async function bring(
  { medium, roots }: Awaited<ReturnType<typeof openDelivery>>,
  open: (folder: string) => Promise<Zone>,
  name: string,
  isKilled: boolean,
  expected?: PulledTags,
): Promise<{ readonly tags: PulledTags; readonly kills: number; readonly said: string }> {
  const random = toRandom(`${seed} four parts ${name}`);
  const below = (count: number): number => Math.floor(random() * count);
  const folder = join(medium.folder, name.replaceAll(' ', '-'));
  await mkdir(folder, { recursive: true });
  await using zone = await open(folder);
  await using relay = await openRequestRelay(zone.origin);
  const config = join(folder, 'zone.json');
  const state = join(folder, 'zone-state');
  await writeFile(
    config,
    JSON.stringify({
      ...{ mode: 'mirror', zone: medium.zone, state: { root: state } },
      ...{ destination: { registry: relay.host }, registries: { insecure: [relay.host] } },
      trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
    }),
  );
  const pull = () => pullTagged(zone.origin, repositories, (tag) => !tag.startsWith('svc-holding-'));
  const order = roots.map((root) => [random(), root] as const).sort((a, b) => a[0] - b[0]);
  const left = order.map(([, root]) => root);
  let [kills, said] = [0, ''];
  let last: Task | undefined;
  while (left.length > 0) {
    const root = left.shift()!;
    const isStruck = isKilled && kills < 6 && random() < 0.7;
    const at = 1 + below(45);
    const when = moments[below(moments.length)]!;
    const isAtRequest = random() < 0.6;
    const report = join(folder, 'calls.json');
    const stop = new AbortController();
    if (isStruck && isAtRequest) relay.strike(at, when === 'before' ? 'before' : 'after', () => stop.abort());
    const plan = {
      roots: [root, state],
      report,
      ...(isStruck && !isAtRequest ? { kill: { at, when } } : {}),
    };
    const result = await runSvc(['media', 'import', root, '--config', config, '--output', 'json'], {
      ...(isStruck && !isAtRequest ? { env: toFaultEnvironment(plan) } : {}),
      signal: stop.signal,
    });
    relay.rest();
    const isGone =
      result.signal === 'SIGKILL' || (isStruck && !isAtRequest && readFaultReport(report).killed);
    said += `${root.slice(-1)}${isGone ? `, killed ${when} ${isAtRequest ? 'request' : 'write'} ${at}` : ''}; `;
    const tags = await pull();
    for (const [tag, digest] of tags)
      if (expected) assert.equal(digest, expected.get(tag), `${said}: ${tag}`);
    if (isGone) {
      kills += 1;
      // the disk comes back at once, or after others
      left.splice(below(left.length + 1), 0, root);
      continue;
    }
    assert.equal(result.exitCode, 0, `${said}\n${result.stdout}\n${result.stderr}`);
    last = (JSON.parse(result.stdout) as { readonly task: Task }).task;
  }
  assert.deepEqual([last?.delivery?.complete, last?.delivery?.needed], [true, []], said);
  const again = await runSvc(['media', 'import', roots[0]!, '--config', config, '--output', 'json']);
  const { task } = JSON.parse(again.stdout) as { readonly task: Task };
  const moved = task.items.reduce((sum, { transferredBytes }) => sum + transferredBytes, 0);
  assert.equal(moved, 0, `${said}: a repeated import moves bytes`);
  return { tags: await pull(), kills, said };
}

for (const [zone, open] of Object.entries(zones))
  test(`imports of four parts into ${zone} that are killed at any step lose nothing, and end as one without kills`, async (t: TestContext) => {
    const delivery = await openDelivery();
    await using _medium = delivery.medium;
    const { tags: expected } = await bring(delivery, open, `${zone} whole`, false);
    for (const name of names)
      for (const repository of [`cookbook/${name}`, `origin.example/${name}/image`])
        assert.ok(expected.has(`${repository}:1.0.0`), repository);
    let all = 0;
    const first = onlyRound ?? 1;
    for (let round = first; round < first + (onlyRound === undefined ? times(1, 60) : 1); round += 1) {
      const { tags, kills, said } = await bring(delivery, open, `${zone} ${round}`, true, expected);
      assert.deepEqual([...tags].sort(), [...expected].sort(), said);
      all += kills;
    }
    assert.ok(onlyRound !== undefined || all > 0, 'no import was killed');
    t.diagnostic(`${all} kills, lost: none`);
  });
