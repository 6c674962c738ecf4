import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import type { MediumReport } from '../../../src/contract/medium.ts';
import type { Task } from '../../../src/contract/task.ts';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import { signatureTag } from '../../../src/oci/reference.ts';
import type { LayoutExport } from '../../../src/operation/export-layout.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { peekTasks } from '../../../src/task/peek-tasks.ts';
import { type Artifact, buildImage, pushArtifact } from '../../kit/content/content.ts';
import { toOrigin } from '../../kit/content/origin.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { damageFile } from '../../kit/hostile/damage-file.ts';
import { needs } from '../../kit/program/peers.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { runSvc, type SvcResult } from '../../kit/program/svc.ts';
import { typeInto } from '../../kit/program/type-into.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { type BuiltMedium, buildMedium, cookbook, type MediumRecipe } from '../../kit/scene/medium.ts';
import { openRehearsal } from '../../kit/scene/rehearsal.ts';

/** A recipe of one image, which is its own. */
function recipeOf(name: string, from = cookbook): MediumRecipe {
  const artifact = buildImage(`${name} of ${from}`);
  const ref = `origin.example:5000/${from.split('/').at(-1)}/${name}`;
  const ingredients = [{ name: 'web', kind: 'ContainerImage', ref, tag: '1.0', artifact }] as const;
  return { name, version: '1.0.0', layout: 'classic', cookbook: from, ingredients };
}

const layerOf = ({ ingredients }: MediumRecipe): string =>
  ingredients[0]!.artifact.blobs.at(-1)!.descriptor.digest;

const damage = (root: string, recipe: MediumRecipe): Promise<void> =>
  damageFile(join(root, 'blobs', ...layerOf(recipe).split(':')), 100);

let configurations = 0;
async function configure(
  medium: BuiltMedium,
  zone: { readonly host: string },
  more: Record<string, unknown> = {},
): Promise<{ readonly path: string; readonly state: string }> {
  configurations += 1;
  const state = join(medium.folder, `state-${configurations}`);
  const path = join(medium.folder, `zone-${configurations}.json`);
  const config = {
    mode: 'mirror',
    zone: 'zone-b',
    storage: { root: medium.root },
    state: { root: state },
    destination: { registry: zone.host },
    registries: { insecure: [zone.host] },
    trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
    ...more,
  };
  await writeFile(path, JSON.stringify(config));
  return { path, state };
}

const toTask = ({ stdout }: SvcResult): Task => JSON.parse(stdout).task;
const importWith = (config: string, ...flags: string[]): Promise<SvcResult> =>
  runCommand(['media', 'import', '--config', config, '--output', 'json', ...flags]);

test('an import for another zone than that of the configuration signs no receipt', async () => {
  await using medium = await buildMedium({ recipes: [recipeOf('app')] });
  await using registry = await createRegistryDouble();
  const keyFile = join(medium.folder, 'zone.key');
  await writeFile(keyFile, createSigner().privateKeyPem, { mode: 0o600 });
  const { path } = await configure(medium, registry, { zone: 'zone-c', signing: { keyFile } });
  const imported = await importWith(path, '--zone', 'zone-b');
  assert.equal(imported.exitCode, 0, imported.stderr);
  assert.match(imported.stderr, /--zone names zone-b, and the configuration is of zone zone-c/);
  assert.equal(toTask(imported).receipt, undefined);
});

test('of two recipes of one name from two cookbooks the failed one is shown beside the one that landed', async () => {
  const [mine, other] = [recipeOf('app'), recipeOf('app', 'other.example/cookbook')];
  await using medium = await buildMedium({ recipes: [mine, other] });
  await using zone = await createRegistryDouble();
  await damage(medium.root, mine);
  const { path } = await configure(medium, zone);
  const imported = await importWith(path);
  const task = toTask(imported);
  assert.equal(imported.exitCode, 4, imported.stderr);
  assert.equal(task.status, 'failed');
  assert.deepEqual(task.counts, { total: 3, done: 2, failed: 1, skipped: 0 });
  assert.deepEqual(
    task.items.map(({ name, status }) => `${name} ${status}`),
    [
      `${cookbook}/app@1.0.0 failed`,
      'other.example/cookbook/app@1.0.0/web done',
      'other.example/cookbook/app@1.0.0 done',
    ],
  );
  assert.match(imported.stderr, /"action":"media.import".*"outcome":"failure"/);
  assert.equal(task.verification?.verdict, 'partial');
  assert.deepEqual(
    task.verification?.recipes.map(({ pushable, reason, keyFingerprint }) => [
      pushable,
      reason?.code,
      keyFingerprint,
    ]),
    [
      [false, 'SVC-MED-012', medium.signer.fingerprint],
      [true, undefined, medium.signer.fingerprint],
    ],
  );
});

