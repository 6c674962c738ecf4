import assert from 'node:assert/strict';
import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { MediumBlock, MediumReport } from '../../../src/contract/medium.ts';
import { advance, type FreshnessRecord } from '../../../src/engine/medium/freshness.ts';
import { SvcError } from '../../../src/text/error.ts';
import { renderError } from '../../../src/text/message.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';

let medium: BuiltMedium;
before(async () => {
  medium = await buildMedium();
});
after(() => medium[Symbol.asyncDispose]());

const sentencesOf = ({ code, params }: MediumBlock, language: 'en' | 'fr'): string =>
  Object.values(renderError(new SvcError(code, params), language)).join(' ');

async function blockOf(root: string): Promise<MediumBlock> {
  const { report } = await verifyCarried(root, trust(medium.signer));
  assert.equal(report.verdict, 'blocked');
  return report.blocks[0]!;
}

test('an empty folder is asked about as a disk that is not mounted, with its path', async () => {
  await using folder = await openTempFolder();
  for (const name of [undefined, 'lost+found', '_svc']) {
    if (name !== undefined) await mkdir(join(folder.path, name));
    const block = await blockOf(folder.path);
    assert.deepEqual(
      [block.code, block.params.found, block.params.folder],
      ['SVC-MED-001', 'empty', folder.path],
    );
    assert.match(sentencesOf(block, 'en'), /the disk is not mounted .*findmnt/);
    assert.match(sentencesOf(block, 'fr'), /le disque n’y est pas monté, .*findmnt/);
    assert.doesNotMatch(sentencesOf(block, 'en'), /Copy the medium again/i);
  }
});

test('a medium that was copied one level too deep is found, and so is the one around a folder', async () => {
  await using folder = await openTempFolder();
  const inner = join(folder.path, 'medium');
  await cp(medium.root, inner, { recursive: true });
  const outside = await blockOf(folder.path);
  assert.deepEqual([outside.params.found, outside.params.nested], ['nested', inner]);
  assert.ok(sentencesOf(outside, 'en').includes(`Give ${inner} as the folder`));
  assert.ok(sentencesOf(outside, 'fr').includes(`Donnez ${inner} comme dossier`));
  for (const part of ['blobs', 'blobs/sha256']) {
    const inside = await blockOf(join(inner, part));
    assert.deepEqual([inside.params.found, inside.params.nested], ['inside', inner]);
    assert.match(sentencesOf(inside, 'en'), /The folder is a part of the medium, which is /);
  }
  await mkdir(join(folder.path, 'above/between'), { recursive: true });
  await rename(inner, join(folder.path, 'above/between/medium'));
  const { params } = await blockOf(join(folder.path, 'above'));
  assert.deepEqual([params.found, params.nested], ['nested', join(folder.path, 'above/between/medium')]);
});

test('all media in a folder are named, in the order of their numbers', async () => {
  await using folder = await openTempFolder();
  const names = Array.from({ length: 11 }, (_, i) => `part-${i + 1}`);
  for (const name of [...names, 'other']) await mkdir(join(folder.path, name));
  for (const name of names) await writeFile(join(folder.path, name, 'media.jsonl'), '');
  const block = await blockOf(folder.path);
  assert.deepEqual(
    [block.params.found, block.params.parts],
    ['parts', names.map((name) => join(folder.path, name))],
  );
  assert.match(
    sentencesOf(block, 'en'),
    /above the media \S+\/part-1, .*\/part-10, \S+\/part-11\. Give one of/,
  );
  assert.match(
    sentencesOf(block, 'fr'),
    /au-dessus des supports \S+\/part-1, .* Donnez l’un de ces dossiers/,
  );
});

test('a folder with other files is an incomplete copy, or no medium', async () => {
  const root = await medium.carry();
  await rm(join(root, 'media.jsonl'));
  const block = await blockOf(root);
  assert.equal(block.params.found, 'incomplete');
  assert.match(sentencesOf(block, 'en'), /copy the medium again/);
});

test('a disc whose names ISO 9660 cut is told as such', async () => {
  for (const name of ['MEDIA.JSO', 'media.jso', 'OCI_LAYO.;1']) {
    await using folder = await openTempFolder();
    await writeFile(join(folder.path, name), '');
    const block = await blockOf(folder.path);
    assert.equal(block.params.found, 'shortened', name);
    assert.match(sentencesOf(block, 'en'), /burned as ISO 9660 alone.* Burn the disc again with UDF/s);
    assert.match(sentencesOf(block, 'fr'), /Gravez de nouveau le disque en UDF/);
  }
});

const record: FreshnessRecord = {
  mediaId: 'earlier',
  resolvedAt: '2025-01-01T00:00:00.000Z',
  importedAt: '2025-01-02T00:00:00.000Z',
  runId: 'run',
  recipes: {},
};

