import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import { openChartServer } from '../kit/content/chart-server.ts';
import { buildImage } from '../kit/content/content.ts';
import { openCosign } from '../kit/content/cosign.ts';
import { packSimpleChart } from '../kit/content/helm-chart.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { adminPassword, type Instance, startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { type ClientHome, openClientHome } from '../kit/program/client-home.ts';
import { writeCredentials } from '../kit/program/credentials-file.ts';
import { peerAccount, startPeerRegistry, toPeerOrigin } from '../kit/program/peer-registry.ts';
import { needs } from '../kit/program/peers.ts';
import { tlsPair } from '../kit/program/tls-pair.ts';
import { readHeldManifest } from '../kit/result/held-content.ts';

interface Imported {
  readonly repository: string;
  readonly tag: string;
  readonly digest: string;
  readonly [name: string]: any;
}

/** Inspects, imports everything that is offered, and waits for the end. */
async function take(instance: Instance, reference: string, more: object = {}): Promise<Imported> {
  const inspected = await instance.api('GET', `/import/inspect?reference=${encodeURIComponent(reference)}`);
  assert.equal(inspected.status, 200, JSON.stringify(inspected.body));
  const platforms = inspected.body.platforms.map(({ name, digest }: { name: string; digest: string }) => ({
    name,
    digest,
  }));
  const created = await instance.api('POST', '/import', {
    reference: inspected.body.reference,
    platforms,
    ...more,
  });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const task = await eventually(`the import of ${reference}`, async () => {
    const { body } = await instance.api('GET', `/tasks/${created.body.task.id}`);
    return ['done', 'failed'].includes(body.task.status) && body.task;
  });
  assert.equal(task.status, 'done', JSON.stringify(task));
  return inspected.body;
}

test('images made by crane and signed by cosign come from a registry of another make, and verify here', async (t) => {
  const [crane, cosign, registry, tar] = ['crane', 'cosign', 'registry', 'tar'].map((name) => needs(t, name));
  if (!crane || !cosign || !registry || !tar) return;
  await using folder = await openTempFolder();
  await using peer = await startPeerRegistry({ program: registry, folder: join(folder.path, 'peer') });
  await using instance = await startInstance({
    folder: folder.path,
    config: { registries: { insecure: [peer.host] } },
  });
  const home = await openClientHome(folder.path);
  const platforms = ['linux/amd64', 'linux/arm64'];
  const digests: string[] = [];
  for (const platform of platforms) {
    const name = platform.replace('/', '-');
    await writeFile(join(home.path, name), `for ${platform}\n`);
    await home.run(tar, ['-cf', `${name}.tar`, name]);
    const image = `${peer.host}/shop/web:${name}`;
    await home.run(crane, ['append', '--insecure', '--platform', platform, '-f', `${name}.tar`, '-t', image]);
    const [os, arch] = platform.split('/');
    await home.run(crane, ['mutate', '--insecure', '--set-platform', `${os}/${arch}`, '-t', image, image]);
    digests.push(image);
  }
  const reference = `${peer.host}/shop/web:1.0.0`;
  await home.run(crane, [
    'index',
    'append',
    '--insecure',
    ...digests.flatMap((one) => ['-m', one]),
    '-t',
    reference,
  ]);
  const digest = await home.run(crane, ['digest', '--insecure', reference]);
  const signer = await openCosign(cosign, home, 'release');
  const pinned = `${peer.host}/shop/web@${digest}`;
  await signer.sign(pinned, 'classic');
  await signer.sign(pinned, 'bundle');

  const imported = await take(instance, reference);
  assert.equal(imported.digest, digest);
  assert.deepEqual(
    imported.platforms.map(({ name }: { name: string }) => name),
    platforms,
  );
  assert.deepEqual(imported.signatures.map(({ layout }: { layout: string }) => layout).toSorted(), [
    'bundle',
    'classic',
  ]);
  await home.run(crane, ['auth', 'login', instance.host, '-u', 'admin', '-p', adminPassword]);
  const here = `${instance.host}/${imported.repository}`;
  assert.equal(await home.run(crane, ['digest', '--insecure', `${here}:1.0.0`]), digest);
  await home.run(crane, ['validate', '--insecure', '--remote', `${here}:1.0.0`]);
  assert.ok(await signer.verifies(`${here}@${digest}`, 'classic'));
  assert.ok(await signer.verifies(`${here}@${digest}`, 'bundle'));
});

