import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Task } from '../../src/contract/task.ts';
import { buildImage, buildIndex, digestsOf } from '../kit/content/content.ts';
import { publishRecipe, toOrigin } from '../kit/content/origin.ts';
import { eventually } from '../kit/instance/eventually.ts';
import type { Instance } from '../kit/instance/instance.ts';
import { writeCredentials } from '../kit/program/credentials-file.ts';
import { openNetworkNamespace } from '../kit/program/network-namespace.ts';
import { needs } from '../kit/program/peers.ts';
import { startTinyproxy } from '../kit/program/tinyproxy.ts';
import { tlsPair } from '../kit/program/tls-pair.ts';
import type { RegistryDouble } from '../kit/result/registry-double.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';

const main = join(import.meta.dirname, '..', '..', 'commands', 'main.ts');

/** The double by a name that only the proxy can resolve to something that answers. */
const named = (double: RegistryDouble): string => double.host.replace('127.0.0.1', 'localhost');

async function synchronize(instance: Instance): Promise<Task> {
  const { body } = await instance.api('POST', '/sync', {});
  return eventually('the end of the run', async () => {
    const { task } = (await instance.api('GET', `/tasks/${body.task.id}`)).body as { task: Task };
    return task.status === 'pending' || task.status === 'running' ? undefined : task;
  });
}

