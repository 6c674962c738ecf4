import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { renderOpenApi } from '../../server/api/openapi/document.ts';
import { listErrorCodes } from '../../server/api/openapi/error-codes.ts';
import { checkBody } from '../../server/api/request/parse-request.ts';
import { apiRoutes } from '../../server/api/routes.ts';
import { checkValue } from '../../src/contract/check-value.ts';
import { refusalOf, type Schema } from '../../src/contract/schema.ts';
import { errorKinds } from '../../src/text/errors/codes.ts';
import type { ErrorCode } from '../../src/text/errors/registry.ts';
import { compileSchema, findFlaw, follow, openApi } from '../kit/result/documented.ts';

interface Operation {
  readonly name: string;
  readonly entry: any;
}

const operations: readonly Operation[] = Object.entries<any>(openApi.paths).flatMap(([path, item]) =>
  Object.entries<any>(item).map(([method, entry]) => ({ name: `${method.toUpperCase()} ${path}`, entry })),
);

/** Every schema of a node with its place, members and items included. */
function* walk(node: any, at: string): Generator<readonly [string, any]> {
  if (typeof node !== 'object' || node === null) return;
  yield [at, node];
  for (const [name, member] of Object.entries<any>(node.properties ?? {}))
    yield* walk(member, `${at}.${name}`);
  for (const key of ['items', 'additionalProperties', 'propertyNames'])
    yield* walk(node[key], `${at}/${key}`);
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    for (const [i, one] of (node[key] ?? []).entries()) yield* walk(one, `${at}/${key}${i}`);
}

/** Every schema of the document with its place. */
function* everySchema(): Generator<readonly [string, any]> {
  for (const [name, schema] of Object.entries(openApi.components.schemas)) yield* walk(schema, name);
  for (const { name, entry } of operations) {
    for (const parameter of entry.parameters ?? [])
      yield* walk(parameter.schema, `${name} ${parameter.name}`);
    yield* walk(entry.requestBody?.content['application/json'].schema, `${name} body`);
    for (const status of Object.keys(entry.responses).filter((one) => one < '300'))
      for (const { schema } of Object.values<any>(entry.responses[status].content ?? {}))
        yield* walk(schema, `${name} ${status}`);
  }
}

// Generated clients name their functions after them: one that changes breaks its callers.
const identifiers =
  `addReceipt cancelProof cancelTask cancelTasks cancelVerification changePassword createAccount createToken deleteAccount deleteContent diffRecipes exportLayout forgetDelivery
  getCliOutputSchema getClientConfig getFilesetFile getIdentity getKnownDelivery getMedium getNetwork getOpenApiDocument getProof getRecipeMapping getRepository getRetriever
  getStatus getTask getTaskLog getVerification getVersion getZone importArtifact importLayout importMedium inspectArtifact lintRecipe
  listAccounts listClients listContent listCustody listDeliveries listFilesetFiles listFilesets listHistory listKnownDeliveries listReceipts listRecipes listTasks listTokens listZones packEvidence packFileset pinRecipe planLayoutExport planLayoutImport
  planMedia planSync previewContentDeletion previewPrune previewReset proveMedium publishRecipe replaceCertificate resetRateLimit resetStore resetSyncInterval
  resetWindows revokeToken setRateLimit
  setSyncInterval setWindows startSync updateAccount verifyMedium writeMedia`.split(/\s+/);

test('the identifiers of the operations are those that clients were generated with', () => {
  assert.deepEqual(operations.map(({ entry }) => entry.operationId).sort(), identifiers);
});

test('the YAML that an instance serves has the values that answers are held to', () => {
  assert.deepEqual(parse(renderOpenApi(apiRoutes, '0.0.0-test')), openApi);
});

test('an operation whose role is a setting says so', () => {
  const told = operations.filter(({ entry }) => /`auth\.historyRole`/.test(entry.description ?? ''));
  assert.deepEqual(told.map(({ name }) => name).sort(), [
    'GET /api/v1/deliveries',
    'GET /api/v1/deliveries/{delivery}',
    'GET /api/v1/history',
    'GET /api/v1/receipts',
    'POST /api/v1/evidence',
  ]);
});

test('an operation lists every status with its codes, and no other can be answered', () => {
  for (const { name, entry } of operations) {
    const statuses = Object.keys(entry.responses);
    for (const status of ['401', '403', '422', '429', '500', '503'])
      assert.ok(statuses.includes(status), `${name} ${status}`);
    assert.ok(!statuses.includes('default'), name);
    const hasBody = !name.startsWith('GET ');
    for (const status of ['413', '415'])
      if (hasBody) assert.ok(statuses.includes(status), `${name} ${status}`);
    if (name.includes('{')) assert.ok(statuses.includes('404'), name);
    for (const status of statuses.filter((one) => one >= '400')) {
      // about a range or a condition, which have no code
      if (status === '412' || status === '416') continue;
      const { schema } = follow(entry.responses[status]).content['application/problem+json'];
      const { code } = schema.allOf[1].properties;
      assert.ok(code.enum.length > 0, `${name} ${status}`);
      for (const one of code.enum)
        assert.equal(errorKinds[one as ErrorCode].status, Number(status), `${name} ${one}`);
    }
  }
});

test('every object is closed, or says what its other members are', () => {
  for (const [at, schema] of everySchema()) {
    if (
      schema.type !== 'object' ||
      at.startsWith('GET /api/v1/openapi.yaml') ||
      at.endsWith('$defs/additionalProperties')
    )
      continue;
    assert.ok(schema.additionalProperties !== undefined && schema.additionalProperties !== true, at);
  }
});

