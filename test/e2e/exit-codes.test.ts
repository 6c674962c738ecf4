import assert from 'node:assert/strict';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { buildImage } from '../kit/content/content.ts';
import { publishRecipe, type RecipeSpec, toOrigin, toRecipeDocument } from '../kit/content/origin.ts';
import { createSigner } from '../kit/content/signer.ts';
import { damageFile } from '../kit/hostile/damage-file.ts';
import { runSvc, type SvcOptions, type SvcResult } from '../kit/program/svc.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';

test('every exit code is produced by a command, and every report is what the served schema says', async (t) => {
  await using world = await openRehearsal({ inProcess: true });
  const double = await world.double();
  const origin = toOrigin(double);
  const image = buildImage('codes', { layerSize: 10_000 });
  await origin.put('shop/web', image, '1.0');
  const spec: RecipeSpec = {
    name: 'shop',
    version: '1.0.0',
    ingredients: [
      { name: 'web', repository: 'shop/web', version: '1.0', digest: image.manifest.descriptor.digest },
    ],
    signatures: [{ signer: world.signer }],
  };
  await publishRecipe(origin, spec);
  await publishRecipe(origin, { ...spec, name: 'foreign', signatures: [{ signer: createSigner() }] });
  const wanted = (name: string, recipes: readonly string[]) =>
    world.retriever(name, {
      cookbook: `${origin.host}/cookbook`,
      recipes: recipes.map((recipe) => ({ name: recipe, version: '^1.0' })),
    });
  const medium = world.path('medium');
  const registry = await world.start('zone-registry');
  const config = {
    mode: 'mirror',
    storage: { root: medium },
    retriever: { source: await wanted('good', ['shop']) },
    registries: await world.registries([origin.host]),
    trust: world.trust,
  };
  const mirror = await world.start('mirror', config);
  const operator = { SVC_API_TOKEN: await mirror.createToken('operator') };
  const viewer = { SVC_API_TOKEN: await mirror.createToken('viewer') };

  const served = await fetch(`${mirror.url}/api/v1/cli-output.schema.json`, {
    headers: { authorization: mirror.authorization },
  });
  const schema = (await served.json()) as { $defs: Record<string, object>; $schema: string };
  assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema');
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } });
  const validators = new Map<string, ValidateFunction>(
    Object.entries(schema.$defs).map(([name, one]) => [name, ajv.compile(one)]),
  );
  const reported = new Set<string>();
  const codes = new Set<number>();

  /** The first command with each exit code is a process of its own. */
  const run = (args: readonly string[], expected: number, options: SvcOptions = {}): Promise<SvcResult> =>
    codes.has(expected) ? world.svc(args, options) : runSvc(args, options);

  /** Runs a command with `--output json`: stdout must be its report, or the document of an error, alone. */
  const report = async (
    command: string,
    args: readonly string[],
    expected: number,
    options: SvcOptions & { readonly fails?: boolean } = {},
  ): Promise<SvcResult> => {
    const result = await run(
      [...command.split(' ').slice(1), ...args, '--output', 'json'],
      expected,
      options,
    );
    assert.equal(result.exitCode, expected, `${command} ${args.join(' ')}\n${result.stderr}${result.stdout}`);
    codes.add(result.exitCode);
    const validate = validators.get(command);
    assert.ok(validate, `${command} has a definition`);
    const document = JSON.parse(result.stdout) as { readonly error?: { readonly exit_code: number } };
    assert.ok(validate(document), `${command}: ${ajv.errorsText(validate.errors)}\n${result.stdout}`);
    if (options.fails) assert.equal(document.error?.exit_code, expected, result.stdout);
    else reported.add(command);
    return result;
  };

  await t.test('commands that need nothing', async () => {
    const { stdout } = await report('svc version', [], 0);
    assert.deepEqual(
      (JSON.parse(stdout) as { exitCodes: { code: number; name: string }[] }).exitCodes.map(
        ({ code, name }) => [code, name],
      ),
      [
        [0, 'ok'],
        [1, 'failure'],
        [2, 'usage'],
        [3, 'policy'],
        [4, 'verification'],
        [5, 'changes-planned'],
      ],
    );
    await report('svc config dump', ['--config', mirror.configPath], 0);
    await report('svc config dump', ['--config', world.path('absent.yaml')], 1);
    await report('svc config schema', [], 0);
    await report('svc explain', ['SVC-CFG-001'], 0);
    await report('svc trust show', ['--config', mirror.configPath], 0);
    await writeFile(world.path('release.pub'), world.signer.publicKeyPem);
    await report('svc trust fingerprint', [world.path('release.pub')], 0);
    await report('svc trust fingerprint', [mirror.configPath], 1, { fails: true });
  });

  await t.test('usage', async () => {
    for (const args of [
      ['sync', '--dry-rum'],
      ['snyc'],
      ['version', '--output', 'xml'],
      ['sync', '--dry-run', '--wait'],
      ['media', 'verify', '--output', 'yaml'],
      ['recipe', 'push', 'only-one-argument'],
      ['serve', '--log-level', 'loud'],
    ]) {
      const { exitCode, stdout, stderr } = await run(args, 2);
      assert.equal(exitCode, 2, `${args.join(' ')}\n${stderr}`);
      assert.equal(stdout, '');
      codes.add(exitCode);
    }
    assert.match((await world.svc(['snyc'])).stderr, /sync/, 'it suggests what was meant');
  });

  await t.test('accounts', async () => {
    const at = ['--config', mirror.configPath];
    const password = { input: 'another passphrase\n' };
    await report('svc user add', ['robot', '--role', 'operator', '--password-stdin', ...at], 0, password);
    await report('svc user add', ['robot', '--password-stdin', ...at], 1, { ...password, fails: true });
    await report('svc user passwd', ['robot', '--password-stdin', ...at], 0, password);
    await report('svc user passwd', ['nobody', '--password-stdin', ...at], 1, { ...password, fails: true });
    await report('svc user list', at, 0);
    await report('svc user role', ['robot', 'viewer', ...at], 0);
    await report('svc user role', ['ghost', 'viewer', ...at], 1, { fails: true });
    await report('svc user remove', ['robot', ...at], 0);
    await report('svc user remove', ['robot', ...at], 1, { fails: true });
    await report('svc token create', ['pipeline', '--role', 'operator', ...at], 0);
    await report('svc token create', ['pipeline', ...at], 1, { fails: true });
    await report('svc token list', at, 0);
    await report('svc token revoke', ['pipeline', ...at], 0);
    await report('svc token revoke', ['ghost', ...at], 1, { fails: true });
    const first = await world.configure('first', {});
    await report('svc user add', ['root', '--password-stdin', '--config', first], 0, password);
    const refused = await world.svc(['serve', '--config', await world.configure('empty', {})]);
    assert.equal(refused.exitCode, 3, 'no account');
    assert.match(refused.stderr, /SVC-AUTH-001/);
  });

  await t.test('drafts of recipes and Retrievers', async () => {
    const list = world.path('images.txt');
    await writeFile(list, 'nginx:1.27\n');
    await report('svc recipe init', ['shop', '--from', list], 0);
    await report('svc recipe init', ['shop', '--from', world.path('absent')], 1, { fails: true });
    const made = ['zone-b', '--cookbook', 'registry.example/cookbook', '--recipe', 'shop@^1.4'];
    const { stdout } = await report('svc retriever init', made, 0);
    const file = world.path('drafted-retriever.yaml');
    await writeFile(file, JSON.parse(stdout).document);
    await report('svc retriever lint', [file], 0);
    await writeFile(file, JSON.parse(stdout).document.replace('"^1.4"', '"1.4"'));
    await report('svc retriever lint', [file], 1);
  });

  await t.test('publishing a recipe', async () => {
    const publisher = await world.configure('publisher', {
      registries: await world.registries([registry.host]),
    });
    const at = `${registry.host}/published/shop:1.0.0`;
    const file = world.path('shop.yaml');
    await writeFile(file, toRecipeDocument(origin.host, spec));
    await report('svc recipe push', [file, at, '--config', publisher], 0);
    await report('svc recipe push', [file, at, '--config', publisher], 0);
    await writeFile(file, `${toRecipeDocument(origin.host, spec)}# changed\n`);
    const other = await report('svc recipe push', [file, at, '--config', publisher], 3, { fails: true });
    assert.match(other.stderr, /SVC-POL-004/);
    const wrong = [file, `${registry.host}/published/other:1.0.0`, '--config', publisher];
    await report('svc recipe push', wrong, 1, { fails: true });
  });

  await t.test('keys, signing a recipe, and what a Retriever picks', async () => {
    const name = world.path('own');
    const [key, pub] = [`${name}.key`, `${name}.pub`];
    const env = { SVC_SIGNING_PASSWORD: 'a good password' };
    await report('svc key new', [name], 0, { env });
    await report('svc key new', [name], 1, { env, fails: true });
    await report('svc key show', [pub], 0);
    await report('svc key show', [key], 1, { fails: true });
    await report('svc key show', [key, '--storage-root', world.folder], 3, { env, fails: true });
    const registries = await world.registries([registry.host]);
    const publisher = await world.configure('signer', { registries });
    const signing = [`${registry.host}/published/shop:1.0.0`, '--config', publisher];
    await report('svc recipe sign', [...signing, '--key', key], 0, { env });
    const payload = world.path('payload');
    await report('svc recipe sign', [...signing, '--payload-out', payload], 0);
    const foreign = ['--payload', payload, '--signature', payload, '--key-pub', pub];
    await report('svc recipe sign', [...signing, ...foreign], 4, { fails: true });
    await report('svc recipe sign', [...signing, '--key', pub], 1, { fails: true });
    const retriever = await world.retriever('picks', {
      cookbook: `${registry.host}/published`,
      recipes: [{ name: 'shop', version: '^1.0' }],
    });
    const zone = await world.configure('picking', {
      registries,
      trust: { roots: [{ name: 'own', keyFile: pub }] },
    });
    await report('svc retriever resolve', [retriever, '--config', zone], 0);
    await report('svc retriever resolve', [retriever, '--config', publisher], 4);
  });

  await t.test('recipe documents', async () => {
    const at = [
      '--config',
      await world.configure('author', { registries: await world.registries([origin.host, registry.host]) }),
    ];
    const cooked = world.path('cooked.yaml');
    const draft = world.path('draft.yaml');
    const text = toRecipeDocument(origin.host, spec);
    await writeFile(cooked, text);
    await writeFile(draft, text.replaceAll(/ +digest: .*\n/g, ''));
    await report('svc recipe lint', [cooked, ...at], 0);
    await report('svc recipe lint', [cooked, '--strict', ...at], 1);
    await report('svc recipe pin', [cooked, '--check', ...at], 0);
    await report('svc recipe pin', [draft, '--check', ...at], 5);
    const nowhere = await world.configure('unlisted', { registries: { allowlist: [] } });
    await report('svc recipe pin', [draft, '--config', nowhere], 3);
    await report('svc recipe pin', [world.path('absent.yaml'), ...at], 1, { fails: true });
    await report('svc recipe pin', [draft, ...at], 0);
    await report('svc recipe show', [draft, ...at], 0);
    await report('svc recipe show', [`${origin.host}/cookbook/shop:1.0.0`, '--verify', ...at], 4);
    await report('svc recipe diff', [cooked, draft, ...at], 0);
    await writeFile(draft, text.replaceAll('name: web', 'name: other'));
    await report('svc recipe diff', [cooked, draft, '--exit-code', ...at], 5);
  });

  const instance = ['--instance', mirror.url];
  await t.test('synchronization', async () => {
    await report('svc sync', ['--dry-run', '--config', mirror.configPath], 5);
    await report('svc sync', instance, 3, { env: viewer, fails: true });
    await report('svc sync', instance, 1, { env: { SVC_API_TOKEN: 'svc_wrong' }, fails: true });
    await report('svc sync', ['--instance', 'http://127.0.0.1:9'], 1, { env: operator, fails: true });
    await report('svc sync', instance, 0, { env: operator });
    await report('svc sync', ['--wait', ...instance], 0, { env: operator });
    await report('svc sync', ['--dry-run', '--config', mirror.configPath], 0);
    const foreign = await wanted('foreign', ['shop', 'foreign']);
    await report('svc sync', ['--dry-run', '--config', mirror.configPath, '--retriever', foreign], 4);
    await wanted('good', ['shop', 'foreign']);
    await report('svc sync', ['--wait', ...instance], 4, { env: operator });
    await wanted('good', ['shop', 'absent']);
    await report('svc sync', ['--wait', ...instance], 1, { env: operator });
    await report('svc status', instance, 5, { env: viewer });
    await report('svc status', ['--config', mirror.configPath], 5);
    const listed = await world.configure('listed', {
      ...config,
      registries: { ...config.registries, allowlist: [] },
    });
    await report('svc sync', ['--dry-run', '--config', listed], 3);
    await wanted('good', ['shop']);
    await report('svc sync', ['--wait', ...instance], 0, { env: operator });
  });

  await t.test('tasks', async () => {
    const { stdout } = await report('svc task list', ['--status', 'failed', ...instance], 0, { env: viewer });
    const { tasks } = JSON.parse(stdout) as { tasks: { id: string; principalCode: string }[] };
    const untrusted = tasks.find(({ principalCode }) => principalCode === 'SVC-SIG-001')!.id;
    for (const command of ['svc task show', 'svc task log'])
      await report(command, [untrusted, ...instance], 0, { env: viewer });
    await report('svc task wait', [untrusted, ...instance], 4, { env: viewer });
    await report('svc task show', ['tsk_000000000000', ...instance], 1, { env: viewer, fails: true });
    // a client that pulls nothing, and none
    const bin = world.path('bin');
    await mkdir(bin);
    await writeFile(join(bin, 'ctr'), '#!/bin/sh\necho ctr 1.7.0\nexit 1\n', { mode: 0o755 });
    await report('svc client test', ['containerd', ...instance], 1, { env: { ...viewer, PATH: bin } });
    await report('svc client test', ['podman', ...instance], 2, {
      env: { ...viewer, PATH: bin },
      fails: true,
    });
    await mirror.stop();
  });

  await t.test('what is there', async () => {
    const at = ['--config', mirror.configPath];
    await report('svc status', at, 0);
    const { stdout } = await report('svc content list', ['--kind', 'ContainerImage', ...at], 0);
    const { repositories } = JSON.parse(stdout) as { repositories: { name: string }[] };
    await report('svc content show', [`${repositories[0]!.name}:1.0`, ...at], 0);
    await report('svc client config', ['k3s', '--registry', 'zone.example', ...at], 0);
    await report('svc content show', ['no/such/repository', ...at], 1, { fails: true });
    await report('svc recipe mapping', ['shop', '--registry', registry.host, ...at], 0);
    await report('svc recipe mapping', ['shopp', '--registry', registry.host, ...at], 1, { fails: true });
  });

  await t.test('layouts, file sets and the check of a store', async () => {
    const at = ['--config', mirror.configPath];
    const layout = world.path('layout.tar');
    await report('svc export', [layout, '--dry-run', ...at], 0);
    await report('svc export', [layout, '--recipe', 'shop', ...at], 0);
    await report('svc export', [layout, ...at], 1, { fails: true });
    await report('svc import', [layout, ...at], 0);
    await writeFile(world.path('foreign.tar'), 'not an archive');
    await report('svc import', [world.path('foreign.tar'), ...at], 4, { fails: true });
    await report('svc import', [world.path('absent.tar'), ...at], 1, { fails: true });
    await mkdir(world.path('packages'));
    await report('svc fileset pack', [world.path('packages'), 'packages:1.0.0', ...at], 0);
    await report('svc fileset pack', [world.path('absent'), 'packages:1.0.0', ...at], 1, { fails: true });
    await report('svc store check', at, 0);
    const victim = image.blobs.at(-1)!.descriptor.digest;
    await damageFile(join(medium, 'blobs', ...victim.split(':')), 100);
    await report('svc store check', at, 4);
    await report('svc export', [world.path('damaged.tar'), ...at], 4);
    await damageFile(join(medium, 'blobs', ...victim.split(':')), 100);
    await report('svc store check', at, 0);
  });

  await t.test('media', async () => {
    const carried = world.path('carried');
    await cp(medium, carried, { recursive: true });
    const zone = {
      mode: 'mirror',
      zone: 'zone-b',
      storage: { root: carried },
      registries: await world.registries([registry.host]),
      destination: { registry: registry.host },
      trust: world.trust,
    };
    const at = ['--config', await world.configure('zone', zone)];
    const source = await world.configure('writer', {
      mode: 'mirror',
      storage: { root: medium },
      trust: world.trust,
      custody: { enabled: true, site: 'zone-a' },
    });
    const write = [world.path('delivery'), '--zone', 'zone-b', '--config', source];
    await report('svc media write', [...write, '--dry-run'], 5);
    const made = await report('svc media write', write, 0);
    await report('svc media write', [...write, '--dry-run'], 0);
    await report('svc media write', [carried, ...write.slice(1)], 1, { fails: true });
    const ledger = ['--config', source];
    const note = ['--delivery', JSON.parse(made.stdout).delivery.id, '--text', 'seal 4711'];
    await report('svc custody note', [...note, ...ledger], 0);
    await report('svc custody list', ledger, 0);
    await report('svc custody verify', ledger, 0);
    const board = createSigner();
    await writeFile(world.path('board.key'), board.privateKeyPem, { mode: 0o600 });
    await report('svc custody approve', ['shop@1.0.0', '--key', world.path('board.key'), ...ledger], 0);
    await report('svc media show', [carried], 0);
    await report('svc media show', [world.path('packages')], 4, { fails: true });
    await report('svc media show', [world.path('nowhere')], 1, { fails: true });
    await report('svc media verify', at, 0);
    await report('svc media prove', [carried, ...at], 0);
    await report('svc media verify', [...at, '--zone', 'zone-c'], 3);
    await report('svc media verify', [...at, '--zone', 'zone-c', '--allow-zone-mismatch'], 0);
    const nowhere = await world.configure('nowhere', { ...zone, zone: undefined });
    const unset = await report('svc media verify', ['--config', nowhere], 1, { fails: true });
    assert.match(unset.stderr, /SVC-CFG-001/);
    await report('svc media import', at, 0);
    await report('svc media status', at, 0);
    const written = await report('svc media import', [world.path('delivery'), ...at], 0);
    const { delivery } = (JSON.parse(written.stdout) as { task: { delivery: { id: string } } }).task;
    await report('svc media forget', [delivery.id, ...at], 0);
    await report('svc media forget', [delivery.id, ...at], 1, { fails: true });
    await report('svc media import', [...at, '--zone', 'zone-c'], 3);
    const unreachable = await world.configure('unreachable', {
      ...zone,
      registries: { insecure: ['127.0.0.1:9'] },
      destination: { registry: '127.0.0.1:9' },
      sync: { retries: 0 },
    });
    await report('svc media import', ['--config', unreachable], 1);
    const victim = image.blobs.at(-1)!.descriptor.digest;
    await damageFile(join(carried, 'blobs', ...victim.split(':')), 100);
    await report('svc media verify', at, 4);
    await report('svc media import', at, 4);
  });

  await t.test('receipts', async () => {
    const [key, pub, file] = [world.path('own.key'), world.path('own.pub'), world.path('receipt.json')];
    const env = { SVC_SIGNING_PASSWORD: 'a good password' };
    const config = {
      mode: 'mirror',
      zone: 'zone-b',
      registries: await world.registries([registry.host]),
      destination: { registry: registry.host },
      trust: world.trust,
      signing: { keyFile: key },
    };
    const at = ['--config', await world.configure('zone', config)];
    await report('svc receipt write', ['--out', file, ...at], 0, { env });
    await report('svc receipt write', ['--out', file, ...at], 1, { env, fails: true });
    await report('svc receipt write', ['--key', key, ...at, '--storage-root', world.folder], 3, {
      env,
      fails: true,
    });
    const peers = [{ name: 'zone-b', keyFile: pub, for: ['receipt'] }];
    const custody = { enabled: true, site: 'zone-a' };
    const source = ['--config', await world.configure('source', { mode: 'mirror', peers })];
    await report('svc receipt add', [file, ...source], 0);
    await report('svc receipt add', [pub, ...source], 4, { fails: true });
    await report('svc receipt list', source, 0);
    await report('svc zones', source, 0);
    await report('svc deliveries', source, 0);
    await report('svc history', source, 0);
    const evidence = world.path('evidence');
    const pack = ['--since', '2020-01-01', '--out', evidence];
    await report('svc evidence pack', [...pack, ...source], 1, { fails: true });
    const kept = ['--config', await world.configure('kept', { mode: 'mirror', peers, custody })];
    await report('svc receipt add', [file, ...kept], 0);
    await report('svc evidence pack', [...pack, ...kept], 0);
    await report('svc evidence verify', [evidence, '--key', `zone-b=${pub}`], 0);
    await report('svc evidence verify', [evidence], 4);
    await report('svc evidence verify', [world.path('absent')], 1, { fails: true });
    await report('svc receipt show', ['zone-b', ...source], 0);
    await report('svc receipt show', [world.path('absent'), ...source], 1, { fails: true });
  });

  assert.deepEqual([...codes].sort(), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual([...reported].sort(), [...validators.keys()].sort(), 'every reporting command was run');
});
