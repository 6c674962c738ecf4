import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { MediumReport } from '../../src/contract/medium.ts';
import type { PlanAnswer } from '../../src/contract/plan.ts';
import type { Task } from '../../src/contract/task.ts';
import { type Artifact, buildIndex, digestsOf, seededBytes, toBlob } from '../kit/content/content.ts';
import { buildHelmChart } from '../kit/content/helm-chart.ts';
import { putSignatures, type RecipeSpec, toOrigin, toRecipeDocument } from '../kit/content/origin.ts';
import { damageFile } from '../kit/hostile/damage-file.ts';
import { eventually } from '../kit/instance/eventually.ts';
import type { Instance } from '../kit/instance/instance.ts';
import type { SvcResult } from '../kit/program/svc.ts';
import { listHeldAt, pullBytes } from '../kit/result/held-at.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';

const json = <T>(result: SvcResult): T => {
  assert.notEqual(result.stdout, '', result.stderr);
  return JSON.parse(result.stdout) as T;
};

/** Every file below a folder with its bytes, by path. */
async function readTree(root: string): Promise<Map<string, string>> {
  const tree = new Map<string, string>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    tree.set(path.slice(root.length), entry.isFile() ? (await readFile(path)).toString('base64') : 'folder');
  }
  return tree;
}