test('a first import that fails keeps its record', async () => {
  await using medium = await buildMedium({ recipes: [recipeOf('app')] });
  await using zone = await createRegistryDouble();
  const { path, state } = await configure(medium, zone, { destination: { registry: '127.0.0.1:1' } });
  const imported = await importWith(path);
  assert.equal(imported.exitCode, 1, imported.stderr);
  assert.doesNotMatch(imported.stderr, /could not be kept/);
  const task = toTask(imported);
  const { finished, read } = await peekTasks(state);
  assert.deepEqual(
    finished.map(({ id }) => id),
    [task.id],
  );
  assert.deepEqual(await read(task.id), task);
  // each failure is printed once: as a record beside a document, else as text with its remedy
  const failure = /"msg":"An ingredient did not reach the destination"/;
  assert.match(imported.stderr, failure);
  const text = await runCommand(['media', 'import', '--config', path]);
  assert.doesNotMatch(text.stderr, failure);
  assert.match(text.stderr, /SVC-REG-002/);
  // and each retry of one registry is the same news
  assert.equal(text.stderr.match(/retrying/g)?.length, 1, text.stderr);
});

test('a killed import leaves a record of its started and completed items', async () => {
  const [first, second] = [recipeOf('first'), recipeOf('second')];
  await using medium = await buildMedium({ recipes: [first, second] });
  await using zone = await createRegistryDouble();
  const { path, state } = await configure(medium, zone, { sync: { parallelism: 1 } });
  const kill = new AbortController();
  const remove = zone.intercept(({ method, path: at }) => {
    if (!(method === 'PUT' && at.includes('/cookbook/second/manifests/'))) return false;
    kill.abort();
    return true;
  });
  const killed = await runSvc(['media', 'import', '--config', path, '--output', 'json'], {
    signal: kill.signal,
  });
  assert.equal(killed.signal, 'SIGKILL', killed.stderr);
  remove();
  const { finished, read } = await peekTasks(state);
  const left = await read(finished[0]!.id);
  assert.deepEqual([left.status, left.error?.code, left.type], ['failed', 'SVC-TSK-006', 'media-import']);
  assert.ok(left.startedAt);
  assert.deepEqual(Object.fromEntries(left.items.map(({ name, status }) => [name, status])), {
    'first@1.0.0/web': 'done',
    'first@1.0.0': 'done',
    'second@1.0.0/web': 'failed',
    'second@1.0.0': 'failed',
  });

  const again = await importWith(path);
  assert.equal(again.exitCode, 0, again.stderr);
  const next = toTask(again);
  assert.equal(left.reference, next.reference);
  assert.deepEqual(
    (await peekTasks(state)).finished.map(({ id }) => id),
    [next.id, left.id],
  );
});

