import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSigner } from '../../kit/content/signer.ts';
import { openCustodySites, readCustody } from '../../kit/scene/custody-sites.ts';
import { defaultRecipes } from '../../kit/scene/medium.ts';

/** A source with a recipe that no root of the zone signed, beside one that a root did. */
const openSites = () => {
  const [shop, depot] = defaultRecipes();
  return openCustodySites(true, [shop!, { ...depot!, name: 'rogue', signer: createSigner() }]);
};

test('the ledger, the history and the pack of a zone have the recipes that it refused, with their codes', async () => {
  await using sites = await openSites();
  const { medium, path, zone, run } = sites;
  await run(['media', 'import', await medium.carry(), '--config', zone], 4);
  const digest = medium.records.find(({ name }) => name === 'rogue')!.digest;
  const lines = (await readCustody(sites.zoneState)).filter(({ step }) => step === 'outcome');
  for (const type of ['verified', 'imported']) {
    const line = lines.find((one) => one.type === type)!;
    assert.deepEqual(line.details.refused, ['SVC-SIG-001 rogue@2.0.0'], type);
    assert.deepEqual(line.subjects.at(-1), { name: 'rogue@2.0.0', digest }, type);
  }
  const { records } = await run(['history', '--subject', 'rogue', '--config', zone]);
  assert.deepEqual(
    records.map(({ action }: any) => action),
    ['custody.imported', 'custody.verified'],
  );
  await writeFile(path('release.pub'), medium.signer.publicKeyPem);
  const pack = path('pack');
  await run(['evidence', 'pack', '--recipe', 'rogue', '--out', pack, '--config', zone]);
  const { recipes } = JSON.parse(await readFile(join(pack, 'evidence.json'), 'utf8'));
  assert.deepEqual(
    recipes.map(({ name, refused }: any) => [name, refused]),
    [
      ['rogue', 'SVC-SIG-001'],
      ['shop', undefined],
    ],
  );
  const page = await readFile(join(pack, 'index.html'), 'utf8');
  assert.match(page, /refused: <bdi>SVC-SIG-001<\/bdi>/);
  assert.match(page, /refused: SVC-SIG-001 rogue@2\.0\.0/);
  const keys = ['--key', path('release.pub'), '--key', `zone-b=${path('zone-b.pub')}`];
  const { unsigned } = await run(['evidence', 'verify', pack, ...keys]);
  assert.deepEqual(unsigned, []);
});

test('the receipt of an import says of the recipes that it refused that they are blocked, and why', async () => {
  await using sites = await openSites();
  const { medium, zone, source, run } = sites;
  const root = await medium.carry();
  const receiptOf = async (): Promise<unknown> => {
    const path = join(root, '_svc/receipts/zone-b.sigstore.json');
    await run(['receipt', 'add', path, '--config', source]);
    const { statement } = await run(['receipt', 'show', 'zone-b', '--config', source]);
    return statement.recipes.map(({ name, digest, state, code }: any) => [name, digest, state, code]);
  };
  const digestOf = (name: string) => medium.records.find((one) => one.name === name)!.digest;
  await run(['media', 'import', root, '--config', zone], 4);
  const present = ['shop', digestOf('shop'), 'present', undefined];
  assert.deepEqual(await receiptOf(), [present, ['rogue', digestOf('rogue'), 'blocked', 'SVC-SIG-001']]);
});