test('every member, parameter, answer and value of a short list is explained', () => {
  for (const [at, schema] of everySchema()) {
    for (const [name, member] of Object.entries<any>(schema.properties ?? {})) {
      const described = { ...follow(member), ...member };
      assert.ok(described.description, `${at}.${name}`);
      if (described.enum?.length > 20) continue;
      for (const value of described.enum ?? [])
        assert.ok(described.description.includes(`\`${value}\``), `${at}.${name}: ${value}`);
    }
  }
  for (const { name, entry } of operations) {
    assert.ok(entry.summary && entry.tags.length === 1, name);
    assert.ok(
      openApi.tags.some((tag: { name: string }) => tag.name === entry.tags[0]),
      name,
    );
    for (const one of [...(entry.parameters ?? []), ...Object.values(entry.responses).map(follow)])
      assert.ok(one.description, `${name} ${one.name}`);
  }
});

test('every text, number and list of a request has its limits', () => {
  for (const { name, entry } of operations) {
    const body = entry.requestBody?.content['application/json'].schema;
    const schemas = [
      ...(entry.parameters ?? []).flatMap((one: any) =>
        one.in === 'header' ? [] : [...walk(one.schema, `${name} ${one.name}`)],
      ),
      ...walk(body, `${name} body`),
    ];
    for (const [at, schema] of schemas) {
      const limits = ['maxLength', 'pattern', 'enum', 'const'].some((key) => schema[key] !== undefined);
      // the limit of a document is in bytes, which JSON Schema cannot say
      if (schema.type === 'string' && !at.endsWith('.document')) assert.ok(limits, at);
      if (schema.type === 'integer')
        assert.ok(schema.minimum !== undefined && schema.maximum !== undefined, at);
    }
  }
});

/** Types of answers that are a text: a table and lines of records are no one document, as a page of them is. */
const asText: ReadonlySet<string> = new Set([
  'text/plain',
  'text/csv',
  'application/x-ndjson',
  'application/octet-stream',
  'application/x-tar',
]);

test('every request and every answer has examples, and they are valid', () => {
  let checked = 0;
  for (const { name, entry } of operations) {
    for (const { name: parameter, example, schema } of entry.parameters ?? []) {
      assert.notEqual(example, undefined, `${name} ${parameter}`);
      assert.equal(findFlaw(example, schema), undefined, `${name} ${parameter}`);
    }
    const body = entry.requestBody?.content['application/json'];
    if (body !== undefined) assert.ok(Object.keys(body.examples).length > 0, name);
    for (const [title, { summary, value }] of Object.entries<any>(body?.examples ?? {})) {
      assert.ok(summary, `${name} ${title}`);
      assert.equal(findFlaw(value, body.schema), undefined, `${name} ${title}`);
      checked += 1;
    }
    const status = Object.keys(entry.responses).find((one) => one < '300')!;
    for (const [type, { schema, example }] of Object.entries<any>(entry.responses[status].content ?? {})) {
      if (asText.has(type)) continue;
      assert.notEqual(example, undefined, `${name} ${status}`);
      assert.equal(findFlaw(example, schema), undefined, `${name} ${status}`);
      checked += 1;
    }
  }
  assert.ok(checked > 60);
});

/** The code of each part of a schema that is left to the operation. */
function* listRefusals(schema: Schema): Generator<ErrorCode> {
  const code = refusalOf(schema);
  if (code !== undefined) yield code;
  for (const member of Object.values(schema.properties ?? {})) yield* listRefusals(member);
  if (schema.items !== undefined) yield* listRefusals(schema.items);
}

test('the program accepts the examples of requests, and an operation lists the codes that its schemas leave to it', () => {
  let left = 0;
  for (const route of apiRoutes) {
    const { id, query, body } = route;
    const parameters = Object.values(query);
    for (const { schema, example } of parameters) checkValue(example, schema, `/${id}`, 'query');
    for (const { value } of Object.values(body?.examples ?? {})) checkBody(route, value);
    const schemas = [...parameters.map(({ schema }) => schema), ...(body === undefined ? [] : [body.schema])];
    for (const code of schemas.flatMap((schema) => [...listRefusals(schema)])) {
      assert.ok(listErrorCodes(route).includes(code), `${id} ${code}`);
      left += 1;
    }
  }
  assert.ok(left > 10);
});

test('a link leads to an operation and gives its path parameters', () => {
  let followed = 0;
  for (const { name, entry } of operations)
    for (const response of Object.values<any>(entry.responses))
      for (const [title, { operationId, parameters }] of Object.entries<any>(response.links ?? {})) {
        const target = operations.find((one) => one.entry.operationId === operationId);
        assert.ok(target, `${name} ${title}`);
        const needed = target.entry.parameters
          .filter((one: any) => one.in === 'path')
          .map((one: any) => one.name);
        assert.deepEqual(Object.keys(parameters), needed, `${name} ${title}`);
        followed += 1;
      }
  assert.ok(followed > 10);
});

test('a schema that nothing refers to would describe nothing', () => {
  const text = JSON.stringify(openApi);
  for (const kind of ['schemas', 'responses', 'headers'])
    for (const name of Object.keys(openApi.components[kind]))
      if (!commandLineOnly.has(name))
        assert.ok(text.includes(`"#/components/${kind}/${name}"`), `${kind}/${name}`);
  for (const schema of Object.values(openApi.components.schemas)) compileSchema(schema);
});

/** Documents of commands that no operation answers. */
const commandLineOnly = new Set(['LayoutExport', 'LayoutImport', 'StoreCheckReport']);
