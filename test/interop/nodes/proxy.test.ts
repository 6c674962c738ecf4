import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { buildImage, buildIndex, digestsOf } from '../../kit/content/content.ts';
import { publishRecipe, toOrigin, toRecipeDocument } from '../../kit/content/origin.ts';
import { writeCredentials } from '../../kit/program/credentials-file.ts';
import { peerAccount, startPeerRegistry, toPeerOrigin } from '../../kit/program/peer-registry.ts';
import { needs } from '../../kit/program/peers.ts';
import { proxyAddress, startTinyproxy } from '../../kit/program/tinyproxy.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';
import { listHeldAt } from '../../kit/result/held-at.ts';
import { openRehearsal } from '../../kit/scene/rehearsal.ts';

/** Addresses that a registry of CNCF distribution saw requests come from. */
const callers = (log: string): string[] => [
  ...new Set([...log.matchAll(/http\.request\.remoteaddr="([^":]+):\d+"/g)].map(([, address]) => address!)),
];

test('everything that leaves goes through an authenticating proxy', async (t) => {
  const tinyproxy = needs(t, 'tinyproxy');
  const distribution = tinyproxy && needs(t, 'registry');
  if (tinyproxy === undefined || distribution === undefined) return;
  await using world = await openRehearsal();
  const { signer } = world;
  const peer = (name: string, options: { auth?: boolean; tls?: boolean } = {}) =>
    startPeerRegistry({ program: distribution, folder: world.path(name), ...options });
  await using origin = await peer('origin', { auth: true });
  await using secure = await peer('secure', { tls: true });
  await using destination = await peer('destination');
  // a registry over TLS with a token realm, that also serves the Retriever and the public key
  await using double = await world.double({
    tls: tlsPair,
    auth: { kind: 'bearer', username: 'reader', password: 'of tokens' },
  });

  const doubleHost = double.host.replace('127.0.0.1', 'localhost');
  const seen = new Set<string>();
  const documents = new Map<string, string>([['/release.pub', signer.publicKeyPem]]);
  double.intercept((request, response, raw) => {
    seen.add(raw.socket.remoteAddress!);
    const body = documents.get(request.path);
    if (body === undefined) return false;
    response.end(body);
    return true;
  });

  const web = buildIndex('web', ['linux/amd64', 'linux/arm64']);
  const tool = buildImage('tool');
  await toPeerOrigin(origin).put('shop/web', web, '1.0.0');
  await toOrigin(double).put('shop/tool', tool, '1.0.0');
  const spec = {
    name: 'shop',
    version: '1.0.0',
    ingredients: [
      { name: 'web', repository: 'shop/web', version: '1.0.0', digest: web.manifest.descriptor.digest },
      {
        name: 'tool',
        host: doubleHost,
        repository: 'shop/tool',
        version: '1.0.0',
        digest: tool.manifest.descriptor.digest,
      },
    ],
  };
  await publishRecipe(toPeerOrigin(origin), {
    ...spec,
    name: 'signed',
    signatures: [{ signer }],
  });
  documents.set(
    '/zone.yaml',
    await readFile(
      await world.retriever('zone', {
        cookbook: `${origin.host}/cookbook`,
        recipes: [{ name: 'signed', version: '^1.0' }],
      }),
      'utf8',
    ),
  );
  const direct = { origin: origin.log().length, destination: destination.log().length };
  seen.clear();

  await using proxy = await startTinyproxy({
    program: tinyproxy,
    folder: world.path('proxy'),
    username: 'mule',
    password: 'oats',
  });
  const outbound = {
    network: { proxy: { url: proxy.url, username: 'mule' }, tls: { ca: tlsPair.ca } },
    registries: {
      insecure: [origin.host, destination.host],
      credentialsFile: await writeCredentials(world.path('docker.json'), {
        [origin.host]: peerAccount,
        [doubleHost]: { username: 'reader', password: 'of tokens' },
      }),
    },
  };
  const env = { SVC_NETWORK_PROXY_PASSWORD: 'oats' };

  await t.test('a recipe is published through it, to a registry over TLS', async () => {
    const config = await world.configure('publisher', outbound);
    const file = world.path('shop.yaml');
    await writeFile(file, toRecipeDocument(origin.host, spec));
    const args = ['recipe', 'push', file, `${secure.host}/cookbook/shop:1.0.0`, '--config', config];
    const pushed = await world.svc(args, { env });
    assert.equal(pushed.exitCode, 0, pushed.stderr);
    assert.deepEqual(await proxy.targets(), [secure.host]);
    assert.deepEqual(callers(secure.log()), [proxyAddress]);
  });

  await t.test(
    'a zone reads its key, its Retriever, tokens and content through it, and promotes',
    async () => {
      const zone = await world.start(
        'zone',
        {
          ...outbound,
          retriever: { source: `https://${doubleHost}/zone.yaml` },
          trust: { roots: [{ name: 'release', keyURL: `https://${doubleHost}/release.pub` }] },
          destination: { registry: destination.host },
        },
        env,
      );
      const { result, task } = await world.sync(zone);
      assert.equal(result.exitCode, 0, `${result.stderr}\n${JSON.stringify(task, null, 1)}`);
      // the token realm is named by the double itself, at its address
      const hosts = [destination.host, doubleHost, double.host, origin.host, secure.host];
      assert.deepEqual(await proxy.targets(), hosts.sort());
      assert.ok(double.count(/^GET \/token/) > 0, 'no token was asked for');
      assert.ok(double.count(/^GET \/zone\.yaml/) > 0 && double.count(/^GET \/release\.pub/) > 0);
      for (const secret of ['oats', 'of tokens', peerAccount.password])
        assert.ok(!zone.log().includes(secret), `the log names ${secret}`);
    },
  );

  await t.test('a medium is filled, and imported, through it', async () => {
    const medium = world.path('medium');
    const source = `https://${doubleHost}/zone.yaml`;
    const common = { ...outbound, mode: 'mirror', storage: { root: medium }, trust: world.trust };
    const mirror = await world.start('mirror', { ...common, retriever: { source } }, env);
    const { result } = await world.sync(mirror);
    assert.equal(result.exitCode, 0, result.stderr);
    await mirror.stop();
    const config = await world.configure('in-zone', {
      ...common,
      zone: 'zone-b',
      destination: { registry: destination.host, basePath: 'carried', cookbook: 'carried/cookbook' },
    });
    const imported = await world.svc(['media', 'import', '--config', config, '--output', 'json'], { env });
    assert.equal(imported.exitCode, 0, imported.stderr);
  });

  await t.test('no server saw anybody but the proxy', async () => {
    assert.deepEqual([...seen], [proxyAddress]);
    assert.deepEqual(callers(origin.log().slice(direct.origin)), [proxyAddress]);
    assert.deepEqual(callers(destination.log().slice(direct.destination)), [proxyAddress]);
  });

  await t.test('what it carried is whole', async () => {
    const nominal = `${origin.host.replace(':', '_')}/shop/web`;
    for (const repository of [nominal, `carried/${nominal}`]) {
      const held = await listHeldAt({ registry: destination.url, repository }, web);
      assert.deepEqual(held, digestsOf(web).sort());
    }
  });

  await t.test('a proxy that refuses the password is not gone around', async () => {
    const before = { origin: origin.log().length, double: double.requests.length };
    const retriever = await world.retriever('refused', {
      cookbook: `${origin.host}/cookbook`,
      recipes: [{ name: 'signed', version: '^1.0' }],
    });
    const config = await world.configure('planner', { ...outbound, trust: world.trust });
    const planned = await world.svc(['sync', '--dry-run', '--retriever', retriever, '--config', config], {
      env: { SVC_NETWORK_PROXY_PASSWORD: 'hay' },
    });
    assert.equal(planned.exitCode, 1, planned.stdout + planned.stderr);
    assert.ok(!(planned.stdout + planned.stderr).includes('hay'));
    assert.equal(origin.log().length, before.origin);
    assert.equal(double.requests.length, before.double);
  });
});
