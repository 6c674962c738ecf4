import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Digest } from '../../../src/base/digest.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { recordSync } from '../../../src/store/record-sync.ts';
import { buildImage, buildIndex, pushArtifact } from '../../kit/content/content.ts';
import { putSignatures, toOrigin } from '../../kit/content/origin.ts';
import { toRecipeRecord } from '../../kit/content/recipe-record.ts';
import { damageFile } from '../../kit/hostile/damage-file.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { adminPassword } from '../../kit/instance/instance.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { startTestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { openTempStore } from '../../kit/instance/temp-store.ts';
import { openNames } from '../../kit/program/open-names.ts';
import { needs } from '../../kit/program/peers.ts';
import { mediumReport, scriptMedia } from '../../kit/scene/media-state.ts';
import { openRehearsal } from '../../kit/scene/rehearsal.ts';
import { followPage, parseBlocks, takeFreePort } from '../../kit/web/follow-page.ts';

const root = join(import.meta.dirname, '..', '..', '..');

test('the page about FileSets does what it says', async (t) => {
  if (needs(t, 'curl') === undefined) return;
  await using folder = await openTempFolder();
  const address = `127.0.0.1:${await takeFreePort()}`;
  const read: string[] = [];
  const run = await followPage('docs/filesets.md', {
    folder: folder.path,
    env: { SVC_SERVER_ADDR: address },
    after: async (command, stdout) => {
      if (command.startsWith('curl')) read.push(stdout);
    },
    onServing: async (url) => {
      assert.equal(url, `http://${address}`);
    },
  });
  assert.ok(run.length >= 10, run.join('\n'));
  const [file, list, found] = read;
  assert.equal(file, 'Read me first.\n');
  const { name, version, anonymous } = JSON.parse(list!).filesets[0];
  assert.deepEqual([name, version, anonymous], ['manuals', '1.0', true]);
  assert.deepEqual(
    JSON.parse(found!).entries.map(({ path }: { readonly path: string }) => path),
    ['start.txt', 'en/start.txt'],
  );
  assert.equal(await readFile(join(folder.path, 'start.txt'), 'utf8'), 'Read me first.\n');
  const { fileset } = JSON.parse(await readFile(join(folder.path, 'packed.json'), 'utf8'));
  assert.equal(await readFile(join(folder.path, 'digest'), 'utf8'), `${fileset.digest}\n`);
});

test('what the README says to type does what it says', async () => {
  await using world = await openRehearsal();
  const served: string[] = [];
  const run = await followPage('README.md', {
    folder: world.folder,
    env: { SVC_SERVER_ADDR: '127.0.0.1:0' },
    onServing: async (url) => {
      served.push((await fetch(`${url}/readyz`)).statusText);
    },
  });
  assert.deepEqual(served, ['OK']);
  assert.ok(run.length >= 4, run.join('\n'));
});

test('the first delivery can be made by hand as it is written, and its medium exported', async (t) => {
  for (const program of ['curl', 'jq', 'skopeo']) if (needs(t, program) === undefined) return;
  await using world = await openRehearsal();
  const origin = await world.start('origin');
  const zone = await world.start('zone');
  await using names = await openNames({ 'registry.example': origin, 'registry.zone-b.example': zone });
  const published = toOrigin(origin);
  const web = buildIndex('web', ['linux/amd64', 'linux/arm64', 'linux/s390x']);
  await published.put('shop/web', web, '1.4.0');
  await writeFile(world.path('release.pub'), world.signer.publicKeyPem);
  const auth = Buffer.from(`admin:${adminPassword}`).toString('base64');
  const auths = { 'registry.example': { auth }, 'registry.zone-b.example': { auth } };
  await writeFile(world.path('docker.json'), JSON.stringify({ auths }), { mode: 0o600 });

  const run = await followPage('docs/first-delivery.md', {
    section: 'The same by hand',
    folder: world.folder,
    env: {
      SVC_SERVER_ADDR: `127.0.0.1:${await takeFreePort()}`,
      SVC_NETWORK_PROXY_URL: names.url,
      SVC_REGISTRIES_INSECURE: 'registry.example,registry.zone-b.example',
    },
    fit: (text) =>
      text
        .replaceAll('/srv/delivery/', `${world.folder}/`)
        .replaceAll('sha256:…', web.manifest.descriptor.digest),
    endsServing: /^cp -r medium/,
    after: async (command, stdout) => {
      if (!command.startsWith('svc recipe push')) return;
      const digest = stdout.trim() as Digest;
      const bytes = Buffer.from(
        await (
          await fetch(`${origin.url}/v2/cookbook/shop/manifests/${digest}`, {
            headers: { authorization: origin.authorization },
          })
        ).arrayBuffer(),
      );
      const mediaType = 'application/vnd.oci.image.manifest.v1+json';
      await putSignatures(published, 'cookbook/shop', { mediaType, digest, size: bytes.length }, [
        { signer: world.signer },
      ]);
    },
  });
  assert.ok(run.some((line) => line.startsWith('svc media import')));
  const arrived = await fetch(`${zone.url}/v2/registry.example/shop/web/manifests/1.4.0`, {
    headers: { authorization: zone.authorization },
  });
  assert.equal(arrived.headers.get('docker-content-digest'), web.manifest.descriptor.digest);

  const exchanged = await followPage('docs/layouts.md', { folder: world.folder, env: {} });
  assert.ok(exchanged.length > 8);
  const copy = { root: world.path('copy'), stateRoot: world.path('copy-state') };
  await using store = await openStoreAt(copy, { access: 'read' });
  const tags = store.index.tags('docker.io/shop/web').map(({ tag }) => tag);
  assert.deepEqual(tags, ['1.4.0']);
});

test('content is found, mapped and deleted as the documentation says', async (t) => {
  if (needs(t, 'curl') === undefined || needs(t, 'jq') === undefined) return;
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  const { store } = server;
  const imported = openRepository(store, 'docker.io/library/nginx', { owner: { provenance: 'import' } });
  await pushArtifact(imported, buildIndex('nginx'), '1.27');
  const refs = [
    ['docker.io/library/nginx', '1.27'] as const,
    ['registry.example:5000/shop/web', '1'] as const,
  ];
  const sync = { zone: 'zone', runId: 'run', resolvedAt: '2026-01-01T00:00:00.000Z' };
  await recordSync(store, sync, [toRecipeRecord('shop', '1.0.0', refs)]);
  const said = new Map<string, string>();
  const run = await followPage('docs/content.md', {
    folder: folder.path,
    env: { INSTANCE: server.url, TOKEN: server.as.admin.replace('Bearer ', '') },
    after: async (command, stdout) => void said.set(command, stdout),
  });
  assert.equal(JSON.parse(said.get(run[0]!)!).total, 1);
  assert.equal(store.index.hasRepository('docker.io/library/nginx'), false);
  const hosts = join(folder.path, 'hosts', 'registry.example_5000_', 'hosts.toml');
  assert.match(await readFile(hosts, 'utf8'), /override_path = true/);
  assert.match(await readFile(join(folder.path, 'registries.yaml'), 'utf8'), /"\^\(\.\*\)\$"/);
});

test('what the page about the store says finds, takes out and mends what is damaged', async () => {
  await using temp = await openTempStore();
  const image = buildImage('page', { layerSize: 4000 });
  const { digest } = image.blobs.at(-1)!.descriptor;
  const fill = (): Promise<void> =>
    pushArtifact(openRepository(temp.store, 'app', { owner: { provenance: 'import' } }), image, '1.0');
  await fill();
  await temp.close();
  await damageFile(join(temp.root, 'blobs', ...digest.split(':')), 1);
  const run = await followPage('docs/store.md', {
    folder: temp.folder,
    env: {},
    after: async (command, stdout) => {
      if (command.includes('--repair')) assert.match(stdout, /^repaired/m);
      if (!command.includes('--quarantine')) return;
      await temp.reopen();
      await fill();
      await temp.close();
      const ledger = join(temp.root, temp.store.ledgers.content);
      const batches = [...(await readFile(ledger, 'latin1')).matchAll(/^\{"batch":/gm)];
      await damageFile(ledger, batches[1]!.index + 300);
    },
  });
  assert.equal(run.length, 4);
});

test('one image crosses the gap in five commands a side, as the first page says', async (t) => {
  const cosign = needs(t, 'cosign');
  if (cosign === undefined) return;
  await using world = await openRehearsal();
  const hosts = {
    'registry.zone-b.example': await world.start('zone'),
    'registry.example': await world.start('origin'),
  };
  const [zone, origin] = Object.values(hosts);
  const hostOf = (instance: { url: string }): string => new URL(instance.url).host;
  const web = buildIndex('web', ['linux/amd64', 'linux/arm64']);
  await toOrigin(origin!).put('shop/web', web, '1.4.0');
  const auth = Buffer.from(`admin:${adminPassword}`).toString('base64');
  const logins = JSON.stringify({ auths: { [hostOf(origin!)]: { auth }, [hostOf(zone!)]: { auth } } });
  for (const name of ['docker.json', 'config.json'])
    await writeFile(world.path(name), logins, { mode: 0o600 });
  await writeFile(world.path('password-file'), 'a good password\n');
  const run = await followPage('docs/first-delivery.md', {
    section: 'The short way',
    folder: world.folder,
    env: {
      SVC_SERVER_ADDR: `127.0.0.1:${await takeFreePort()}`,
      SVC_REGISTRIES_INSECURE: Object.values(hosts).map(hostOf).join(','),
      DOCKER_CONFIG: world.folder,
      HOME: world.folder,
      COSIGN_PASSWORD: '',
    },
    fit: (text) =>
      Object.entries(hosts)
        .reduce((fitted, [name, instance]) => fitted.replaceAll(name, hostOf(instance)), text)
        .replaceAll('sha256:…', web.manifest.descriptor.digest)
        .replace(/^cosign sign /, `${cosign} sign --allow-http-registry --yes `)
        .replace(/^cosign /, `${cosign} `),
    endsServing: /^cp -r storage/,
  });
  const gap = run.findIndex((line) => line.startsWith('cp '));
  const [source, carried] = [run.slice(0, gap), run.slice(gap + 1)];
  assert.ok(source.length <= 5 && carried.length <= 5, run.join('\n'));
  for (const line of run) assert.match(line, /^(svc|cosign|cp) /, 'no other tool');
  const yaml = (await readdir(world.folder)).filter((name) => name.endsWith('.yaml'));
  assert.deepEqual(yaml.sort(), ['retriever.yaml', 'shop.yaml', 'svc.yaml', 'zone.yaml']);
  const name = hostOf(origin!).replace(':', '_');
  const arrived = await fetch(`${zone!.url}/v2/${name}/shop/web/manifests/1.4.0`, {
    headers: { authorization: zone!.authorization },
  });
  assert.equal(arrived.headers.get('docker-content-digest'), web.manifest.descriptor.digest);
});

test('an artifact is imported as the documentation says', async (t) => {
  if (needs(t, 'curl') === undefined || needs(t, 'jq') === undefined) return;
  await using world = await openRehearsal();
  const origin = await world.start('origin');
  await using names = await openNames({ 'registry.example': origin });
  const web = buildIndex('web', ['linux/amd64', 'linux/arm64']);
  await toOrigin(origin).put('shop/web', web, '1.4.0');
  const auth = Buffer.from(`admin:${adminPassword}`).toString('base64');
  const auths = { 'registry.example': { auth } };
  await writeFile(world.path('docker.json'), JSON.stringify({ auths }), { mode: 0o600 });
  const port = await takeFreePort();
  const url = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Basic ${Buffer.from('admin:a good password').toString('base64')}` };
  await followPage('docs/importing.md', {
    folder: world.folder,
    env: {
      SVC_SERVER_ADDR: `127.0.0.1:${port}`,
      SVC_NETWORK_PROXY_URL: names.url,
      SVC_REGISTRIES_INSECURE: 'registry.example',
    },
    onServing: async (at) => assert.equal(at, url),
    after: async (command) => {
      if (!command.includes('task.json')) return;
      const { task } = JSON.parse(await readFile(world.path('task.json'), 'utf8'));
      const end = await eventually('the end of the import', async () => {
        const answer = await fetch(`${url}/api/v1/tasks/${task.id}`, { headers });
        const { status } = ((await answer.json()) as { task: { status: string } }).task;
        return ['done', 'failed'].includes(status) && status;
      });
      assert.equal(end, 'done');
      const arrived = await fetch(`${url}/v2/registry.example/shop/web/manifests/1.4.0`, { headers });
      assert.equal(arrived.headers.get('docker-content-digest'), web.manifest.descriptor.digest);
    },
  });
});

test('an instance is set up, run, backed up and restored as the guide for administrators says', async (t) => {
  for (const program of ['curl', 'jq', 'tar']) if (needs(t, program) === undefined) return;
  await using folder = await openTempFolder();
  const path = (name: string): string => join(folder.path, name);
  for (const name of ['srv/svc', 'var/lib', 'etc/svc']) await mkdir(path(name), { recursive: true });
  await writeFile(path('password-file'), 'a good password\n');
  await writeFile(path('password-of-ines'), 'another password\n');
  const said = new Map<string, string>();
  const ready: string[] = [];
  const headers = { authorization: `Basic ${Buffer.from('ines:another password').toString('base64')}` };
  await followPage('docs/administering.md', {
    folder: folder.path,
    env: { SVC_SERVER_ADDR: `127.0.0.1:${await takeFreePort()}` },
    fit: (text) =>
      text
        .replaceAll(/(?<= )\/(?=etc|srv|var)/g, `${folder.path}/`)
        .replaceAll('--directory /', `--directory ${folder.path}`),
    endsServing: /^tar --create/,
    onServing: async (url) => {
      ready.push(url);
    },
    after: async (command, stdout) => {
      said.set(command, stdout);
      // the machine is lost; the backup is not
      if (command.startsWith('tar --create'))
        for (const name of ['srv', 'var', 'etc']) await rm(path(name), { recursive: true });
      if (!command.startsWith('curl') || !command.includes('/readyz') || ready.length < 2) return;
      const whoami = await fetch(`${ready.at(-1)}/api/v1/whoami`, { headers });
      assert.equal(((await whoami.json()) as { role: string }).role, 'operator');
    },
  });
  assert.equal(ready.length, 2);
  const answerTo = (part: string): string =>
    said.get([...said.keys()].find((command) => command.includes(part)) ?? '') ?? '';
  assert.equal(JSON.parse(answerTo('/whoami')).role, 'operator');
  assert.match(answerTo('svc user list'), /^ines +operator/m);
  assert.match(answerTo('svc token list'), /^pipeline +operator/m);
  assert.equal(JSON.parse(answerTo('.occupancy')).bytes, 0);
  assert.match(answerTo('store check'), /clean/);
  assert.match(answerTo('svc version'), /\d+\.\d+\.\d+/);
});

test('paper and file of a report are matched, and evidence is gathered, as the page on the interface says', async (t) => {
  for (const program of ['curl', 'jq', 'sha256sum']) if (needs(t, program) === undefined) return;
  await using folder = await openTempFolder();
  const media = scriptMedia(() => Promise.reject(new Error('nothing is imported')));
  media.current = { ...media.current, report: mediumReport() };
  await using server = await startTestServer({ folder: folder.path, zone: 'zone-b', media });
  const refs = [['registry.example/shop/web', '1'] as const];
  const sync = { zone: 'zone-b', runId: 'run', resolvedAt: '2026-01-01T00:00:00.000Z' };
  const record = toRecipeRecord('shop', '1.0.0', refs);
  await recordSync(server.store, sync, [record]);
  await server.tasks.submit({ type: 'sync', reference: '/retriever.yaml', actor: 'ines' });
  const said: string[] = [];
  await followPage('docs/interface.md', {
    folder: folder.path,
    env: { INSTANCE: server.url, TOKEN: server.as.operator.replace('Bearer ', '') },
    after: async (_, stdout) => void said.push(stdout),
  });
  const [, sum, verdicts, tasks, recipes] = said;
  const paper = await (await server.fetch('/media/report')).text();
  assert.ok(paper.includes(sum!.slice(0, 64)), 'the sum of the file is on the paper');
  assert.match(verdicts!, /^pushable\nshop\t1\.4\.2\tsha256:\w{64}\t\w{64}\ttrue\n$/);
  assert.match(tasks!, /\tines\tsync\t/);
  assert.ok(recipes!.startsWith(`shop\t1.0.0\t${record.digest}\t`), recipes);
});

const followed = [
  'administering.md',
  'operating/cache.md',
  'content.md',
  'filesets.md',
  'first-delivery.md',
  'growing.md',
  'importing.md',
  'interface.md',
  'layouts.md',
  'point-your-nodes-here.md',
  'signing.md',
  'operating/standby.md',
  'store.md',
  'write-a-recipe.md',
];

test('every block of commands on a page that is not followed here is marked as one for elsewhere', async () => {
  const pages = await readdir(join(root, 'docs'), { recursive: true });
  for (const name of pages.filter((each) => each.endsWith('.md'))) {
    if (followed.includes(name)) continue;
    const languages = parseBlocks(await readFile(join(root, 'docs', name), 'utf8')).map(
      ({ language }) => language,
    );
    assert.ok(!languages.includes('sh') && !languages.includes('bash'), name);
  }
});
