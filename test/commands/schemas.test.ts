import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { configEntries } from '../../src/config/schema.ts';
import { runCommand } from '../kit/program/run-command.ts';
import { assertCliDocument } from '../kit/result/cli-schema.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });

async function configSchema(): Promise<ReturnType<typeof ajv.compile>> {
  const { exitCode, stdout, stderr } = await runCommand(['config', 'schema']);
  assert.deepEqual([exitCode, stderr], [0, '']);
  return ajv.compile(JSON.parse(stdout));
}

test('the schema of the configuration accepts the examples of the documentation and every way to write a value', async () => {
  const accepts = await configSchema();
  const folder = join(import.meta.dirname, '..', '..', 'docs');
  let seen = 0;
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const page of pages.filter((name) => name.endsWith('.md'))) {
    const text = readFileSync(join(folder, page), 'utf8');
    for (const [, block] of text.matchAll(/```yaml\n([\s\S]*?)```/g)) {
      const document: unknown = parse(block!);
      if (!isConfiguration(document)) continue;
      seen += 1;
      assert.ok(accepts(document), `${page}: ${block}\n${JSON.stringify(accepts.errors, undefined, 1)}`);
    }
  }
  assert.ok(seen > 3, `${seen} examples`);
  const written = {
    tasks: { keepFinished: '4' },
    transfer: { resumeThreshold: 0 },
    server: { secureCookies: 'true' },
    shutdown: { gracePeriod: '1h30m' },
  };
  assert.ok(accepts(written), JSON.stringify(accepts.errors));
});

const sections: ReadonlySet<string> = new Set(configEntries.map(({ key }) => key.split('.')[0]!));

/** Whether a YAML example is a configuration and no Retriever, recipe or file of another program. */
function isConfiguration(document: unknown): boolean {
  return (
    typeof document === 'object' &&
    document !== null &&
    !('kind' in document) &&
    Object.keys(document).every((name) => sections.has(name))
  );
}

test('the schema of the configuration refuses what the program refuses', async () => {
  const accepts = await configSchema();
  for (const wrong of [
    { stroage: { root: '/x' } },
    { storage: { root: 5 } },
    { mode: 'mirrored' },
    { shutdown: { gracePeriod: '30 seconds' } },
    { tasks: { keepFinished: 1.5 } },
    { trust: { roots: [{ nam: 'x' }] } },
  ])
    assert.ok(!accepts(wrong), JSON.stringify(wrong));
});

test('every key of the configuration is in the schema, with its meaning and default', async () => {
  const schema = JSON.parse((await runCommand(['config', 'schema'])).stdout);
  for (const { key, doc, type, default: preset } of configEntries) {
    let node = schema;
    for (const part of key.split('.')) node = node.properties[part];
    assert.equal(node.description, doc, key);
    assert.deepEqual(node.default, preset === undefined ? undefined : type.format(preset), key);
  }
});

test('version --schema prints a schema that accepts what the commands print', async () => {
  const { exitCode, stdout, stderr } = await runCommand(['version', '--schema']);
  assert.deepEqual([exitCode, stderr], [0, '']);
  const schema = JSON.parse(stdout);
  const document = JSON.parse((await runCommand(['version', '--output', 'json'])).stdout);
  assert.ok(ajv.validate(schema.$defs['svc version'], document));
  assert.ok(!ajv.validate(schema.$defs['svc version'], { version: 1 }));
  assertCliDocument('svc version', JSON.stringify(document));
});

test('no schema of a document that a command prints accepts an object without members', async () => {
  const schema = JSON.parse((await runCommand(['version', '--schema'])).stdout);
  const open = Object.entries<object>(schema.$defs).filter(([, definition]) => ajv.validate(definition, {}));
  // every setting of a configuration can be left out
  assert.deepEqual(
    open.map(([command]) => command),
    ['svc config dump'],
  );
});