test('a copy without its ledgers is incomplete and not altered, and the last import is reported with it', async () => {
  const root = await medium.carry();
  await rm(join(root, 'ledger'), { recursive: true });
  const state = join(medium.folder, 'state-of-import');
  await mkdir(join(state, 'media'), { recursive: true });
  await writeFile(join(state, 'media', 'freshness.json'), JSON.stringify({ 'zone-b': record }));
  const config = join(medium.folder, 'zone.json');
  const roots = [{ name: 'release', key: medium.signer.publicKeyPem }];
  await writeFile(
    config,
    JSON.stringify({ zone: 'zone-b', storage: { root }, state: { root: state }, trust: { roots } }),
  );
  const verified = await runCommand(['media', 'verify', '--config', config, '--output', 'json']);
  assert.equal(verified.exitCode, 4, verified.stderr);
  const report: MediumReport = JSON.parse(verified.stdout);
  const [block] = report.blocks;
  assert.deepEqual([block!.code, block!.params.missing], ['SVC-MED-005', 'yes']);
  assert.match(sentencesOf(block!, 'en'), /is missing.*incomplete.*Copy the medium again/);
  assert.match(sentencesOf(block!, 'fr'), /manque.*incomplète.*Recopiez/);
  assert.equal(report.freshness?.recordedAt, record.resolvedAt);
});

test('a copy without its recipe ledger alone is incomplete too', async () => {
  const root = await medium.carry();
  const name = (await readdir(join(root, 'ledger'))).find((one) => one.startsWith('recipes'))!;
  await rm(join(root, 'ledger', name));
  const { report } = await verifyCarried(root, trust(medium.signer));
  const [block] = report.blocks.filter(({ params }) => String(params.path).startsWith('ledger/'));
  assert.deepEqual([block?.code, block?.params.missing], ['SVC-MED-005', 'yes']);
});

test('a medium refused because of a wrong clock at the last import says so, and until when', async () => {
  const landed = {
    ...record,
    resolvedAt: '2027-01-01T00:00:00.000Z',
    importedAt: '2026-01-03T00:00:00.000Z',
  };
  const wrong = advance(undefined, landed);
  assert.equal(wrong.resolvedAt, landed.importedAt);
  const { report } = await verifyCarried(medium.root, trust(medium.signer), { freshness: wrong });
  const [block] = report.blocks;
  assert.deepEqual([block?.code, block?.params.importedAt], ['SVC-MED-007', landed.importedAt]);
  assert.match(
    sentencesOf(block!, 'en'),
    /a clock was wrong then.*until 2026-01-03T00:00:00\.000Z.*--allow-stale/,
  );
  assert.match(sentencesOf(block!, 'fr'), /une horloge était fausse alors.*--allow-stale/);
  const later = { ...record, resolvedAt: '2026-02-01T00:00:00.000Z', importedAt: '2026-02-02T00:00:00.000Z' };
  const plain = await verifyCarried(medium.root, trust(medium.signer), { freshness: later });
  assert.equal(plain.report.blocks[0]?.params.importedAt, undefined);
  assert.doesNotMatch(sentencesOf(plain.report.blocks[0]!, 'en'), /was wrong then/);
});

test('an import of an empty folder writes nothing into it', async () => {
  await using folder = await openTempFolder();
  const [root, state] = [join(folder.path, 'mnt'), join(folder.path, 'state')];
  await mkdir(root);
  const config = join(folder.path, 'zone.json');
  await writeFile(
    config,
    JSON.stringify({
      zone: 'zone-b',
      storage: { root },
      state: { root: state },
      destination: { registry: '127.0.0.1:1' },
    }),
  );
  const imported = await runCommand(['media', 'import', '--config', config]);
  assert.equal(imported.exitCode, 4, imported.stderr);
  assert.ok(imported.stderr.includes(root), imported.stderr);
  assert.match(imported.stderr, /What to do: Check that the disk is mounted/);
  assert.deepEqual(await readdir(root), []);
});

test('a state folder without a recorded import is named, so that a mistyped one is noticed', async () => {
  await using folder = await openTempFolder();
  const state = join(folder.path, 'mirror-stat');
  const args = ['--storage-root', medium.root, '--state-root', state, '--zone', 'zone-b'];
  const verified = await runCommand(['media', 'verify', ...args]);
  assert.ok(verified.stderr.includes(`no import is recorded in the state folder ${state}`), verified.stderr);
  assert.match(verified.stderr, /as before every first import/);
  const french = await runCommand(['media', 'verify', ...args], { env: { LC_ALL: 'fr_FR' } });
  assert.ok(
    french.stderr.includes(`aucun import n’est enregistré dans le dossier d’état ${state}`),
    french.stderr,
  );
  await mkdir(join(state, 'media'), { recursive: true });
  await writeFile(join(state, 'media', 'freshness.json'), '{}');
  assert.doesNotMatch((await runCommand(['media', 'verify', ...args])).stderr, /no import is recorded/);
  const listed = await runCommand(['user', 'list', '--state-root', join(folder.path, 'other')]);
  assert.equal(listed.exitCode, 0);
  assert.match(listed.stderr, /no accounts in \S+other: the folder does not exist/);
});
