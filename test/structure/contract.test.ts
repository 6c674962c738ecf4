import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { apiRoutes } from '../../server/api/routes.ts';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { follow } from '../kit/result/documented.ts';
import { routeTable } from './route-table.ts';

let folder: TempFolder;
let server: TestServer;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const roles = ['viewer', 'operator', 'admin'] as const;
const methods = ['get', 'post', 'put', 'patch', 'delete'];

function fill(path: string): string {
  return path
    .replace('{repo}', 'some/repository')
    .replace('{tag}', 'v1')
    .replace('{id}', 'tsk_000000000000')
    .replace('{name}', 'nobody')
    .replace('{recipe}', 'nothing');
}

async function served(): Promise<any> {
  const response = await server.fetch('/api/v1/openapi.yaml', {
    headers: { authorization: server.as.viewer },
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/yaml');
  return parse(await response.text());
}

test('the routes are those of the contract, with its floors', () => {
  const mine = apiRoutes.map(({ method, path, floor }) => `${method} ${path} ${floor}`).sort();
  assert.deepEqual(mine, routeTable.api.map((row) => row.join(' ')).sort());
});

test('the OpenAPI document and the routes name each other, both ways', async () => {
  const document = await served();
  assert.equal(document.openapi, '3.1.0');
  const described = Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => methods.includes(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(described.sort(), apiRoutes.map(({ method, path }) => `${method} /api/v1${path}`).sort());
  for (const path of Object.keys(document.paths)) {
    const response = await server.fetch(fill(path), { method: 'OPTIONS' });
    const problem = (await response.json()) as { code: string };
    assert.equal(problem.code, 'SVC-SRV-004', path);
  }
});

test('every reference of the document leads somewhere and every schema compiles', async () => {
  const document = await served();
  const ajv = new Ajv2020.default({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'doc', components: document.components });
  const schemas: unknown[] = [];
  const walk = (node: any): void => {
    if (typeof node !== 'object' || node === null) return;
    if (typeof node.schema === 'object') schemas.push(node.schema);
    for (const value of Object.values(node)) walk(value);
  };
  walk(document.paths);
  assert.ok(schemas.length > 60);
  for (const schema of schemas) {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"doc#/components');
    ajv.compile(JSON.parse(text));
  }
});

test('every route refuses no credential and every role below its floor, and lets the others in', async () => {
  for (const { method, path, floor } of apiRoutes) {
    const target = `/api/v1${fill(path)}`;
    const none = await fetch(`${server.url}${target}`, { method });
    assert.equal(none.status, 401, `${method} ${path} without credential`);
    const refusal = (await none.json()) as { code: string };
    assert.equal(refusal.code, 'SVC-AUTH-002');
    for (const role of roles) {
      const response = await server.fetch(target, { method, headers: { authorization: server.as[role] } });
      const text = await response.text();
      const code = /"code":"([^"]+)"/.exec(text)?.[1];
      if (roles.indexOf(role) < roles.indexOf(floor)) {
        assert.equal(response.status, 403, `${method} ${path} as ${role}`);
        assert.equal(code, 'SVC-AUTH-003');
        assert.match(text, new RegExp(`"role":"${floor}"`));
      } else {
        assert.ok(
          code !== 'SVC-AUTH-003' && response.status !== 401,
          `${method} ${path} as ${role}: ${text}`,
        );
      }
    }
  }
});

test('what answers well answers in the shape that is described', async () => {
  const document = await served();
  const ajv = new Ajv2020.default({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'doc', components: document.components });
  let checked = 0;
  for (const { method, path } of apiRoutes) {
    if (method !== 'GET') continue;
    const response = await server.fetch(`/api/v1${fill(path)}`);
    const type = response.headers.get('content-type') ?? '';
    const text = await response.text();
    const described = follow(document.paths[`/api/v1${path}`].get.responses[response.status]);
    const content = described.content[type.split(';')[0]!];
    assert.ok(content, `${path} answered ${response.status} ${type}`);
    if (!type.includes('json')) continue;
    const reference = JSON.parse(
      JSON.stringify(content.schema).replaceAll('"#/components', '"doc#/components'),
    );
    const validate = ajv.compile(reference);
    assert.ok(validate(JSON.parse(text)), `${path}: ${ajv.errorsText(validate.errors)}`);
    checked += 1;
  }
  assert.ok(checked > 10);
});

test('the command line schema is draft 2020-12 and each of its definitions stands alone', async () => {
  const response = await server.fetch('/api/v1/cli-output.schema.json');
  const document = (await response.json()) as { $schema: string; $defs: Record<string, object> };
  assert.equal(document.$schema, 'https://json-schema.org/draft/2020-12/schema');
  const ajv = new Ajv2020.default({ strict: false, validateFormats: false });
  for (const [name, schema] of Object.entries(document.$defs)) {
    assert.match(name, /^svc [a-z]+( [a-z]+)?$/);
    ajv.compile(schema);
  }
});