test('damage is named before a guard that can be waived, and the guard is named too', async () => {
  const [broken, whole] = [recipeOf('broken'), recipeOf('whole')];
  await using medium = await buildMedium({ recipes: [broken, whole] });
  await using zone = await createRegistryDouble();
  await damage(medium.root, broken);
  const { path } = await configure(medium, zone, { zone: 'zone-c' });
  const verified = await runCommand(['media', 'verify', '--config', path, '--output', 'json']);
  assert.equal(verified.exitCode, 4);
  const report: MediumReport = JSON.parse(verified.stdout);
  assert.deepEqual(
    report.blocks.map(({ code }) => code),
    ['SVC-MED-006'],
  );

  const imported = await importWith(path);
  assert.equal(imported.exitCode, 4);
  const task = toTask(imported);
  assert.deepEqual(
    [task.status, task.principalCode, task.error?.code],
    ['failed', 'SVC-MED-012', 'SVC-MED-012'],
  );
  assert.deepEqual(task.items, []);
  assert.equal(task.error?.params.recipe, 'broken@1.0.0');
  assert.match(imported.stderr, /"action":"media.import".*"code":"SVC-MED-012"/);
  assert.match(imported.stderr, /^ {2}SVC-MED-006 /m, 'what else is against the medium');
  const last = imported.stderr.slice(imported.stderr.lastIndexOf('svc: '));
  assert.doesNotMatch(last, /--allow-zone-mismatch/, 'a waiver does not help');

  const exported = await runCommand(['export', join(medium.folder, 'out.tar'), '--config', path]);
  assert.equal(exported.exitCode, 4, exported.stderr);
  assert.match(exported.stderr, /SVC-MED-012/);
  assert.match(exported.stderr, /^ {2}SVC-MED-006 /m);
});

test('an export of what passed names what blocks the rest, in its report and its audit record too', async () => {
  const [broken, whole] = [recipeOf('broken'), recipeOf('whole')];
  await using medium = await buildMedium({ recipes: [broken, whole] });
  await using zone = await createRegistryDouble();
  await damage(medium.root, broken);
  const { path } = await configure(medium, zone);
  const output = join(medium.folder, 'out.tar');
  const exported = await runCommand(['export', output, '--config', path, '--output', 'json']);
  assert.equal(exported.exitCode, 4, exported.stderr);
  assertCliDocument('svc export', exported.stdout);
  const result: LayoutExport = JSON.parse(exported.stdout);
  assert.deepEqual([result.blocked?.code, result.blocked?.class], ['SVC-MED-012', 'verification']);
  assert.match(exported.stderr, /"action":"layout.export".*"outcome":"failure".*"code":"SVC-MED-012"/);
  const again = await runCommand(['export', output, '--config', path]);
  assert.equal(again.exitCode, 4, 'the archive is there already, which is less grave');
  assert.match(again.stderr, /^svc: SVC-LAY-003.*^svc: SVC-MED-012/ms);
});

test('an export of one passed recipe of a partial medium ends well, and one of a blocked recipe does not', async () => {
  const [broken, whole] = [recipeOf('broken'), recipeOf('whole')];
  await using medium = await buildMedium({ recipes: [broken, whole] });
  await using zone = await createRegistryDouble();
  await damage(medium.root, broken);
  const { path } = await configure(medium, zone);
  const repositoryOf = (name: string) =>
    medium.records.find((one) => one.name === name)!.ingredients[0]!.repository;
  const exportOf = (name: string, ...args: string[]) =>
    runCommand(['export', join(medium.folder, name), '--config', path, '--output', 'json', ...args]);
  for (const [i, args] of [
    ['--recipe', 'whole'],
    ['--recipe', 'whole@1.0.0', '--dry-run'],
    ['--repository', repositoryOf('whole')],
  ].entries()) {
    const passed = await exportOf(`passed-${i}.tar`, ...args);
    assert.equal(passed.exitCode, 0, passed.stderr);
    const result: LayoutExport = JSON.parse(passed.stdout);
    assert.equal(result.blocked, undefined);
    assert.doesNotMatch(passed.stderr, /^svc: /m);
    assert.ok(result.references.some((one) => one.startsWith(repositoryOf('whole'))));
  }
  for (const [i, args] of [
    ['--recipe', 'broken'],
    ['--recipe', 'whole', '--recipe', 'broken'],
    ['--repository', repositoryOf('broken')],
    ['--repository', repositoryOf('broken'), '--recipe', 'whole'],
  ].entries()) {
    const blocked = await exportOf(`blocked-${i}.tar`, ...args);
    assert.equal(blocked.exitCode, 4, blocked.stderr);
    assert.match(blocked.stderr, /^svc: SVC-MED-012/m);
  }
});