test('signed content crosses the gap on a medium', async (t) => {
  await using world = await openRehearsal();
  const shared = toBlob(seededBytes('shared base', 300_000), 'application/vnd.oci.image.layer.v1.tar');
  const web = buildIndex('web', ['linux/amd64', 'linux/arm64', 'linux/s390x'], {
    layers: [shared],
    layerSize: 50_000,
  });
  const worker = buildIndex('worker', ['linux/amd64', 'linux/arm64'], {
    layers: [shared],
    layerSize: 50_000,
  });
  const chart = buildHelmChart('shop', '1.4.0');

  const origin = await world.start('origin');
  const published = toOrigin(origin);
  await published.put('shop/web', web, '1.4.0');
  await published.put('shop/worker', worker, '1.4.0');
  await published.put('charts/shop', chart, '1.4.0');
  const registries = await world.registries([origin.host]);
  const publisher = await world.configure('publisher', { registries });

  const digest = (artifact: Artifact): string => artifact.manifest.descriptor.digest;
  const recipes: readonly RecipeSpec[] = [
    {
      name: 'shop',
      version: '1.4.0',
      ingredients: [
        { name: 'web', repository: 'shop/web', version: '1.4.0', digest: digest(web) },
        {
          name: 'chart',
          kind: 'HelmChart',
          repository: 'charts/shop',
          version: '1.4.0',
          digest: digest(chart),
        },
      ],
    },
    {
      name: 'depot',
      version: '2.0.0',
      ingredients: [{ name: 'worker', repository: 'shop/worker', version: '1.4.0', digest: digest(worker) }],
    },
  ];

  await t.test('recipes are published once and signed in both layouts', async () => {
    for (const [i, spec] of recipes.entries()) {
      const file = world.path(`${spec.name}.yaml`);
      await writeFile(file, toRecipeDocument(origin.host, spec));
      const reference = `${origin.host}/cookbook/${spec.name}:${spec.version}`;
      const push = ['recipe', 'push', file, reference, '--config', publisher];
      const pushed = await world.svc(push);
      assert.equal(pushed.exitCode, 0, pushed.stderr);
      assert.match(pushed.stdout, /^sha256:[0-9a-f]{64}\n$/);
      const again = json<{ digest: string; unchanged: boolean }>(
        await world.svc([...push, '--output', 'json']),
      );
      assert.equal(again.unchanged, true);
      assert.equal(`${again.digest}\n`, pushed.stdout);
      const at = {
        registry: origin.url,
        repository: `cookbook/${spec.name}`,
        authorization: origin.authorization,
      };
      const bytes = (await pullBytes(at, 'manifests', spec.version))!;
      await putSignatures(
        published,
        at.repository,
        {
          mediaType: 'application/vnd.oci.image.manifest.v1+json',
          digest: pushed.stdout.trim() as `sha256:${string}`,
          size: bytes.length,
        },
        [{ signer: world.signer, layout: i === 0 ? 'classic' : 'bundle' }],
      );
    }
  });

  const retriever = await world.retriever('zone-b', {
    cookbook: `${origin.host}/cookbook`,
    recipes: [
      { name: 'shop', version: '^1.4' },
      { name: 'depot', version: '2.0.0' },
    ],
  });
  const medium = world.path('medium');
  const mirror = await world.start('mirror', {
    mode: 'mirror',
    storage: { root: medium },
    retriever: { source: retriever },
    registries,
    trust: world.trust,
  });
  const older = world.path('older');

  await t.test('a mirror plans, synchronizes, and then finds nothing to do', async () => {
    const plan = ['sync', '--dry-run', '--config', mirror.configPath, '--output', 'json'];
    // the instance beside it writes its rest once
    await eventually('the rest of the instance', () => existsSync(join(medium, 'index.json')));
    const before = await readTree(medium);
    const planned = await world.svc(plan);
    assert.equal(planned.exitCode, 5, planned.stderr);
    assert.equal(json<PlanAnswer>(planned).plan.totals.new, 3);
    assert.deepEqual(await readTree(medium), before, 'a plan writes nothing');

    const { result, task } = await world.sync(mirror);
    assert.equal(result.exitCode, 0, result.stderr);
    assert.equal(task.status, 'done');
    assert.equal(task.progress.bytesDone, task.progress.bytesTotal);

    const settled = await world.svc(plan);
    assert.equal(settled.exitCode, 0, settled.stdout);
    assert.equal(json<PlanAnswer>(settled).plan.outcome, 'up-to-date');

    await cp(medium, older, { recursive: true });
    const second = await world.sync(mirror);
    assert.equal(second.result.exitCode, 0);
    assert.equal(second.task.progress.bytesDone, 0);
    assert.equal(await mirror.stop(), 0);
  });

  // carried
  const carried = world.path('carried');
  await cp(medium, carried, { recursive: true });
  const registry = await world.start('zone-registry');
  const zoneRegistries = await world.registries([registry.host]);
  const inZone = (
    name: string,
    root: string,
    destination: Instance,
    { zone = 'zone-b', state = name }: { zone?: string; state?: string } = {},
  ): Promise<string> =>
    world.configure(name, {
      mode: 'mirror',
      zone,
      storage: { root },
      state: { root: world.path(`state-${state}`) },
      registries:
        destination === registry ? zoneRegistries : { ...zoneRegistries, insecure: [destination.host] },
      destination: { registry: destination.host },
      trust: world.trust,
    });
  const zone = await inZone('in-zone', carried, registry);
  const relocated = (at: Instance, repository: string) => ({
    registry: at.url,
    repository: `${origin.host.replace(':', '_')}/${repository}`,
    authorization: at.authorization,
  });

  await t.test('the carried medium verifies, and stays byte-identical', async () => {
    const before = await readTree(carried);
    const verified = await world.svc(['media', 'verify', '--config', zone, '--output', 'json']);
    assert.equal(verified.exitCode, 0, verified.stderr + verified.stdout);
    const report = json<MediumReport>(verified);
    assert.equal(report.verdict, 'pushable');
    assert.deepEqual(report.recipes.map(({ name, pushable }) => [name, pushable]).sort(), [
      ['depot', true],
      ['shop', true],
    ]);
    assert.ok(
      report.recipes.every(({ keyFingerprint }) => keyFingerprint?.includes(world.signer.fingerprint)),
    );
    assert.deepEqual(report.findings, []);
    assert.deepEqual(await readTree(carried), before);
  });

  await t.test('the import pushes it, and every digest comes back as it was', async () => {
    const imported = await world.svc(['media', 'import', '--config', zone, '--output', 'json']);
    assert.equal(imported.exitCode, 0, imported.stderr + imported.stdout);
    const { task } = json<{ task: Task }>(imported);
    assert.equal(task.status, 'done');
    assert.equal(task.type, 'media-import');
    assert.notEqual(task.sourceRunId, undefined);
    for (const [repository, artifact, version] of [
      ['shop/web', web, '1.4.0'],
      ['shop/worker', worker, '1.4.0'],
      ['charts/shop', chart, '1.4.0'],
    ] as const) {
      const at = relocated(registry, repository);
      assert.deepEqual(await listHeldAt(at, artifact), digestsOf(artifact).sort(), repository);
      assert.deepEqual(await pullBytes(at, 'manifests', version), artifact.manifest.bytes);
    }
    for (const { name, version } of recipes) {
      const from = {
        registry: origin.url,
        repository: `cookbook/${name}`,
        authorization: origin.authorization,
      };
      const to = {
        registry: registry.url,
        repository: `cookbook/${name}`,
        authorization: registry.authorization,
      };
      const manifest = await pullBytes(to, 'manifests', version);
      assert.deepEqual(manifest, await pullBytes(from, 'manifests', version));
    }
  });

  await t.test('a second import moves nothing', async () => {
    const again = await world.svc(['media', 'import', '--config', zone, '--output', 'json']);
    assert.equal(again.exitCode, 0, again.stderr);
    assert.equal(json<{ task: Task }>(again).task.progress.bytesDone, 0);
  });

  await t.test('an older medium is refused, and a waiver is audited', async () => {
    const stale = await inZone('stale', older, registry, { state: 'in-zone' });
    for (const command of ['verify', 'import']) {
      const refused = await world.svc(['media', command, '--config', stale, '--output', 'json']);
      assert.equal(refused.exitCode, 3, refused.stdout + refused.stderr);
      assert.match(refused.stdout + refused.stderr, /SVC-MED-007/);
    }
    const waived = await world.svc([
      'media',
      'import',
      '--config',
      stale,
      '--allow-stale',
      '--output',
      'json',
    ]);
    assert.equal(waived.exitCode, 0, waived.stderr);
    assert.match(
      waived.stderr,
      /"action":"media\.waiver"[^\n]*"actor":"local:\d+"|"actor":"local:\d+"[^\n]*"action":"media\.waiver"/,
    );
    const after = await world.svc(['media', 'verify', '--config', stale, '--output', 'json']);
    assert.equal(after.exitCode, 0, after.stderr);
    const { freshness } = json<MediumReport>(after);
    assert.ok(freshness?.importedAt, 'it was imported');
    assert.equal(freshness.stale, true, 'a waived import does not move the high-water mark back');
  });

  await t.test('a medium for another zone is refused, and a waiver previews the import', async () => {
    const other = await inZone('other-zone', carried, registry, { zone: 'zone-c' });
    const refused = await world.svc(['media', 'verify', '--config', other, '--output', 'json']);
    assert.equal(refused.exitCode, 3);
    const report = json<MediumReport>(refused);
    assert.deepEqual(
      report.blocks.map(({ code, waivable, waived }) => [code, waivable, waived]),
      [['SVC-MED-006', true, false]],
    );
    assert.deepEqual(report.zone, { expected: 'zone-c', found: 'zone-b', match: false });
    const waived = await world.svc([
      'media',
      'verify',
      '--config',
      other,
      '--allow-zone-mismatch',
      '--output',
      'json',
    ]);
    assert.equal(waived.exitCode, 0, waived.stderr);
    assert.equal(json<MediumReport>(waived).blocks[0]!.waived, true);
    assert.match(waived.stderr, /media\.waiver/);
    const imported = await world.svc(['media', 'import', '--config', other, '--output', 'json']);
    assert.equal(imported.exitCode, 3);
    assert.equal(json<{ task: Task }>(imported).task.principalCode, 'SVC-MED-006');
  });

  await t.test(
    'one damaged byte blocks its recipe whole, names the file, and spares the neighbour',
    async () => {
      const damaged = world.path('damaged');
      await cp(carried, damaged, { recursive: true });
      const victim = worker.children[0]!.artifact.blobs.at(-1)!.descriptor.digest;
      const path = join('blobs', ...victim.split(':'));
      await damageFile(join(damaged, path), 4096);
      const fresh = await world.start('fresh-registry');
      const config = await inZone('damaged-zone', damaged, fresh);
      const rights = JSON.stringify({
        auths: { [fresh.host]: { auth: fresh.authorization.slice('Basic '.length) } },
      });
      await writeFile(zoneRegistries.credentialsFile as string, rights, { mode: 0o600 });

      const verified = await world.svc(['media', 'verify', '--config', config, '--output', 'json']);
      assert.equal(verified.exitCode, 4, verified.stderr);
      const report = json<MediumReport>(verified);
      assert.equal(report.verdict, 'partial');
      const verdicts = new Map(report.recipes.map((recipe) => [recipe.name, recipe]));
      assert.equal(verdicts.get('shop')!.pushable, true);
      assert.equal(verdicts.get('depot')!.pushable, false);
      assert.equal(verdicts.get('depot')!.reason!.code, 'SVC-MED-012');
      assert.equal(verdicts.get('depot')!.reason!.path, path);

      for (const flags of [[], ['--allow-stale', '--allow-zone-mismatch']]) {
        const imported = await world.svc([
          'media',
          'import',
          '--config',
          config,
          '--output',
          'json',
          ...flags,
        ]);
        assert.equal(imported.exitCode, 4, 'nothing waives an integrity verdict');
        const { task } = json<{ task: Task }>(imported);
        assert.equal(task.status, 'failed');
        assert.equal(task.principalCode, 'SVC-MED-012');
      }
      assert.deepEqual(await listHeldAt(relocated(fresh, 'shop/web'), web), digestsOf(web).sort());
      assert.deepEqual(await listHeldAt(relocated(fresh, 'shop/worker'), worker), []);
      const cookbook = {
        registry: fresh.url,
        repository: 'cookbook/depot',
        authorization: fresh.authorization,
      };
      assert.equal(await pullBytes(cookbook, 'manifests', '2.0.0'), undefined);
    },
  );
});