test('an instance whose every direct path is cut does all it has to do through an authenticating proxy', async (t) => {
  const tinyproxy = needs(t, 'tinyproxy');
  if (tinyproxy === undefined) return;
  using network = openNetworkNamespace(t);
  if (network === undefined) return;
  await using world = await openRehearsal();
  const { signer } = world;
  // programs of this test run inside, started by anything
  const wrapper = world.path('svc-inside');
  await writeFile(
    wrapper,
    `#!/bin/sh\nexec ${network.enter.join(' ')} '${process.execPath}' --disable-warning=ExperimentalWarning '${main}' "$@"\n`,
  );
  await chmod(wrapper, 0o755);
  const before = process.env.SVC_BIN;
  process.env.SVC_BIN = wrapper;
  try {
    const cookbook = await world.double({
      tls: tlsPair,
      auth: { kind: 'bearer', username: 'reader', password: 'of-the-cookbook' },
    });
    const realm = await world.double({
      tls: tlsPair,
      auth: { kind: 'bearer', username: 'reader', password: 'of-the-cookbook' },
    });
    const plain = await world.double({
      auth: { kind: 'basic', username: 'plain', password: 'of-the-plain-one' },
    });
    const storage = await world.double({ tls: tlsPair });
    const documents = await world.double({ tls: tlsPair });
    const destination = await world.double({
      auth: { kind: 'basic', username: 'pusher', password: 'of-the-destination' },
    });
    const doubles = { cookbook, realm, plain, storage, documents, destination };
    cookbook.options = { auth: { ...cookbook.options.auth!, realm: `https://${named(realm)}/token` } };
    realm.intercept((request, response) => {
      if (!request.path.startsWith('/token')) return false;
      assert.ok(request.headers.authorization?.startsWith('Basic '));
      cookbook.tokens.set(
        'granted-elsewhere',
        new URL(request.path, realm.origin).searchParams.getAll('scope'),
      );
      response.setHeader('content-type', 'application/json');
      response.end('{"token":"granted-elsewhere","expires_in":300}');
      return true;
    });

    const web = buildIndex('web', ['linux/amd64', 'linux/arm64']);
    const tool = buildImage('tool');
    await toOrigin(cookbook).put('shop/web', web, '1.0.0');
    await toOrigin(plain).put('shop/tool', tool, '1.0.0');
    // the layers of one registry lie elsewhere, as the large registries do it
    cookbook.intercept((request, response) => {
      const digest = /\/shop\/web\/blobs\/(sha256:[0-9a-f]+)$/.exec(request.path)?.[1];
      if (digest === undefined || request.headers.authorization !== 'Bearer granted-elsewhere') return false;
      response.writeHead(307, { location: `https://${named(storage)}/store/${digest}?X-Signature=canary` });
      response.end();
      return true;
    });
    storage.intercept((request, response) => {
      const digest = /^\/store\/(sha256:[0-9a-f]+)/.exec(request.path)?.[1];
      const bytes = digest && cookbook.blob('shop/web', digest as never);
      if (!bytes) return false;
      response.writeHead(200, { 'content-length': bytes.length });
      response.end(request.method === 'HEAD' ? undefined : bytes);
      return true;
    });
    // the publisher names the hosts as the zone reaches them
    await publishRecipe(
      { ...toOrigin(cookbook), host: named(cookbook) },
      {
        name: 'shop',
        version: '1.0.0',
        ingredients: [
          { name: 'web', repository: 'shop/web', version: '1.0.0', digest: web.manifest.descriptor.digest },
          {
            name: 'tool',
            host: plain.host,
            repository: 'shop/tool',
            version: '1.0.0',
            digest: tool.manifest.descriptor.digest,
          },
        ],
        signatures: [{ signer }],
      },
    );
    const retriever = await world.retriever('zone', {
      cookbook: `${named(cookbook)}/cookbook`,
      recipes: [{ name: 'shop', version: '^1.0' }],
    });
    const served = new Map([
      ['/zone.yaml', await readFile(retriever, 'utf8')],
      ['/release.pub', signer.publicKeyPem],
    ]);
    documents.intercept((request, response) => {
      const text = served.get(request.path);
      if (text === undefined) return false;
      response.end(text);
      return true;
    });

    await using proxy = await startTinyproxy({
      program: tinyproxy,
      folder: world.path('proxy'),
      username: 'mule',
      password: 'oats',
      listen: network.here,
      allow: network.inside,
    });
    const hosts = [
      named(cookbook),
      named(realm),
      named(storage),
      named(documents),
      plain.host,
      destination.host,
    ];
    const caFile = world.path('authority.pem');
    await writeFile(caFile, tlsPair.ca);
    const config = {
      server: { addr: `${network.inside}:0` },
      auth: { disabled: true },
      network: {
        proxy: { url: proxy.url, username: 'mule' },
        tls: { caFiles: [caFile], exclusiveTrust: true },
      },
      registries: {
        insecure: [plain.host, destination.host],
        allowlist: hosts,
        credentialsFile: await writeCredentials(world.path('docker.json'), {
          [named(cookbook)]: { username: 'reader', password: 'of-the-cookbook' },
          [plain.host]: { username: 'plain', password: 'of-the-plain-one' },
          [destination.host]: { username: 'pusher', password: 'of-the-destination' },
        }),
      },
      retriever: { source: `https://${named(documents)}/zone.yaml` },
      destination: { registry: destination.host },
    };
    const keyed = { roots: [{ name: 'release', keyURL: `https://${named(documents)}/release.pub` }] };
    const env = { SVC_NETWORK_PROXY_PASSWORD: 'oats' };
    for (const double of Object.values(doubles)) double.requests.length = 0;

    await t.test('without the proxy nothing is reached at all', async () => {
      const direct = { ...config, network: { tls: config.network.tls }, trust: world.trust };
      const instance = await world.start('direct', { ...direct, retriever: { source: retriever } });
      const task = await synchronize(instance);
      assert.equal(task.principalCode, 'SVC-REG-002');
      for (const [name, double] of Object.entries(doubles)) assert.equal(double.requests.length, 0, name);
      await instance.stop();
    });

    await t.test('a proxy that refuses is not gone around', async () => {
      const instance = await world.start(
        'refused',
        { ...config, trust: world.trust, retriever: { source: retriever } },
        { SVC_NETWORK_PROXY_PASSWORD: 'hay' },
      );
      const task = await synchronize(instance);
      assert.equal(task.principalCode, 'SVC-NET-001');
      for (const [name, double] of Object.entries(doubles)) assert.equal(double.requests.length, 0, name);
      await instance.stop();
    });

    await t.test('with it key, Retriever, tokens, redirected blobs and the promotion arrive', async () => {
      const instance = await world.start('zone', { ...config, trust: keyed }, env);
      const task = await synchronize(instance);
      assert.equal(task.status, 'done', JSON.stringify(task, null, 1));
      assert.deepEqual(await proxy.targets(), [...hosts].sort());
      for (const [name, double] of Object.entries(doubles)) assert.ok(double.requests.length > 0, name);
      const at = `${named(cookbook).replace(':', '_')}/shop/web`;
      for (const digest of digestsOf(web))
        assert.ok(destination.blob(at, digest) ?? destination.manifest(at, digest), digest);
      await instance.stop();
    });

    await t.test('credentials went to the host they belong to, and to no other', () => {
      const basic = (username: string, password: string) =>
        `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
      const own: Record<keyof typeof doubles, readonly string[]> = {
        cookbook: ['Bearer granted-elsewhere'],
        realm: [basic('reader', 'of-the-cookbook')],
        plain: [basic('plain', 'of-the-plain-one')],
        storage: [],
        documents: [],
        destination: [basic('pusher', 'of-the-destination')],
      };
      for (const [name, double] of Object.entries(doubles)) {
        const sent = new Set(double.requests.flatMap(({ headers }) => headers.authorization ?? []));
        assert.deepEqual([...sent], own[name as keyof typeof doubles], name);
        for (const { headers } of double.requests) assert.equal(headers['proxy-authorization'], undefined);
      }
    });
  } finally {
    if (before === undefined) delete process.env.SVC_BIN;
    else process.env.SVC_BIN = before;
  }
});

test('exclusive trust drops the public authorities, and only it does', async () => {
  await using world = await openRehearsal();
  const double = await world.double({ tls: tlsPair });
  const image = buildImage('trusted');
  await toOrigin(double).put('shop/web', image, '1.0.0');
  await publishRecipe(toOrigin(double), {
    name: 'shop',
    version: '1.0.0',
    ingredients: [
      { name: 'web', repository: 'shop/web', version: '1.0.0', digest: image.manifest.descriptor.digest },
    ],
    signatures: [{ signer: world.signer }],
  });
  const retriever = await world.retriever('zone', {
    cookbook: `${double.host}/cookbook`,
    recipes: [{ name: 'shop', version: '1.0.0' }],
  });
  /** A root store of the system that holds this authority alone. */
  const withPublic = async (name: string, pem: string): Promise<Record<string, string>> => {
    const path = world.path(`${name}.pem`);
    await writeFile(path, pem);
    return { SSL_CERT_FILE: path };
  };
  const issuerIsPublic = await withPublic('issuer', tlsPair.ca);
  const otherIsPublic = await withPublic('other', tlsPair.otherCa);
  const reach = async (name: string, tls: object, env: Record<string, string>) => {
    const config = await world.configure(name, {
      mode: 'mirror',
      network: { tls },
      registries: { allowlist: [double.host] },
      trust: world.trust,
    });
    const args = ['sync', '--dry-run', '--retriever', retriever, '--config', config, '--output', 'json'];
    const { exitCode, stdout, stderr } = await world.svc(args, { env });
    // 5: there is something to do, so everything was read
    if (exitCode === 5) return 'reached';
    return /SVC-[A-Z]+-\d{3}/.exec(stdout + stderr)?.[0] ?? stdout + stderr;
  };
  const own = { ca: tlsPair.ca };
  const otherOwn = { ca: tlsPair.otherCa };
  assert.deepEqual(
    {
      'public issuer': await reach('a', {}, issuerIsPublic),
      'public issuer beside a private one': await reach('b', otherOwn, issuerIsPublic),
      'public issuer, exclusively the private one': await reach(
        'c',
        { ...otherOwn, exclusiveTrust: true },
        issuerIsPublic,
      ),
      'private issuer beside a public one': await reach('d', own, otherIsPublic),
      'private issuer exclusively': await reach('e', { ...own, exclusiveTrust: true }, otherIsPublic),
      neither: await reach('f', {}, otherIsPublic),
    },
    {
      'public issuer': 'reached',
      'public issuer beside a private one': 'reached',
      'public issuer, exclusively the private one': 'SVC-REG-002',
      'private issuer beside a public one': 'reached',
      'private issuer exclusively': 'reached',
      neither: 'SVC-REG-002',
    },
  );
});