/** The recipe of a medium as somebody else published it: the same document in another manifest. */
async function republish({ root, records }: BuiltMedium): Promise<Artifact> {
  const at = (digest: string): Promise<Buffer> => readFile(join(root, 'blobs', ...digest.split(':')));
  const manifest = JSON.parse(String(await at(records[0]!.digest)));
  const changed = {
    ...manifest,
    annotations: { 'org.opencontainers.image.created': '2020-02-02T00:00:00Z' },
  };
  const bytes = Buffer.from(JSON.stringify(changed));
  const parts: Descriptor[] = [manifest.config, ...manifest.layers];
  return {
    manifest: {
      descriptor: { mediaType: manifest.mediaType, digest: hashBytes(bytes), size: bytes.length },
      bytes,
    },
    blobs: await Promise.all(
      parts.map(async (descriptor) => ({ descriptor, bytes: await at(descriptor.digest) })),
    ),
    children: [],
  };
}

test('a tag that leads to the same document unsigned leads to the signed manifest after an import', async () => {
  await using medium = await buildMedium({ recipes: [recipeOf('app')] });
  await using zone = await createRegistryDouble();
  const unsigned = await republish(medium);
  await toOrigin(zone).put('cookbook/app', unsigned, '1.0.0');
  const { path } = await configure(medium, zone);
  const imported = await importWith(path);
  assert.equal(imported.exitCode, 0, imported.stderr);
  const { digest } = medium.records[0]!;
  assert.equal(zone.manifest('cookbook/app', '1.0.0')?.digest, digest);
  assert.ok(zone.manifest('cookbook/app', signatureTag(digest)!));
  const again = await importWith(path);
  assert.ok(toTask(again).resolutions!.every(({ destinationStatus }) => destinationStatus === 'up-to-date'));
});

test('a tag that leads to the same document with a signature that verifies stays, and the carried one lands too', async () => {
  await using medium = await buildMedium({ recipes: [recipeOf('app')] });
  await using zone = await createRegistryDouble();
  const signed = await republish(medium);
  const { descriptor } = signed.manifest;
  await toOrigin(zone).put('cookbook/app', signed, '1.0.0');
  const signature = medium.signer.sign(descriptor, 'classic');
  await toOrigin(zone).put('cookbook/app', { ...signature, children: [] }, signatureTag(descriptor.digest)!);
  const { path } = await configure(medium, zone);
  const imported = await importWith(path);
  assert.equal(imported.exitCode, 0, imported.stderr);
  const { digest } = medium.records[0]!;
  assert.equal(zone.manifest('cookbook/app', '1.0.0')?.digest, descriptor.digest);
  assert.ok(zone.manifest('cookbook/app', digest));
  assert.ok(zone.manifest('cookbook/app', signatureTag(digest)!));
});

test('an import is no success while the registry keeps the same document unsigned under the tag', async () => {
  await using world = await openRehearsal({ inProcess: true });
  await using medium = await buildMedium({ recipes: [recipeOf('app')] });
  // an svc registry does not re-point the tag of a published recipe
  const registry = await world.start('registry');
  await toOrigin(registry).put('cookbook/app', await republish(medium), '1.0.0');
  const { path } = await configure(medium, registry, { registries: await world.registries([registry.host]) });
  const imported = await importWith(path);
  assert.equal(imported.exitCode, 4, imported.stderr);
  const failed = toTask(imported).items.filter(({ status }) => status === 'failed');
  assert.deepEqual(
    failed.map(({ name, error }) => [name, error?.code, error?.params.reason]),
    [['app@1.0.0', 'SVC-SIG-001', 'none']],
  );
  const { digest } = medium.records[0]!;
  for (const reference of [digest, signatureTag(digest)!]) {
    const answer = await fetch(`${registry.url}/v2/cookbook/app/manifests/${reference}`, {
      headers: { authorization: registry.authorization },
    });
    assert.equal(answer.status, 200, reference);
  }
});

