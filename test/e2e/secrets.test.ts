import assert from 'node:assert/strict';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Task } from '../../src/contract/task.ts';
import { buildImage } from '../kit/content/content.ts';
import { publishRecipe, toOrigin, toRecipeDocument } from '../kit/content/origin.ts';
import { createSigner } from '../kit/content/signer.ts';
import { adminPassword, type Instance } from '../kit/instance/instance.ts';
import { createTestProxy } from '../kit/program/proxy.ts';
import type { SvcResult } from '../kit/program/svc.ts';
import { tlsPair } from '../kit/program/tls-pair.ts';
import { Evidence } from '../kit/result/evidence.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';

/** Words that stand nowhere else, so that finding one anywhere is a leak. */
const secrets = {
  proxyPassword: 'Pr0xy-pl4nted-w0rd',
  originPassword: '0rigin-pl4nted-w0rd',
  wrongPassword: 'wr0ng-pl4nted-w0rd',
  robotPassword: 'r0bot-pl4nted-w0rd',
  changedPassword: 'ch4nged-pl4nted-w0rd',
  queryToken: 'qu3ry-pl4nted-w0rd',
  urlPassword: 'ur1-pl4nted-w0rd',
};

test('no planted secret appears in anything a journey says or writes', async (t) => {
  await using world = await openRehearsal();
  const evidence = new Evidence();
  for (const [name, value] of Object.entries(secrets)) evidence.plant(name, value);
  evidence.plant('admin password', adminPassword);
  for (const [i, line] of tlsPair.key.split('\n').entries())
    if (!line.startsWith('-') && line.length > 12) evidence.plant(`listener key, line ${i}`, line);
  const run = async (args: readonly string[], expected: number, options = {}): Promise<SvcResult> => {
    const result = await world.svc(args, options);
    assert.equal(result.exitCode, expected, `${args.join(' ')}\n${result.stderr}${result.stdout}`);
    evidence.add(`output of ${args.join(' ')}`, `${result.stdout}\n${result.stderr}`);
    return result;
  };

  await using proxy = await createTestProxy({ username: 'egress', password: secrets.proxyPassword });
  const double = await world.double({
    tls: tlsPair,
    auth: { kind: 'bearer', username: 'reader', password: secrets.originPassword },
  });
  const origin = toOrigin(double);
  const image = buildImage('secrets');
  await origin.put('shop/web', image, '1.0');
  const spec = {
    name: 'shop',
    version: '1.0.0',
    ingredients: [
      { name: 'web', repository: 'shop/web', version: '1.0', digest: image.manifest.descriptor.digest },
    ],
    signatures: [{ signer: world.signer }],
  };
  await publishRecipe(origin, spec);
  await publishRecipe(origin, { ...spec, name: 'foreign', signatures: [{ signer: createSigner() }] });
  const retriever = await world.retriever('zone-b', {
    cookbook: `${origin.host}/cookbook`,
    recipes: [{ name: 'shop', version: '^1' }],
  });
  // the document comes by a URL that carries a secret in its query
  double.intercept(async (request, response) => {
    if (!request.path.startsWith('/retriever.yaml')) return false;
    response.end(await readFile(retriever));
    return true;
  });

  const registry = await world.start('zone-registry');
  const credentials = world.path('credentials.json');
  const auth = (name: string, password: string) => Buffer.from(`${name}:${password}`).toString('base64');
  evidence.plant('credentials file, origin entry', auth('reader', secrets.originPassword));
  evidence.plant('credentials file, zone entry', auth('admin', adminPassword));
  await writeFile(
    credentials,
    JSON.stringify({
      auths: {
        [origin.host]: { auth: auth('reader', secrets.originPassword) },
        [registry.host]: { username: 'admin', password: adminPassword },
      },
    }),
    { mode: 0o600 },
  );
  const keys = world.path('keys');
  await mkdir(keys);
  await writeFile(join(keys, 'leaf.pem'), tlsPair.cert);
  await writeFile(join(keys, 'leaf-key.pem'), tlsPair.key, { mode: 0o600 });
  const medium = world.path('medium');
  const network = {
    proxy: { url: proxy.url, username: 'egress', password: secrets.proxyPassword },
    tls: { caFiles: [tlsPair.caFile] },
  };
  const config = {
    mode: 'mirror',
    storage: { root: medium },
    retriever: { source: `${double.origin}/retriever.yaml?signature=${secrets.queryToken}` },
    registries: { insecure: [registry.host], credentialsFile: credentials },
    network,
    trust: world.trust,
    logging: { level: 'debug' },
  };
  const gather = async (name: string, instance: Instance, tasks: readonly string[] = []): Promise<void> => {
    const read = async (path: string) => {
      const answer = await fetch(`${instance.url}${path}`, {
        headers: { authorization: instance.authorization },
      });
      evidence.add(`${name} ${path}`, await answer.text());
    };
    for (const path of ['accounts', 'tokens', 'network', 'retriever', 'tasks', 'recipes', 'content', 'media'])
      await read(`/api/v1/${path}`);
    for (const id of tasks) {
      await read(`/api/v1/tasks/${id}`);
      await read(`/api/v1/tasks/${id}/logs`);
      await read(`/api/v1/tasks/${id}/logs?format=raw`);
    }
    for (const path of ['/metrics', '/readyz', '/v2/_catalog']) await read(path);
  };

  await t.test('a synchronization through an authenticating proxy and a token realm', async () => {
    const mirror = await world.start('mirror', config);
    const { result, task } = await world.sync(mirror);
    evidence.add('output of svc sync', result.stdout + result.stderr);
    assert.equal(result.exitCode, 0, result.stderr + mirror.log());
    for (const { headers } of proxy.records) assert.match(headers['proxy-authorization'] ?? '', /^Basic /);
    assert.ok(proxy.records.some(({ method }) => method === 'CONNECT'));
    assert.ok(double.tokens.size > 0);
    for (const token of double.tokens.keys()) evidence.plant('token of the origin', token);

    // an account, a token, a changed password, and attempts with wrong ones
    const { body } = await mirror.api('POST', '/tokens', { name: 'planted', role: 'operator' });
    const secret = (body.secret ?? body.token.secret) as string;
    evidence.plant('API token', secret);
    await mirror.api('POST', '/accounts', { name: 'robot', role: 'viewer', password: secrets.robotPassword });
    for (const password of [secrets.wrongPassword, secrets.robotPassword])
      await fetch(`${mirror.url}/api/v1/account/password`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${auth('robot', secrets.robotPassword)}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ current: password, new: secrets.changedPassword }),
      });
    for (const authorization of [
      `Basic ${auth('robot', secrets.wrongPassword)}`,
      `Bearer ${secrets.wrongPassword}`,
    ])
      assert.equal((await fetch(`${mirror.url}/api/v1/tasks`, { headers: { authorization } })).status, 401);
    const env = { SVC_API_TOKEN: secret };
    await run(['sync', '--wait', '--instance', mirror.url, '--output', 'json'], 0, { env });
    await mirror.api('POST', '/tokens/planted/revoke');
    await run(['sync', '--instance', mirror.url], 1, { env });
    await run(['sync', '--dry-run', '--config', mirror.configPath], 0);

    // a source that repeats its request
    const stop = double.intercept((request, response) => {
      if (!/\/(?:manifests|tags)\//.test(request.path)) return false;
      response.writeHead(403, {
        'content-type': 'application/json',
        'x-echo': String(request.headers.authorization),
      });
      const message = `denied for ${request.headers.authorization} ${secrets.originPassword}`;
      response.end(JSON.stringify({ errors: [{ code: 'DENIED', message, detail: message }] }));
      return true;
    });
    const failed = await world.sync(mirror);
    assert.notEqual(failed.result.exitCode, 0);
    evidence.add('output of a failed svc sync', failed.result.stdout + failed.result.stderr);
    stop();
    for (const token of double.tokens.keys()) evidence.plant('token of the origin', token);
    await gather('mirror', mirror, [task.id, failed.task.id]);
    await mirror.stop();
    evidence.add('log of the mirror', mirror.log());
  });

  await t.test('an import, refusals and dumps', async () => {
    const carried = world.path('carried');
    await cp(medium, carried, { recursive: true });
    const zone = {
      ...config,
      zone: 'zone-b',
      storage: { root: carried },
      destination: { registry: registry.host },
      server: {
        addr: '127.0.0.1:0',
        tls: { certFile: join(keys, 'leaf.pem'), keyFile: join(keys, 'leaf-key.pem') },
      },
    };
    const at = await world.configure('zone', zone);
    await run(['media', 'verify', '--config', at], 0);
    const imported = await run(['media', 'import', '--config', at, '--output', 'json'], 0);
    assert.equal((JSON.parse(imported.stdout) as { task: Task }).task.status, 'done');
    for (const format of ['yaml', 'json'])
      assert.match((await run(['config', 'dump', '--config', at, '--output', format], 0)).stdout, /REDACTED/);
    const env = { SVC_NETWORK_PROXY_PASSWORD: secrets.wrongPassword };
    await run(['config', 'dump', '--config', at], 0, { env });
    const served = await world.start('zone', zone);
    await served.stop();
    evidence.add('log of the zone', served.log());
    await evidence.addTree('medium', carried);
    await evidence.addTree('state of the zone', world.path('zone', 'state'));
    await evidence.addTree('state of the mirror', world.path('mirror', 'state'));
    await evidence.addTree('state of the registry', world.path('zone-registry', 'state'));
    evidence.add('log of the registry', registry.log());
    await gather('registry', registry);
  });

  await t.test('what is refused is not quoted', async () => {
    const url = `http://egress:${secrets.urlPassword}@127.0.0.1:9`;
    const plain = await world.configure('plain', {});
    await run(['sync', '--dry-run', '--config', plain, '--proxy-url', url], 2);
    await run(['sync', '--instance', url], 2);
    await run(['sync'], 1, { env: { SVC_INSTANCE_URL: url } });
    await run(['config', 'dump', '--config', plain], 1, { env: { SVC_NETWORK_PROXY_URL: url } });
    await run(
      ['sync', '--dry-run', '--config', plain, '--retriever', `${url.replace('http', 'https')}/x`],
      2,
    );
    const broken = world.path('broken.yaml');
    await writeFile(broken, `network:\n  proxy: { password: "${secrets.proxyPassword}\n`);
    await run(['config', 'dump', '--config', broken], 1);
    await writeFile(
      broken,
      `network:\n  proxy: { password: [${secrets.proxyPassword}], pasword: ${secrets.proxyPassword} }\n`,
    );
    await run(['config', 'dump', '--config', broken], 1);
    const unread = await world.configure('unread', { ...config, registries: { credentialsFile: broken } });
    await writeFile(
      broken,
      `{"auths": {"${origin.host}": {"auth": "${auth('reader', secrets.originPassword)}" oops`,
    );
    await run(['sync', '--dry-run', '--config', unread], 1);
    await writeFile(broken, JSON.stringify({ auths: { [origin.host]: { auth: secrets.originPassword } } }));
    await run(['sync', '--dry-run', '--config', unread], 1);
    const swapped = await world.configure('swapped', {
      ...config,
      trust: { roots: [{ name: 'release', key: tlsPair.key }] },
    });
    await run(['sync', '--dry-run', '--config', swapped], 1);
    const token = world.path('token');
    await writeFile(token, `${secrets.queryToken} ${secrets.wrongPassword}\n`);
    await run(['sync', '--instance', 'http://127.0.0.1:9', '--token-file', token], 1);
    const file = world.path('shop.yaml');
    await writeFile(file, toRecipeDocument(origin.host, spec));
    const published = `${registry.host}/cookbook/shop:1.0.0`;
    const publisher = await world.configure('publisher', {
      registries: { insecure: [registry.host], credentialsFile: credentials },
      network,
    });
    await run(['recipe', 'push', file, published, '--config', publisher], 0);
    const wrong = await world.configure('wrong', {
      registries: { insecure: [registry.host], credentialsFile: broken },
    });
    await writeFile(
      broken,
      JSON.stringify({ auths: { [registry.host]: { auth: auth('admin', secrets.wrongPassword) } } }),
    );
    await run(['recipe', 'push', file, published, '--config', wrong], 1);
    const denied = await world.configure('denied', {
      registries: { insecure: [registry.host], credentialsFile: credentials },
      network: { proxy: { ...network.proxy, password: secrets.wrongPassword } },
    });
    await run(['recipe', 'push', file, published, '--config', denied], 1);
  });

  assert.ok(evidence.size > 50_000, 'there was something to look through');
  assert.deepEqual(evidence.find(), []);
});
