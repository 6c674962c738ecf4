import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { openArrivals } from '../../../src/zone/arrivals.ts';
import { openOwnReceipts } from '../../../src/zone/own-receipts.ts';
import { openCustodySites, readCustody } from '../../kit/scene/custody-sites.ts';
import { stampPassport } from '../../kit/scene/stamp-passport.ts';

type Header = { delivery: { id: string; part: number; parts: number }; resolvedAt: string };

/** A zone that imported, or only verified, a delivery of one recipe with its passport, and a disk with the other recipe. */
async function openZone(does: 'import' | 'verify' = 'import') {
  await using stack = new AsyncDisposableStack();
  const sites = stack.use(await openCustodySites());
  const { run, path, source, zone } = sites;
  const write = (name: string, recipe: string, ...flags: string[]) => {
    const what = ['--zone', 'zone-b', '--base', 'none', '--recipe', recipe, '--config', source];
    return run(['media', 'write', path(name), ...what, ...flags]);
  };
  const { delivery } = await write('vouched', 'shop', '--sign-key', sites.sourceKey);
  await write('other', 'depot');
  await run(['media', does, '--storage-root', path('vouched'), '--config', zone]);
  await writeFile(path('release.pub'), sites.medium.signer.publicKeyPem);
  const manifestOf = async (name: string): Promise<Digest> =>
    hashBytes(await readFile(join(path(name), 'media.jsonl')));
  /**
   * Makes a copy of the other disk under the name of the delivery, as its carrier can change it.
   *
   * @param exitCode of its import. Default: it is not imported
   */
  const importForged = async (name: string, change: (header: Header) => void, exitCode?: number) => {
    await cp(path('other'), path(name), { recursive: true });
    await rm(join(path(name), '_svc'), { recursive: true, force: true });
    const file = join(path(name), 'media.jsonl');
    const [first, ...rest] = (await readFile(file, 'utf8')).split('\n');
    const header = JSON.parse(first!);
    header.delivery.id = delivery.id;
    change(header);
    await writeFile(file, [JSON.stringify(header), ...rest].join('\n'));
    if (exitCode !== undefined)
      await run(['media', 'import', '--storage-root', path(name), '--config', zone], exitCode);
    return manifestOf(name);
  };
  /** Signs a disk as another peer of the zone, and imports it. */
  const importOfOther = async (name: string) => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await writeFile(path('zone-x.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
    const config = JSON.parse(await readFile(zone, 'utf8'));
    config.peers.push({ name: 'zone-x', keyFile: path('zone-x.pub'), for: ['passport'] });
    await writeFile(zone, JSON.stringify(config));
    await stampPassport({ root: path(name) }, toSigner(privateKey), {
      from: 'zone-x',
      issuedAt: '2026-03-01T00:00:00Z',
    });
    await run(['media', 'import', '--storage-root', path(name), '--config', zone]);
  };
  let packs = 0;
  const pack = async (...scope: string[]) => {
    packs += 1;
    const out = path(`pack-${packs}`);
    const flags = scope.length > 0 ? scope : ['--delivery', delivery.id];
    const { evidence } = await run(['evidence', 'pack', ...flags, '--out', out, '--config', zone]);
    return { out, evidence };
  };
  const verify = (out: string, exitCode = 0, others: readonly string[] = []) => {
    const given = ['zone-a', 'zone-b', ...others].map((name) => `${name}=${path(`${name}.pub`)}`);
    const keys = [path('release.pub'), ...given].flatMap((key) => ['--key', key]);
    return run(['evidence', 'verify', out, ...keys], exitCode);
  };
  const all = stack.move();
  const vouched = await manifestOf('vouched');
  return {
    ...{ sites, delivery, vouched, importForged, importOfOther, pack, verify },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

const recipesOf = ({ recipes }: any) => recipes.map(({ name, claimed }: any) => [name, claimed]);

test('a disk without a passport takes no place in the evidence of a delivery that has one', async () => {
  await using zone = await openZone();
  const { sites, delivery, vouched, importForged, pack, verify } = zone;
  const old = ({ resolvedAt }: Header): string =>
    new Date(Date.parse(resolvedAt) - 3_600_000).toISOString().replace('.000Z', 'Z');
  const refused = await importForged(
    'refused',
    (header) => {
      header.resolvedAt = old(header);
    },
    3,
  );
  const lines = await readCustody(sites.zoneState);
  const [first, second] = lines.filter(({ type }) => type === 'received').map(({ details }) => details);
  assert.deepEqual([first!.vouched, first!.blocks, first!.findings], [true, undefined, undefined]);
  assert.deepEqual(
    [second!.vouched, second!.blocks, second!.findings],
    [false, ['SVC-MED-007'], ['SVC-MED-044', 'SVC-MED-049']],
  );
  const verified = lines.filter(({ type, step }) => type === 'verified' && step === 'outcome');
  assert.deepEqual(
    verified.map(({ details }) => details.vouched),
    [true, false],
  );

  const landed = await importForged(
    'landed',
    (header) => {
      Object.assign(header.delivery, { part: 3, parts: 4 });
      header.resolvedAt = new Date(Date.now() + 3_600_000).toISOString();
    },
    0,
  );
  for (const scope of [[], ['--since', '2020-01-01']]) {
    const { out, evidence } = await pack(...scope);
    const [only] = evidence.deliveries.filter(({ id }: any) => id === delivery.id);
    assert.equal(only.parts, 1);
    assert.deepEqual(only.media, [{ part: 1, manifest: vouched }]);
    assert.deepEqual(only.claimed, [
      {
        ...{ part: 1, parts: 1, manifest: refused },
        ...{ refused: 'SVC-MED-007', reported: ['SVC-MED-044', 'SVC-MED-049'] },
      },
      { part: 3, parts: 4, manifest: landed, reported: ['SVC-MED-049'] },
    ]);
    assert.deepEqual(recipesOf(evidence), [
      ['depot', true],
      ['shop', undefined],
    ]);
    const { ok, claimed } = await verify(out);
    assert.equal(ok, true);
    assert.deepEqual(
      claimed.map(({ delivery: of, part, manifest }: any) => [of, part, manifest]),
      [
        [delivery.id, 1, refused],
        [delivery.id, 3, landed],
      ],
    );
  }
  const { out } = await pack();
  const page = await readFile(join(out, 'index.html'), 'utf8');
  assert.match(page, /claimed, without a passport, as part 1 of 1, refused: .*SVC-MED-007/);
  assert.match(page, /only on disks without a passport/);
});

test('a pack that shows a disk without a passport in the place of the vouched medium does not hold', async () => {
  await using zone = await openZone();
  const { importForged, pack, verify } = zone;
  const manifest = await importForged('same', () => {}, 0);
  const { out, evidence } = await pack();
  evidence.deliveries[0].media = [{ part: 1, manifest }];
  delete evidence.deliveries[0].claimed;
  const bytes = `${JSON.stringify(evidence, null, 2)}\n`;
  await writeFile(join(out, 'evidence.json'), bytes);
  const sums = join(out, 'SHA256SUMS');
  const listed = (await readFile(sums, 'utf8')).split('\n');
  const [sum] = hashBytes(bytes).split(':').slice(1);
  await writeFile(
    sums,
    listed.map((line) => (line.endsWith('  evidence.json') ? `${sum}  evidence.json` : line)).join('\n'),
  );
  const { findings } = await verify(out, 4);
  assert.match(
    findings.map(({ detail }: any) => detail).join('\n'),
    /it shows a disk without a passport as part 1 of dlv_[0-9a-f]{12}, for which a passport vouches/,
  );
});

test('a disk that comes in the place of a verified one takes no place in the evidence of the delivery', async () => {
  await using zone = await openZone('verify');
  const { delivery, vouched, importForged, pack, verify } = zone;
  const manifest = await importForged('swapped', () => {}, 0);
  const { out, evidence } = await pack();
  const [only] = evidence.deliveries;
  const media = [{ part: 1, manifest: vouched, verified: true }];
  assert.deepEqual([only.id, only.zone, only.parts, only.media], [delivery.id, 'zone-b', 1, media]);
  assert.deepEqual(only.claimed, [{ part: 1, parts: 1, manifest, reported: ['SVC-MED-049'] }]);
  assert.deepEqual(recipesOf(evidence), [
    ['depot', true],
    ['shop', undefined],
  ]);
  assert.ok((await readFile(join(out, 'index.html'), 'utf8')).includes(vouched));
  assert.equal((await verify(out)).claimed.length, 1);
});

test('a disk that another peer signed under the identifier of a delivery is one of a delivery of its own', async () => {
  await using zone = await openZone();
  const { sites, delivery, vouched, importForged, importOfOther, pack, verify } = zone;
  const manifest = await importForged('rival', () => {});
  await importOfOther('rival');
  const { out, evidence } = await pack();
  assert.deepEqual(
    evidence.deliveries.map(({ id, peer, media, claimed }: any) => [id, peer, media, claimed]),
    [
      [delivery.id, 'zone-a', [{ part: 1, manifest: vouched }], undefined],
      [delivery.id, 'zone-x', [{ part: 1, manifest }], undefined],
    ],
  );
  const { ok, shared } = await verify(out, 0, ['zone-x']);
  assert.equal(ok, true);
  assert.deepEqual(shared, [{ delivery: delivery.id, peers: ['zone-a', 'zone-x'] }]);
  const page = await readFile(join(out, 'index.html'), 'utf8');
  assert.match(page, /passport of peer.*zone-a/);
  assert.match(page, /passport of peer.*zone-x/);

  const { receipt } = (await openOwnReceipts(sites.zoneState).last('zone-b'))!;
  const { mediaId } = receipt.freshness!;
  const own = (await openArrivals(sites.zoneState).find(delivery.id)).find(
    ({ peer }) => peer === receipt.lastDelivery?.peer,
  );
  assert.deepEqual(
    own?.landed.map((one) => [one.mediaId, one.part, one.manifest]),
    [[mediaId, receipt.lastDelivery?.part, receipt.lastDelivery?.manifest]],
  );
});