test('on a terminal a verification leads to the import, and the import names what nodes can pull; a pipe gets neither', async (t) => {
  const script = needs(t, 'script');
  if (!script) return;
  const recipe = recipeOf('app');
  await using medium = await buildMedium({ recipes: [recipe] });
  await using zone = await createRegistryDouble();
  const { path } = await configure(medium, zone);
  const piped = await runCommand(['media', 'verify', '--config', path]);
  assert.equal(piped.exitCode, 0, piped.stderr);
  assert.doesNotMatch(piped.stderr + piped.stdout, /svc media import/);
  const verified = await typeInto(script, ['media', 'verify', '--config', path, '--zone', 'zone-b'], []);
  assert.equal(verified.exitCode, 0, verified.screen);
  const next = `  svc media import --config ${path} --zone zone-b`;
  assert.ok(verified.screen.split('\r\n').includes(next), verified.screen);
  const imported = await typeInto(script, ['media', 'import', '--config', path], []);
  assert.equal(imported.exitCode, 0, imported.screen);
  const reference = `  ${zone.host}/origin.example_5000/cookbook/app:1.0`;
  assert.ok(imported.screen.split('\r\n').includes(reference), imported.screen);
});

test('the last line of an import names what stays on the medium, and so does its document', async () => {
  await using medium = await buildMedium({
    recipes: [recipeOf('app')],
    also: async (store) => {
      const packed = openRepository(store, 'localhost/filesets/debs', {
        owner: { provenance: 'local-pack' },
      });
      await pushArtifact(packed, buildImage('a packed folder'), '1.0');
    },
  });
  await using zone = await createRegistryDouble();
  const { path } = await configure(medium, zone);
  const { exitCode, stdout, stderr } = await runCommand(['media', 'import', '--config', path]);
  assert.equal(exitCode, 0, stderr);
  assert.match(
    stdout.trimEnd().split('\n').at(-1)!,
    /^stays on the medium, as no pushable recipe names it: localhost\/filesets\/debs:1\.0 \(\d+ files, .+\)$/,
  );
  const again = await runCommand(['media', 'import', '--config', path, '--output', 'json']);
  assertCliDocument('svc media import', again.stdout);
  const { task }: { task: Task } = JSON.parse(again.stdout);
  const { files, bytes, ...named } = task.verification!.leftBehind!;
  assert.deepEqual(named, { names: ['localhost/filesets/debs:1.0'], unnamed: 0 });
  assert.ok(files >= 2 && bytes > 0);
});

test('an import of a medium with nothing but its recipes says nothing of what stays', async () => {
  await using medium = await buildMedium({ recipes: [recipeOf('app')] });
  await using zone = await createRegistryDouble();
  const { path } = await configure(medium, zone);
  const { stdout } = await runCommand(['media', 'import', '--config', path]);
  assert.doesNotMatch(stdout, /stays on the medium/);
});

test('an import names what it waived, and findings that block nothing, as the verification does', async () => {
  await using medium = await buildMedium({ recipes: [recipeOf('app')] });
  await using zone = await createRegistryDouble();
  const { path } = await configure(medium, zone, { zone: 'zone-c' });
  await appendFile(join(medium.root, 'index.json'), '\n');
  const run = (action: string) => runCommand(['media', action, '--config', path, '--allow-zone-mismatch']);
  const verified = await run('verify');
  const imported = await run('import');
  assert.deepEqual([verified.exitCode, imported.exitCode], [0, 0], imported.stderr);
  for (const told of [verified.stdout, imported.stderr]) {
    assert.match(told, /SVC-MED-006 .*\(waived\)$/m);
    assert.match(told, /SVC-MED-011 .*index\.json/);
  }
});

test('the same medium imported again says when it was imported and that it brings nothing new', async () => {
  await using medium = await buildMedium({ recipes: [recipeOf('app')] });
  await using zone = await createRegistryDouble();
  const { path } = await configure(medium, zone);
  const first = toTask(await importWith(path));
  assert.deepEqual([first.status, first.alreadyImportedAt], ['done', undefined]);
  const again = await importWith(path);
  const second = toTask(again);
  assert.equal(second.status, 'done', again.stderr);
  assert.ok(second.alreadyImportedAt! <= first.finishedAt!, second.alreadyImportedAt);
  assertCliDocument('svc media import', again.stdout);
  const text = await runCommand(['media', 'import', '--config', path]);
  assert.match(text.stdout, /^already imported on .+; nothing new$/m);
  // content that the zone lost since is brought again, and is no repetition
  for (const repository of zone.repositories())
    for (const tag of zone.tags(repository)) zone.untag(repository, tag);
  assert.equal(toTask(await importWith(path)).alreadyImportedAt, undefined);
});
