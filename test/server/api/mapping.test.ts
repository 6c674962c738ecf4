import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import type { GateRefusal } from '../../../src/base/gate-refusal.ts';
import { recordSync } from '../../../src/store/record-sync.ts';
import { toRecipeRecord } from '../../kit/content/recipe-record.ts';
import { createOpenGate } from '../../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';

let folder: TempFolder;
let server: TestServer;
let refusal: GateRefusal | undefined;
const hidden = new Set<string>();

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    gate: () => ({
      ...createOpenGate({ rehash: false }),
      refusal: () => refusal,
      allowsTag: (_repository, tag) => !hidden.has(tag),
    }),
  });
  await recordSync(server.store, { zone: 'zone', runId: 'run', resolvedAt: '2026-01-01T00:00:00.000Z' }, [
    toRecipeRecord('shop', '1.0.0', [['docker.io/library/nginx', '1.27']]),
    toRecipeRecord('shop', '2.0.0', [['docker.io/library/nginx', '1.28']]),
    toRecipeRecord('other', '1.0.0', [['quay.io/x/y', '1']]),
  ]);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function get(path: string): Promise<any> {
  const response = await server.fetch(`/api/v1/recipes/${path}`, {
    headers: { authorization: server.as.viewer },
  });
  return response.json();
}

test('the mapping of a recipe has all its versions, and uses the address at which the instance was reached', async () => {
  const { host } = new URL(server.url);
  const mapping = await get('shop/mapping');
  assert.equal(mapping.recipe, 'shop');
  assert.deepEqual(
    mapping.versions.map(({ version, ingredients }: any) => [
      version,
      ingredients[0].nominal,
      ingredients[0].relocated,
    ]),
    [
      ['1.0.0', 'docker.io/library/nginx:1.27', `${host}/docker.io/library/nginx:1.27`],
      ['2.0.0', 'docker.io/library/nginx:1.28', `${host}/docker.io/library/nginx:1.28`],
    ],
  );
  assert.ok(mapping.mirrors.registriesYaml.includes(`"http://${host}"`));
  assert.ok(!mapping.mirrors.registriesYaml.includes('quay.io'));
});

test('host names in request headers are not used in the mapping', async () => {
  const { hostname, port } = new URL(server.url);
  const body = await new Promise<string>((resolve, reject) => {
    const path = '/api/v1/recipes/shop/mapping';
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      authorization: server.as.viewer,
    };
    request({ hostname, port, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });
  assert.match(body, /registriesYaml/);
  assert.doesNotMatch(body, /evil/);
});

test('the address that is configured for clients stands in the mapping, and on the pages', async () => {
  await using own = await openTempFolder();
  await using behind = await startTestServer({
    folder: own.path,
    publicBase: { scheme: 'https', host: 'instance.example' },
  });
  const refs = [['docker.io/library/nginx', '1.27']] as const;
  const sync = { zone: 'zone', runId: 'run', resolvedAt: '2026-01-01T00:00:00.000Z' };
  await recordSync(behind.store, sync, [toRecipeRecord('shop', '1.0.0', refs)]);
  const mapping = (await (await behind.fetch('/api/v1/recipes/shop/mapping')).json()) as any;
  assert.equal(mapping.versions[0].ingredients[0].relocated, 'instance.example/docker.io/library/nginx:1.27');
  assert.match(mapping.mirrors.registriesYaml, /"https:\/\/instance\.example"/);
  const page = await (await behind.fetch('/admin/accounts/-/token')).text();
  assert.match(page, /https:\/\/instance\.example\/api\/v1\/tokens/);
  assert.ok(!page.includes(new URL(behind.url).host));
});

test('another address of the registry may be given, and only as a host', async () => {
  const mapping = await get('shop/mapping?registry=https://mirror.example:5000');
  assert.match(mapping.mirrors.registriesYaml, /"https:\/\/mirror\.example:5000"/);
  assert.match(
    (await get('shop/mapping?registry=mirror.example')).mirrors.registriesYaml,
    /"http:\/\/mirror\.example"/,
  );
  const literal = await get('shop/mapping?registry=http://[::1]:8080');
  assert.match(literal.mirrors.registriesYaml, /"http:\/\/\[::1\]:8080"/);
  for (const registry of [
    'ftp://x',
    'a/b',
    'a:b',
    'x"\n',
    'user@host',
    'https://',
    'HTTP://X',
    '::1',
    '[x]',
    '[::1]/a',
  ])
    assert.equal(
      (await get(`shop/mapping?registry=${encodeURIComponent(registry)}`)).code,
      'SVC-VAL-001',
      registry,
    );
});

test('an unknown recipe is not found, and one that did not pass is refused as such', async () => {
  assert.equal((await get('none/mapping')).code, 'SVC-REG-005');
  hidden.add('1.0.0');
  assert.deepEqual(
    (await get('shop/mapping')).versions.map(({ version }: any) => version),
    ['2.0.0'],
  );
  assert.equal((await get('other/mapping')).code, 'SVC-MED-032');
  hidden.clear();
  for (const code of ['SVC-MED-030', 'SVC-MED-032'] as const) {
    refusal = { code, mediaId: 'm' };
    assert.equal((await get('shop/mapping')).code, code);
  }
  refusal = undefined;
});
