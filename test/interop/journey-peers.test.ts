import assert from 'node:assert/strict';
import { cp, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import type { MediumReport } from '../../src/contract/medium.ts';
import type { Task } from '../../src/contract/task.ts';
import { signatureTag } from '../../src/oci/reference.ts';
import { buildImage, buildIndex, digestsOf } from '../kit/content/content.ts';
import { buildHelmChart } from '../kit/content/helm-chart.ts';
import { publishRecipe } from '../kit/content/origin.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { writeRetriever } from '../kit/content/retriever.ts';
import { openClientHome } from '../kit/program/client-home.ts';
import { writeCredentials } from '../kit/program/credentials-file.ts';
import {
  type PeerRegistry,
  peerAccount,
  startPeerRegistry,
  toPeerOrigin,
} from '../kit/program/peer-registry.ts';
import { needs } from '../kit/program/peers.ts';
import { listHeldAt } from '../kit/result/held-at.ts';
import { readHeldManifest } from '../kit/result/held-content.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';

test('content crosses the gap between registries of other makes', async (t) => {
  const [distribution, older, skopeo, oras] = ['registry', 'docker-registry', 'skopeo', 'oras'].map((name) =>
    needs(t, name),
  );
  if (!distribution || !older || !skopeo || !oras) return;
  await using world = await openRehearsal();
  const { signer, trust } = world;
  const home = await openClientHome(world.folder);
  await using origin = await startPeerRegistry({
    program: distribution,
    folder: world.path('origin'),
    auth: true,
  });
  await using legacy = await startPeerRegistry({ program: older, folder: world.path('legacy') });
  await using zone = await startPeerRegistry({
    program: distribution,
    folder: world.path('zone'),
    auth: true,
  });
  const web = buildIndex('web', ['linux/amd64', 'linux/arm64']);
  const chart = buildHelmChart('shop', '1.4.0');
  const tool = buildImage('tool');
  await toPeerOrigin(origin).put('shop/web', web, '1.4.0');
  await toPeerOrigin(origin).put('charts/shop', chart, '1.4.0');
  await toPeerOrigin(legacy).put('shop/tool', tool, '0.9.0');
  const shop = await publishRecipe(toPeerOrigin(origin), {
    name: 'shop',
    version: '1.4.0',
    ingredients: [
      { name: 'web', repository: 'shop/web', version: '1.4.0', digest: web.manifest.descriptor.digest },
      {
        name: 'chart',
        kind: 'HelmChart',
        repository: 'charts/shop',
        version: '1.4.0',
        digest: chart.manifest.descriptor.digest,
      },
    ],
  });
  // without a referrers API a signer of bundles writes the index of the fallback tag itself
  const bundle = signer.sign(shop.descriptor, 'bundle');
  await pushArtifactOverHttp(
    { registry: origin.url, repository: 'cookbook/shop', ...authorized(origin) },
    bundle,
  );
  await toPeerOrigin(origin).putTag('cookbook/shop', bundle.fallback!.tag, bundle.fallback!.manifest);
  const tools = await publishRecipe(toPeerOrigin(legacy), {
    name: 'tools',
    version: '0.9.0',
    ingredients: [
      { name: 'tool', repository: 'shop/tool', version: '0.9.0', digest: tool.manifest.descriptor.digest },
    ],
    signatures: [{ signer }],
  });
  const contents = [
    { from: origin, repository: 'shop/web', tag: '1.4.0', artifact: web },
    { from: origin, repository: 'charts/shop', tag: '1.4.0', artifact: chart },
    { from: legacy, repository: 'shop/tool', tag: '0.9.0', artifact: tool },
  ].map(({ from, repository, ...rest }) => ({
    ...rest,
    local: `${from.host.replace(':', '_')}/${repository}`,
  }));

  const registries = {
    insecure: [origin.host, legacy.host],
    credentialsFile: await writeCredentials(world.path('docker.json'), {
      [origin.host]: peerAccount,
      [zone.host]: peerAccount,
    }),
  };
  const medium = world.path('medium');

  await t.test('a Retriever pushed with oras drives a mirror that reads from both', async () => {
    const file = world.path('zone-b.yaml');
    await writeRetriever(
      file,
      {
        cookbook: `${origin.host}/cookbook`,
        recipes: [
          { name: 'shop', version: '^1.0' },
          { name: 'tools', version: '0.9.x', cookbook: `${legacy.host}/cookbook` },
        ],
      },
      'zone-b',
    );
    await home.run(
      oras,
      ['login', '--plain-http', origin.host, '-u', peerAccount.username, '--password-stdin'],
      {
        input: peerAccount.password,
      },
    );
    await home.run(
      oras,
      ['push', '--plain-http', `${origin.host}/zones/zone-b:current`, 'zone-b.yaml:application/yaml'],
      { cwd: world.folder },
    );
    const mirror = await world.start('mirror', {
      mode: 'mirror',
      storage: { root: medium },
      retriever: { source: `oci://${origin.host}/zones/zone-b:current` },
      registries,
      trust,
      // every layer is downloaded resumably, by ranges
      transfer: { resumeThreshold: '1KiB' },
    });
    const { result, task } = await world.sync(mirror);
    assert.equal(result.exitCode, 0, `${result.stderr}\n${JSON.stringify(task, null, 1)}`);
    const again = await world.sync(mirror);
    assert.equal(again.result.exitCode, 0, again.result.stderr);
    assert.equal(again.task.progress.bytesDone, 0);
    assert.equal(await mirror.stop(), 0);
  });

  await t.test('skopeo reads the store at rest as the OCI layout it is', async () => {
    for (const { local, tag, artifact } of contents) {
      const raw = await home.run(skopeo, ['inspect', '--raw', `oci:${medium}:${local}:${tag}`]);
      assert.equal(hashBytes(raw), artifact.manifest.descriptor.digest);
    }
    const { local, tag } = contents[0]!;
    await home.run(skopeo, [
      'copy',
      '--quiet',
      '--all',
      '--preserve-digests',
      `oci:${medium}:${local}:${tag}`,
      `oci:${world.path('read')}:web`,
    ]);
    for (const digest of digestsOf(web)) {
      const bytes = await readFile(world.path('read', 'blobs', ...digest.split(':')));
      assert.equal(hashBytes(bytes), digest);
    }
  });

  await t.test('oras reads it, and finds the signatures of its recipes', async () => {
    const resolve = (reference: string) =>
      home.run(oras, ['resolve', '--oci-layout-path', medium, reference]);
    for (const { local, tag, artifact } of contents)
      assert.equal(await resolve(`${local}:${tag}`), artifact.manifest.descriptor.digest);
    const local = (from: PeerRegistry, name: string) => `${from.host.replace(':', '_')}/cookbook/${name}`;
    const found = await home.run(oras, [
      'discover',
      '--format',
      'json',
      '--oci-layout-path',
      medium,
      `${local(origin, 'shop')}:1.4.0`,
    ]);
    const [referrer] = (JSON.parse(found) as { referrers: { digest: string }[] }).referrers;
    assert.equal(referrer?.digest, bundle.manifest.descriptor.digest);
    const signature = await resolve(`${local(legacy, 'tools')}:${signatureTag(tools.descriptor.digest)}`);
    assert.match(signature, /^sha256:/);
  });

  const carried = world.path('carried');
  const inZone = (name: string, destination: PeerRegistry): Promise<string> =>
    world.configure(name, {
      mode: 'mirror',
      zone: 'zone-b',
      storage: { root: carried },
      registries: { ...registries, insecure: [...registries.insecure, destination.host] },
      destination: { registry: destination.host },
      trust,
    });
  const importInto = async (config: string): Promise<Task> => {
    const imported = await world.svc(['media', 'import', '--config', config, '--output', 'json']);
    assert.equal(imported.exitCode, 0, `${imported.stderr}\n${imported.stdout}`);
    const { task } = JSON.parse(imported.stdout) as { task: Task };
    assert.equal(task.status, 'done');
    return task;
  };
  /** Everything is there with its digests, and so is every signature, where this registry's clients look for it. */
  const assertArrived = async (destination: PeerRegistry): Promise<void> => {
    for (const { local, artifact } of contents) {
      const at = { registry: destination.url, repository: local, ...authorized(destination) };
      assert.deepEqual(await listHeldAt(at, artifact), digestsOf(artifact).sort());
    }
    const signature = signatureTag(tools.descriptor.digest)!;
    assert.equal((await readHeldManifest(destination, 'cookbook/tools', signature)).status, 200);
    const fallback = await readHeldManifest(destination, 'cookbook/shop', bundle.fallback!.tag);
    assert.equal(fallback.document.manifests[0].digest, bundle.manifest.descriptor.digest);
  };

  await t.test('carried, it verifies and is imported into the registry of the zone, once', async () => {
    await cp(medium, carried, { recursive: true });
    const config = await inZone('in-zone', zone);
    const verified = await world.svc(['media', 'verify', '--config', config, '--output', 'json']);
    assert.equal(verified.exitCode, 0, verified.stderr);
    assert.equal((JSON.parse(verified.stdout) as MediumReport).verdict, 'pushable');
    assert.ok((await importInto(config)).progress.bytesDone > 0);
    await assertArrived(zone);
    assert.equal((await importInto(config)).progress.bytesDone, 0, 'the second import moved something');
    const login = ['login', '--tls-verify=false', '-u', peerAccount.username, '--password-stdin', zone.host];
    await home.run(skopeo, login, { input: peerAccount.password });
    const { local, tag } = contents[0]!;
    const reference = `docker://${zone.host}/${local}:${tag}`;
    const raw = await home.run(skopeo, ['inspect', '--raw', '--tls-verify=false', reference]);
    assert.equal(hashBytes(raw), web.manifest.descriptor.digest);
  });

  await t.test('the same medium is imported into a registry of an older make', async () => {
    await using other = await startPeerRegistry({ program: older, folder: world.path('other') });
    await importInto(await inZone('older-zone', other));
    await assertArrived(other);
  });
});

test('a destination that refuses sparse indexes gets every platform, or is told which are missing', async (t) => {
  const distribution = needs(t, 'registry');
  if (distribution === undefined) return;
  await using world = await openRehearsal();
  const { signer, trust } = world;
  const peer = (name: string) => startPeerRegistry({ program: distribution, folder: world.path(name) });
  await using origin = await peer('origin');
  await using online = await peer('online');
  await using offline = await peer('offline');
  const web = buildIndex('web', ['linux/amd64', 'linux/arm64', 'linux/s390x']);
  const tool = buildImage('tool');
  const published = toPeerOrigin(origin);
  await published.put('shop/web', web, '1.0.0');
  await published.put('shop/tool', tool, '1.0.0');
  const ingredient = (name: string, digest: string) => ({
    name,
    repository: `shop/${name}`,
    version: '1.0.0',
    digest,
  });
  await publishRecipe(published, {
    name: 'sparse',
    version: '1.0.0',
    ingredients: [{ ...ingredient('web', web.manifest.descriptor.digest), platforms: ['linux/amd64'] }],
    signatures: [{ signer }],
  });
  await publishRecipe(published, {
    name: 'whole',
    version: '1.0.0',
    ingredients: [ingredient('tool', tool.manifest.descriptor.digest)],
    signatures: [{ signer }],
  });
  const source = await world.retriever('zone-b', {
    cookbook: `${origin.host}/cookbook`,
    recipes: ['sparse', 'whole'].map((name) => ({ name, version: '1.0.0' })),
  });
  const common = {
    registries: { insecure: [origin.host, online.host, offline.host] },
    trust,
    retriever: { source },
  };
  const local = `${origin.host.replace(':', '_')}/shop/web`;

  await t.test('a passthrough zone fetches the other platforms from the source', async () => {
    const zone = await world.start('zone', { ...common, destination: { registry: online.host } });
    const { result, task } = await world.sync(zone);
    assert.equal(result.exitCode, 0, `${result.stderr}\n${JSON.stringify(task, null, 1)}`);
    assert.deepEqual(
      await listHeldAt({ registry: online.url, repository: local }, web),
      digestsOf(web).sort(),
    );
    const again = await world.sync(zone);
    assert.equal(again.result.exitCode, 0, again.result.stderr);
    assert.equal(again.task.progress.bytesDone, 0);
  });

  await t.test('from a medium that item alone fails, and names the missing platforms', async () => {
    const medium = world.path('medium');
    const mirror = await world.start('mirror', { ...common, mode: 'mirror', storage: { root: medium } });
    const { result } = await world.sync(mirror);
    assert.equal(result.exitCode, 0, result.stderr);
    await mirror.stop();
    const config = await world.configure('in-zone', {
      mode: 'mirror',
      zone: 'zone-b',
      storage: { root: medium },
      registries: common.registries,
      destination: { registry: offline.host },
      trust,
    });
    const imported = await world.svc(['media', 'import', '--config', config, '--output', 'json']);
    assert.equal(imported.exitCode, 1, imported.stdout + imported.stderr);
    const { task } = JSON.parse(imported.stdout) as { task: Task };
    const failed = task.items.filter(({ status }) => status === 'failed');
    assert.ok(
      failed.some(({ error }) => error?.code === 'SVC-DST-002'),
      JSON.stringify(task.items, null, 1),
    );
    const missing = JSON.stringify(failed.find(({ error }) => error?.code === 'SVC-DST-002')?.error?.params);
    assert.ok(missing.includes('linux/arm64') && missing.includes('linux/s390x'), missing);
    const whole = { registry: offline.url, repository: `${origin.host.replace(':', '_')}/shop/tool` };
    assert.deepEqual(await listHeldAt(whole, tool), digestsOf(tool).sort());
  });
});

const authorized = ({ authorization }: PeerRegistry): { authorization?: string } =>
  authorization === undefined ? {} : { authorization };