test('a registry that asks for an account gets the one of its host, and refuses another', async (t) => {
  const registry = needs(t, 'registry');
  if (!registry) return;
  await using folder = await openTempFolder();
  await using peer = await startPeerRegistry({
    program: registry,
    folder: join(folder.path, 'peer'),
    auth: true,
  });
  const image = buildImage('guarded');
  await toPeerOrigin(peer).put('web', image, '1');
  await using other = await openTempFolder();
  await using stranger = await startInstance({
    folder: other.path,
    config: { registries: { insecure: [peer.host] } },
  });
  const refused = await stranger.api('GET', `/import/inspect?reference=${peer.host}/web:1`);
  assert.deepEqual([refused.status, refused.body.code], [502, 'SVC-REG-003']);
  const credentialsFile = await writeCredentials(join(folder.path, 'docker.json'), {
    [peer.host]: peerAccount,
  });
  await using instance = await startInstance({
    folder: folder.path,
    config: { registries: { insecure: [peer.host], credentialsFile } },
  });
  const { digest } = await take(instance, `${peer.host}/web:1`);
  assert.equal(digest, image.manifest.descriptor.digest);
});

/** A key of its own, in the form in which helm reads one. */
async function makeKeyring(gpg: string, home: ClientHome): Promise<{ secret: string; pub: string }> {
  const folder = join(home.path, 'gnupg');
  await mkdir(folder, { mode: 0o700 });
  const run = (...args: string[]) =>
    home.run(gpg, ['--homedir', folder, '--batch', '--yes', '--passphrase', '', ...args]);
  await run('--quick-generate-key', 'Release <release@shop.example>', 'rsa2048', 'sign', 'never');
  const secret = join(home.path, 'secring.gpg');
  const pub = join(home.path, 'pubring.gpg');
  await run('--output', secret, '--export-secret-keys');
  await run('--output', pub, '--export');
  await home.try('gpgconf', ['--homedir', folder, '--kill', 'all']);
  return { secret, pub };
}

