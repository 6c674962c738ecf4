import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanAnswer } from '../../src/contract/plan.ts';
import { buildImage, buildIndex, digestsOf } from '../kit/content/content.ts';
import { publishRecipe, toOrigin } from '../kit/content/origin.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { listHeldAt } from '../kit/result/held-at.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';

const names = ['alpha', 'beta', 'gamma'] as const;

test('a synchronization repeated asks little, moves nothing, and prunes what left the Retriever', async (t) => {
  await using world = await openRehearsal({ inProcess: true });
  const double = await world.double();
  const origin = toOrigin(double);
  const images = new Map(names.map((name) => [name, buildIndex(name, ['linux/amd64', 'linux/arm64'])]));
  const shared = buildImage('shared by alpha and beta');
  await origin.put('shop/shared', shared, '1.0');
  for (const name of names) {
    await origin.put(`shop/${name}`, images.get(name)!, '1.0');
    const ingredient = (one: string, digest: string) => ({
      name: one,
      repository: `shop/${one}`,
      version: '1.0',
      digest,
    });
    await publishRecipe(origin, {
      name,
      version: '1.0.0',
      ingredients: [
        ingredient(name, images.get(name)!.manifest.descriptor.digest),
        ...(name === 'gamma' ? [] : [ingredient('shared', shared.manifest.descriptor.digest)]),
      ],
      signatures: [{ signer: world.signer, layout: name === 'beta' ? 'bundle' : 'classic' }],
    });
  }
  const want = (recipes: readonly string[], more: readonly { name: string; version: string }[] = []) =>
    world.retriever('zone', {
      cookbook: `${origin.host}/cookbook`,
      recipes: [...recipes.map((name) => ({ name, version: name === 'gamma' ? '1.0.0' : '^1.0' })), ...more],
    });
  const mirror = await world.start('mirror', {
    mode: 'mirror',
    retriever: { source: await want(names) },
    registries: await world.registries([origin.host]),
    trust: world.trust,
  });
  const segment = origin.host.replace(':', '_');
  const at = (repository: string) => ({
    registry: mirror.url,
    repository,
    authorization: mirror.authorization,
  });
  const has = async (name: string) =>
    (await listHeldAt(at(`${segment}/shop/${name}`), images.get(name as 'alpha')!)).length;
  const preview = async () => {
    const { status, body } = await mirror.api('GET', '/sync/prune-preview');
    assert.equal(status, 200, JSON.stringify(body));
    return body as {
      items: { repository: string; tag: string; digest: string; recipe: string; sizeBytes: number }[];
      count: number;
      totalBytes: number;
    };
  };
  const sorted = (items: readonly { repository: string; tag: string }[]) =>
    items.map(({ repository, tag }) => `${repository}:${tag}`).sort();

  await t.test('the first run brings everything', async () => {
    const { result, task } = await world.sync(mirror);
    assert.equal(result.exitCode, 0, result.stderr);
    assert.equal(task.progress.bytesDone, task.progress.bytesTotal);
    assert.equal(task.counts.failed, 0);
  });

  await t.test(
    'the second moves no blob and asks only for versions and signatures, three questions a recipe at most',
    async () => {
      double.requests.length = 0;
      const { result, task } = await world.sync(mirror);
      assert.equal(result.exitCode, 0);
      assert.equal(task.progress.bytesDone, 0);
      assert.equal(double.count(/^GET .*\/blobs\//), 0);
      assert.equal(double.count(/\/shop\//), 0, 'pinned content that is held needs no question');
      const asked = double.requests.map(({ method, path }) => `${method} ${path}`);
      assert.ok(asked.length <= 3 * names.length, asked.join('\n'));
      assert.equal(double.count(/gamma.*tags\/list/), 0, 'an exact version needs no list');
    },
  );

  await t.test('a client pushes something of its own into the store', async () => {
    await pushArtifactOverHttp(at('pushed/tool'), buildImage('pushed'), 'latest');
    assert.deepEqual((await preview()).items, []);
  });

  await t.test('a recipe that leaves is previewed, and kept when the run is told not to prune', async () => {
    await want(['alpha', 'gamma']);
    const previewed = await preview();
    assert.equal(previewed.count, previewed.items.length);
    assert.deepEqual(
      sorted(previewed.items).filter((one) => !one.includes('sha256-')),
      [`${segment}/cookbook/beta:1.0.0`, `${segment}/shop/beta:1.0`],
    );
    assert.ok(previewed.items.every(({ recipe }) => recipe === 'beta@1.0.0'));
    assert.ok(previewed.totalBytes > 0);
    const { result, task } = await world.sync(mirror, '--prune=false');
    assert.equal(result.exitCode, 0, result.stderr);
    assert.equal(task.pruned?.length ?? 0, 0);
    assert.equal(await has('beta'), digestsOf(images.get('beta')!).length);
  });

  await t.test('nothing is pruned while a recipe fails', async () => {
    await want(['alpha', 'gamma'], [{ name: 'absent', version: '^9' }]);
    const { result, task } = await world.sync(mirror);
    assert.equal(result.exitCode, 1);
    assert.equal(task.pruned?.length ?? 0, 0);
    assert.equal(await has('beta'), digestsOf(images.get('beta')!).length);
    const { body } = await mirror.api('GET', `/tasks/${task.id}/logs`);
    assert.match(body.chunk as string, /nothing is pruned/);
  });

  await t.test('what is pruned is what was previewed and planned, named in the log of the run', async () => {
    await want(['alpha', 'gamma']);
    const previewed = await preview();
    const planned = await world.svc(['sync', '--dry-run', '--config', mirror.configPath, '--output', 'json']);
    assert.equal(planned.exitCode, 5, planned.stderr);
    const { plan } = JSON.parse(planned.stdout) as PlanAnswer;
    assert.deepEqual(sorted(plan.prune.items), sorted(previewed.items));
    assert.equal(plan.prune.totalBytes, previewed.totalBytes);

    const { result, task } = await world.sync(mirror);
    assert.equal(result.exitCode, 0, result.stderr);
    const { prunePreview } = JSON.parse(result.stdout);
    assert.deepEqual(prunePreview, previewed, 'the answer of the trigger names it before it goes');
    assert.equal(task.prune, true, 'a task that prunes by default says so');
    assert.match(result.stderr, /^Prune: on by default, \d+ tags? will be removed, .*--prune=false/m);
    for (const one of sorted(previewed.items)) assert.ok(result.stderr.includes(one), one);
    const byName = (one: { repository: string; tag: string }) => `${one.repository}:${one.tag}`;
    assert.deepEqual(
      [...task.pruned!].sort((a, b) => byName(a).localeCompare(byName(b))),
      previewed.items
        .map(({ sizeBytes: _, ...item }) => item)
        .sort((a, b) => byName(a).localeCompare(byName(b))),
    );
    const { body } = await mirror.api('GET', `/tasks/${task.id}/logs`);
    for (const { repository, tag, digest, recipe } of previewed.items) {
      const line = (body.chunk as string).split('\n').find((one) => one.includes(`${repository}:${tag}`));
      assert.ok(line?.includes(digest) && line.includes(recipe), `${repository}:${tag} in the log`);
    }
    assert.equal(await has('beta'), 0);
    assert.equal((await preview()).count, 0);
    const { lastSync } = (await mirror.api('GET', '/retriever')).body;
    assert.equal(lastSync.outcome, 'success');
  });

  await t.test('the terminal names what goes before the run, and what went after it', async () => {
    await want(['alpha']);
    const previewed = await preview();
    const token = await mirror.createToken('operator');
    const { exitCode, stdout, stderr } = await world.svc(['sync', '--wait', '--instance', mirror.url], {
      env: { SVC_API_TOKEN: token },
    });
    assert.equal(exitCode, 0, stderr);
    for (const { repository, tag, digest } of previewed.items) {
      assert.ok(stderr.includes(`${repository}:${tag} `), stderr);
      assert.ok(stdout.includes(`  pruned ${repository}:${tag} ${digest} of gamma@1.0.0\n`), stdout);
    }
    await want(['alpha', 'gamma']);
    assert.equal((await world.sync(mirror)).result.exitCode, 0);
  });

  await t.test('and nothing else went', async () => {
    for (const name of ['alpha', 'gamma'] as const)
      assert.equal(await has(name), digestsOf(images.get(name)!).length);
    const common = await listHeldAt(at(`${segment}/shop/shared`), shared);
    assert.equal(common.length, digestsOf(shared).length, 'alpha still owns what beta shared');
    const pushed = buildImage('pushed');
    assert.equal((await listHeldAt(at('pushed/tool'), pushed)).length, digestsOf(pushed).length);
  });

  await t.test('passthrough prunes only when it is configured, or asked for this run', async () => {
    const zone = await world.start('passthrough', {
      retriever: { source: await want(names) },
      registries: await world.registries([origin.host]),
      trust: world.trust,
    });
    assert.equal((await world.sync(zone)).result.exitCode, 0);
    await want(['alpha']);
    assert.equal((await world.sync(zone)).task.pruned?.length ?? 0, 0);
    const { task } = await world.sync(zone, '--prune');
    assert.ok(task.pruned!.some(({ repository }) => repository.endsWith('/shop/gamma')));
  });
});