test('what helm packed, signed and indexed is imported as helm would have pushed it, and verifies when helm pulls it', async (t) => {
  const [helm, gpg, registry] = ['helm', 'gpg', 'registry'].map((name) => needs(t, name));
  if (!helm || !gpg || !registry) return;
  await using folder = await openTempFolder();
  await using charts = await openChartServer();
  await using peer = await startPeerRegistry({ program: registry, folder: join(folder.path, 'peer') });
  await using instance = await startInstance({
    folder: folder.path,
    config: { network: { tls: { caFiles: [tlsPair.caFile] } } },
  });
  const home = await openClientHome(folder.path);
  const keyring = await makeKeyring(gpg, home);
  await home.run(helm, ['create', 'shop']);
  const about = join(home.path, 'shop', 'Chart.yaml');
  const described = `home: https://shop.example\nsources: [https://git.example/a, https://git.example/b]\nkeywords: [shop, "a & b"]\nmaintainers: [{name: Ann, email: ann@shop.example, url: "https://x"}, {name: Bob}]\nicon: https://shop.example/<i>.png\nannotations: {zed: "1", alpha: "2"}\nkubeVersion: ">=1.20.0-0"\n`;
  await writeFile(about, (await readFile(about, 'utf8')) + described);
  const site = join(home.path, 'site');
  await mkdir(site);
  const sign = ['--sign', '--key', 'Release', '--keyring', keyring.secret];
  await home.run(helm, ['package', 'shop', '--version', '1.3.0+b.7', '-d', site, ...sign]);
  await home.run(helm, ['repo', 'index', site]);
  const archive = await readFile(join(site, 'shop-1.3.0+b.7.tgz'));
  const provenance = await readFile(join(site, 'shop-1.3.0+b.7.tgz.prov'));
  charts.files.set('/charts/index.yaml', await readFile(join(site, 'index.yaml')));
  charts.files.set('/charts/shop-1.3.0+b.7.tgz', archive);
  charts.files.set('/charts/shop-1.3.0+b.7.tgz.prov', provenance);

  const imported = await take(instance, `${charts.base}/shop:1.3.0+b.7`);
  assert.equal(imported.tag, '1.3.0_b.7');
  const ours = await readHeldManifest(instance, imported.repository, imported.tag);
  assert.equal(ours.digest, imported.digest);
  assert.deepEqual(
    ours.document.layers.map(({ digest }: { digest: string }) => digest),
    [hashBytes(archive), hashBytes(provenance)].sort(),
  );

  await home.run(helm, [
    'push',
    '--plain-http',
    join(site, 'shop-1.3.0+b.7.tgz'),
    `oci://${peer.host}/charts`,
  ]);
  const theirs = await readHeldManifest(peer, 'charts/shop', '1.3.0_b.7');
  const { 'org.opencontainers.image.created': _time, ...annotations } = theirs.document.annotations;
  assert.deepEqual(ours.document.config, theirs.document.config, 'the config is byte for byte that of helm');
  assert.deepEqual(ours.document.layers, theirs.document.layers);
  assert.deepEqual(ours.document.annotations, annotations);

  await home.run(
    helm,
    ['registry', 'login', instance.host, '--plain-http', '-u', 'admin', '--password-stdin'],
    {
      input: adminPassword,
    },
  );
  const pulled = join(home.path, 'pulled');
  await mkdir(pulled);
  const chart = `oci://${instance.host}/${imported.repository}`;
  await home.run(helm, ['pull', '--plain-http', chart, '--version', '1.3.0+b.7', '-d', pulled, '--prov']);
  assert.deepEqual(await readFile(join(pulled, 'shop-1.3.0+b.7.tgz')), archive);
  const verified = await home.run(helm, [
    'verify',
    join(pulled, 'shop-1.3.0+b.7.tgz'),
    '--keyring',
    keyring.pub,
  ]);
  assert.match(verified, /Release/);
  await writeFile(join(pulled, 'shop-1.3.0+b.7.tgz'), Buffer.concat([archive, Buffer.from('x')]));
  const altered = await home.try(helm, [
    'verify',
    join(pulled, 'shop-1.3.0+b.7.tgz'),
    '--keyring',
    keyring.pub,
  ]);
  assert.notEqual(altered.exitCode, 0);
});

test('a chart whose dependency was put in is rendered by helm with it, from here alone', async (t) => {
  const helm = needs(t, 'helm');
  if (!helm) return;
  await using folder = await openTempFolder();
  await using charts = await openChartServer();
  await using instance = await startInstance({
    folder: folder.path,
    config: { network: { tls: { caFiles: [tlsPair.caFile] } } },
  });
  const home = await openClientHome(folder.path);
  const child = packSimpleChart('child', '1.4.0', {
    files: { 'templates/own.yaml': 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: of-the-child\n' },
  });
  const parent = packSimpleChart('parent', '1.0.0', {
    dependencies: [{ name: 'child', version: '~1.4', repository: charts.base }],
  });
  charts.list([
    { name: 'child', version: '1.4.0', archive: child },
    { name: 'parent', version: '1.0.0', archive: parent },
  ]);
  const imported = await take(instance, `${charts.base}/parent`, { vendorDependencies: true });
  await home.run(
    helm,
    ['registry', 'login', instance.host, '--plain-http', '-u', 'admin', '--password-stdin'],
    {
      input: adminPassword,
    },
  );
  const chart = `oci://${instance.host}/${imported.repository}`;
  const rendered = await home.run(helm, ['template', 'x', '--plain-http', chart, '--version', '1.0.0']);
  assert.match(rendered, /name: of-the-child/);
});
