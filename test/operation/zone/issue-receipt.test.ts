import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { toSubject, toZoneFile, writeReceipt } from '../../../src/attest/receipt.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import { readManifestOf } from '../../../src/engine/medium/find-medium.ts';
import { openOwnSigner } from '../../../src/operation/zone/issue-receipt.ts';
import { toEncryptedPem } from '../../../src/signing/encrypted-pkcs8.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import type { SvcError } from '../../../src/text/error.ts';
import { renderError } from '../../../src/text/message.ts';
import { openOwnReceipts } from '../../../src/zone/own-receipts.ts';
import { openReceipts } from '../../../src/zone/receipts.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { type CarriedMedium, carry } from '../../kit/scene/carried-medium.ts';
import { importCarried } from '../../kit/scene/import-carried.ts';
import { buildMedium, defaultRecipes } from '../../kit/scene/medium.ts';
import { carryPart } from '../../kit/scene/partial-medium.ts';
import { stampPassport } from '../../kit/scene/stamp-passport.ts';

/** A zone with a signing key, and a medium for it. */
async function openZone(t: TestContext) {
  const medium = await buildMedium();
  t.after(() => medium[Symbol.asyncDispose]());
  const registry = await createRegistryDouble();
  t.after(() => registry.close());
  const path = (name: string): string => join(medium.folder, name);
  const signer = createSigner();
  const signing = { keyFile: path('zone.key') };
  await writeFile(signing.keyFile, signer.privateKeyPem, { mode: 0o600 });
  const state = path('state');
  const keys = [{ name: 'zone-b', key: signer.publicKey, for: ['receipt'] }];
  return {
    medium,
    registry,
    path,
    state,
    signer,
    own: openOwnReceipts(state),
    import: async (
      root: string = medium.root,
      options: Partial<Parameters<typeof importCarried>[3]> = {},
    ) => {
      const carried = await importCarried(root, [medium.signer], registry, { state, signing, ...options });
      assert.equal(carried.error, undefined);
      for (const { status } of carried.items) assert.equal(status, 'done');
      return carried;
    },
    /** What the source of the deliveries takes from the medium that comes back. */
    take: async (root: string) => {
      const bytes = await readFile(join(root, '_svc/receipts/zone-b.sigstore.json'));
      return (await openReceipts(path('source')).add(bytes, { keys })).receipt.receipt;
    },
  };
}

test('an import writes a receipt into the state and onto the medium', async (t) => {
  const zone = await openZone(t);
  const carried = await zone.import();
  const receipt = await zone.take(zone.medium.root);
  assert.equal(receipt.sequence, 1);
  assert.equal(receipt.evidence, 'head');
  assert.deepEqual(receipt.freshness, {
    mediaId: carried.freshness!.mediaId,
    resolvedAt: carried.freshness!.resolvedAt,
  });
  assert.deepEqual(
    receipt.recipes.map(({ name, state }) => [name, state]),
    [
      ['depot', 'present'],
      ['shop', 'present'],
    ],
  );
  const last = await zone.own.last('zone-b');
  assert.deepEqual(last?.receipt, receipt);
  const manifest = hashBytes(await readFile(join(zone.medium.root, 'media.jsonl')));
  assert.deepEqual(last?.subjects, [{ name: 'media.jsonl', digest: manifest }]);
  assert.match(carried.said, /receipt 1 of zone zone-b: .*zone-b\.sigstore\.json/);
  assert.deepEqual(carried.task.receipt, {
    zone: 'zone-b',
    sequence: 1,
    path: last!.path,
    onMedium: '_svc/receipts/zone-b.sigstore.json',
  });
  assert.match(carried.said, /the receipt is also on the medium: _svc\/receipts\/zone-b\.sigstore\.json/);
  assert.deepEqual(
    carried.audits.map(({ action, outcome }) => [action, outcome]),
    [
      ['media.import', 'success'],
      ['receipt.write', 'success'],
    ],
  );
});

test('a recipe of which one ingredient was not pushed is incomplete in the receipt, with what the registry lacks', async (t) => {
  const zone = await openZone(t);
  const { medium, registry, state } = zone;
  registry.failNext(/^PUT .*charts\/shop\/manifests/, 507);
  const signing = { keyFile: zone.path('zone.key') };
  const { items } = await importCarried(medium.root, [medium.signer], registry, { state, signing });
  assert.deepEqual(items.map(({ name, status }) => [name, status]).sort(), [
    ['depot@2.0.0', 'done'],
    ['depot@2.0.0/worker', 'done'],
    ['shop@1.4.0', 'skipped'],
    ['shop@1.4.0/chart', 'failed'],
    ['shop@1.4.0/web', 'done'],
  ]);
  const { recipes } = await zone.take(medium.root);
  const [depot, shop] = recipes;
  assert.deepEqual([depot?.name, depot?.state, recipes.length], ['depot', 'present', 2]);
  const { name, version, digest, documentDigest, state: is, missing } = shop!;
  const record = medium.records.find((one) => one.name === 'shop')!;
  assert.deepEqual([name, version, digest, is], ['shop', '1.4.0', record.digest, 'incomplete']);
  assert.ok(documentDigest !== undefined && documentDigest !== digest);
  // the manifests of the chart and of the recipe, and the document; the blobs of the chart are there
  const [chart] = defaultRecipes()[0]!.ingredients.slice(1);
  assert.equal(missing?.files, 3);
  assert.ok(missing.bytes > chart!.artifact.manifest.bytes.length, `${missing.bytes}`);

  await zone.import();
  assert.deepEqual(
    (await zone.take(medium.root)).recipes.map((one) => [one.name, one.state, one.missing]),
    [
      ['depot', 'present', undefined],
      ['shop', 'present', undefined],
    ],
  );
});

test('a disk that is exchanged meanwhile is named, and the other one gets nothing', async (t) => {
  const zone = await openZone(t);
  const { medium, registry, state } = zone;
  const away = zone.path('away');
  const carried = await importCarried(medium.root, [medium.signer], registry, {
    state,
    signing: { keyFile: zone.path('zone.key') },
    between: async () => {
      await rename(medium.root, away);
      await cp(away, medium.root, { recursive: true });
    },
  });
  assert.equal(carried.error?.code, 'SVC-STO-019');
  assert.equal(carried.imported, undefined);
  const last = await zone.own.last('zone-b');
  assert.equal(last?.receipt.sequence, 1);
  assert.deepEqual(carried.task.receipt, { zone: 'zone-b', sequence: 1, path: last!.path });
  assert.match(carried.said, /the receipt is not on the medium: SVC-STO-019/);
  for (const root of [medium.root, away]) assert.ok(!existsSync(join(root, '_svc/receipts')), root);
  for (const { status } of carried.items) assert.equal(status, 'done');
});

test('each import continues the receipts, and the medium has the last one', async (t) => {
  const zone = await openZone(t);
  await zone.import();
  const first = await zone.own.last('zone-b');
  await zone.take(zone.medium.root);
  await zone.import();
  const second = await zone.take(zone.medium.root);
  assert.equal(second.sequence, 2);
  assert.equal(second.previous, first!.digest);
  assert.deepEqual(await readdir(join(zone.medium.root, '_svc/receipts')), ['zone-b.sigstore.json']);
});

test('an import without a signing key writes no receipt', async (t) => {
  const zone = await openZone(t);
  const carried = await zone.import(zone.medium.root, { signing: {} });
  assert.equal(await zone.own.last('zone-b'), undefined);
  assert.ok(!(await readdir(join(zone.medium.root, '_svc'))).includes('receipts'));
  assert.doesNotMatch(carried.said, /receipt/);
});

test('a receipt is kept where the medium cannot be written, and no link of the medium is followed', async (t) => {
  const zone = await openZone(t);
  const elsewhere = zone.path('elsewhere');
  await mkdir(elsewhere);
  const copy = await zone.medium.carry();
  await mkdir(join(copy, '_svc'), { recursive: true });
  await symlink(elsewhere, join(copy, '_svc', 'receipts'));
  const linked = await zone.import(copy);
  assert.match(linked.said, /the receipt is not on the medium: SVC-STO-001/);
  assert.deepEqual(await readdir(elsewhere), []);
  assert.equal((await zone.own.last('zone-b'))?.receipt.sequence, 1);
  const other = await zone.medium.carry();
  await mkdir(join(other, '_svc', 'receipts'), { recursive: true });
  const target = join(elsewhere, 'secret');
  await writeFile(target, 'secret');
  await symlink(target, join(other, '_svc/receipts/zone-b.sigstore.json'));
  await zone.import(other);
  assert.equal(await readFile(target, 'utf8'), 'secret');
  assert.equal((await zone.take(other)).sequence, 2);
});

test('an import succeeds when no receipt can be written', async (t) => {
  const zone = await openZone(t);
  const refused = async (signing: NonNullable<Parameters<typeof zone.import>[1]>['signing']) => {
    const { said } = await zone.import(zone.medium.root, { signing });
    return /no receipt was written: (SVC-[A-Z]+-\d+)/.exec(said)?.[1];
  };
  assert.equal(await refused({ keyFile: zone.path('absent.key') }), 'SVC-FIL-005');
  await chmod(zone.path('zone.key'), 0o644);
  assert.equal(await refused({ keyFile: zone.path('zone.key') }), 'SVC-SGN-001');
  await chmod(zone.path('zone.key'), 0o600);
  const locked = await toEncryptedPem(zone.signer.privateKey, 'a long password');
  await writeFile(zone.path('locked.key'), locked, { mode: 0o600 });
  const unset = { keyFile: zone.path('locked.key') };
  assert.equal(await refused(unset), 'SVC-SGN-001');
  const error = await openOwnSigner({ signing: unset }).catch((reason: SvcError) => reason);
  const { cause, action } = renderError(error as SvcError, 'en');
  assert.match(
    `${cause} ${action}`,
    /no password file is configured\. Set signing\.passwordFile to a file with the/,
  );
  await writeFile(zone.path('password'), 'another password\n', { mode: 0o600 });
  const key = { keyFile: zone.path('locked.key'), passwordFile: zone.path('password') };
  assert.equal(await refused(key), 'SVC-SGN-001');
  assert.equal(await zone.own.last('zone-b'), undefined);
  await writeFile(zone.path('password'), 'a long password\r\nand more\n', { mode: 0o600 });
  assert.equal(await refused(key), undefined);
  assert.equal((await zone.own.last('zone-b'))?.receipt.sequence, 1);
  // a damaged record of the own receipts: its numbers must not be used again
  await writeFile(join(zone.state, 'receipts/own/zone-b.sigstore.json'), 'damaged');
  assert.equal(await refused(key), 'SVC-STO-001');
});

test('an import that is interrupted while it looks at the registry has no receipt', async (t) => {
  const zone = await openZone(t);
  const aborter = new AbortController();
  zone.registry.intercept(({ path }) => {
    if (path.startsWith('/v2/_catalog')) aborter.abort();
    return false;
  });
  const { said } = await zone.import(zone.medium.root, { signal: aborter.signal });
  assert.match(said, /no receipt was written: interrupted/);
  assert.equal(await zone.own.last('zone-b'), undefined);
});

test('a receipt after an import with a failed recipe says that this one is incomplete, and its disk counts once all of it landed', async (t) => {
  const zone = await openZone(t);
  const { medium, registry, state } = zone;
  const depot = medium.records.find(({ name }) => name === 'depot')!;
  const refuse = (status: number, isRefused: (method: string, path: string) => boolean) =>
    registry.intercept(({ method, path }, response) => {
      if (!isRefused(method, path)) return false;
      response.writeHead(status);
      response.end();
      return true;
    });
  const stop = refuse(400, (method, path) => method === 'PUT' && path.endsWith('/depot/manifests/2.0.0'));
  // such a registry lists no repositories
  refuse(404, (_, path) => path.startsWith('/v2/_catalog'));
  const delivery = { id: 'dlv_0123456789ab', part: 1, parts: 1 };
  const { root } = await carryPart(medium, { delivery });
  const signing = { keyFile: zone.path('zone.key') };
  const failed = await importCarried(root, [medium.signer], registry, { state, signing });
  assert.ok(failed.items.some(({ status }) => status === 'failed'));
  stop();
  const { receipt, subjects } = (await zone.own.last('zone-b'))!;
  assert.deepEqual(
    receipt.recipes.map(({ name, state: found }) => [name, found]),
    [
      ['depot', 'incomplete'],
      ['shop', 'present'],
    ],
  );
  // the disk is needed again
  assert.deepEqual([receipt.freshness, receipt.lastDelivery], [undefined, undefined]);
  assert.deepEqual(subjects, [{ name: 'zone', digest: hashBytes('zone-b\n') }]);
  await zone.import(root);
  const { receipt: next } = (await zone.own.last('zone-b'))!;
  assert.equal(next.recipes.find(({ digest }) => digest === depot.digest)?.state, 'present');
  assert.equal(next.lastDelivery?.id, delivery.id);
});

test('the receipt is about the newest disk that arrived, also while its delivery is incomplete, and after an older one again', async (t) => {
  const zone = await openZone(t);
  const { registry, medium } = zone;
  const signing = { keyFile: zone.path('zone.key') };
  const importDisk = async (root: string, now: string) => {
    const run = await importCarried(root, [medium.signer], registry, {
      state: zone.state,
      signing,
      now: () => Date.parse(now),
    });
    assert.equal(run.error, undefined, run.said);
    const { receipt, subjects } = (await zone.own.last('zone-b'))!;
    const manifest = hashBytes(await readFile(join(root, 'media.jsonl')));
    return { receipt, manifest, subject: subjects[0]!.digest };
  };
  const id = 'dlv_0123456789ab';
  const layer = defaultRecipes()[0]!.ingredients[0]!.artifact.blobs[1]!.descriptor.digest;
  const first = await carryPart(medium, {
    delivery: { id, part: 2, parts: 2 },
    absent: new Map([[layer, [1]]]),
  });
  const held = await importDisk(first.root, '2026-11-20T10:00:00Z');
  assert.deepEqual(held.receipt.lastDelivery, { id, part: 2, manifest: held.manifest });
  assert.equal(held.subject, held.manifest);
  // nothing was imported whole yet
  assert.equal(held.receipt.freshness, undefined);
  const whole = await importDisk(medium.root, '2026-11-21T10:00:00Z');
  assert.equal(whole.receipt.lastDelivery, undefined);
  assert.ok(whole.receipt.freshness);
  assert.equal(whole.subject, whole.manifest);
  const again = await importDisk(first.root, '2026-11-22T10:00:00Z');
  assert.deepEqual(again.receipt.lastDelivery, { id, part: 2, manifest: again.manifest });
  const disks = ['dlv_aaaaaaaaaaaa', 'dlv_bbbbbbbbbbbb'].map((one) =>
    carryPart(medium, { delivery: { id: one, part: 1, parts: 1 } }),
  );
  const [older, newer] = (await Promise.all(disks)) as [CarriedMedium, CarriedMedium];
  await importDisk(older.root, '2026-11-23T10:00:00Z');
  const arrived = await importDisk(newer.root, '2026-11-24T10:00:00Z');
  assert.equal(arrived.receipt.lastDelivery?.id, 'dlv_bbbbbbbbbbbb');
  for (const now of ['2026-11-25T10:00:00Z', '2026-11-26T10:00:00Z']) {
    const { receipt, subject } = await importDisk(older.root, now);
    assert.deepEqual([receipt.lastDelivery, subject], [arrived.receipt.lastDelivery, arrived.manifest]);
  }
});

/** Imports disks into a zone that knows the key of a sender, and returns the last receipt after each. */
function trustPassports(zone: Awaited<ReturnType<typeof openZone>>) {
  const sender = toSigner(createSigner().privateKey);
  const passports = { keys: [{ name: 'source', key: sender.publicKey }], required: false };
  const importDisk = async (root: string) => {
    const signing = { keyFile: zone.path('zone.key') };
    const options = { state: zone.state, signing, passports };
    const run = await importCarried(root, [zone.medium.signer], zone.registry, options);
    assert.equal(run.error, undefined, run.said);
    return (await zone.own.last('zone-b'))!;
  };
  return { sender, importDisk };
}

test('a medium without a passport has no part in receipts after one with a passport', async (t) => {
  const zone = await openZone(t);
  const { medium } = zone;
  const { sender, importDisk: importWith } = trustPassports(zone);
  const importDisk = async (root: string) => {
    const { receipt, subjects } = await importWith(root);
    return [receipt.freshness, receipt.lastDelivery, subjects[0]!.digest];
  };
  const id = 'dlv_0123456789ab';
  const stamped = await carryPart(medium, { delivery: { id, part: 1, parts: 1 } });
  await stampPassport(stamped, sender);
  const dated = async (delivery?: { id: string; part: number; parts: number }) => {
    const disk = await (delivery ? carryPart(medium, { delivery }) : carry(medium));
    await disk.editManifest((header, lines) => {
      header.resolvedAt = new Date(Date.now() + 3_600_000).toISOString();
      return lines;
    });
    return disk.root;
  };
  const manifest = hashBytes(await readFile(join(stamped.root, 'media.jsonl')));
  const { header } = await readManifestOf(stamped.root);
  const { mediaId, resolvedAt } = header;
  const expected = [
    { mediaId, resolvedAt: new Date(resolvedAt).toISOString(), vouched: true },
    { id, part: 1, manifest, peer: 'source' },
    manifest,
  ];
  const stranger = await dated();
  const [before] = await importDisk(stranger);
  assert.equal((before as { vouched?: boolean }).vouched, undefined);
  assert.deepEqual(await importDisk(stamped.root), expected);
  for (const root of [stranger, await dated({ id: 'dlv_aaaaaaaaaaaa', part: 1, parts: 1 })])
    assert.deepEqual(await importDisk(root), expected);
});

test('a receipt takes no freshness from a disk without a passport while the recipes of a vouched one wait', async (t) => {
  const zone = await openZone(t);
  const { medium } = zone;
  const { sender, importDisk: importWith } = trustPassports(zone);
  const importDisk = async (root: string) => {
    const { freshness, lastDelivery } = (await importWith(root)).receipt;
    return { freshness, lastDelivery };
  };
  const layer = defaultRecipes()[0]!.ingredients[0]!.artifact.blobs[1]!.descriptor.digest;
  const part = await carryPart(medium, {
    delivery: { id: 'dlv_0123456789ab', part: 2, parts: 2 },
    absent: new Map([[layer, [1]]]),
  });
  await stampPassport(part, sender);
  const waiting = await importDisk(part.root);
  assert.equal(waiting.freshness, undefined);
  assert.equal(waiting.lastDelivery?.part, 2);
  // every recipe of the delivery is in the zone now
  const { mediaId } = (await readManifestOf(part.root)).header;
  const { freshness, lastDelivery } = await importDisk(medium.root);
  assert.deepEqual([freshness?.mediaId, freshness?.vouched], [mediaId, true]);
  assert.deepEqual(lastDelivery, waiting.lastDelivery);
});

test('of two deliveries of one date a receipt names one, whichever disk comes again', async (t) => {
  const zone = await openZone(t);
  const { sender, importDisk } = trustPassports(zone);
  const other = await buildMedium({ signer: zone.medium.signer });
  t.after(() => other[Symbol.asyncDispose]());
  const bring = async (medium: typeof other, id: string) => {
    const { root } = await carryPart(medium, { delivery: { id, part: 1, parts: 1 } });
    await stampPassport({ root }, sender);
    const { mediaId, resolvedAt } = (await readManifestOf(root)).header;
    return { root, mediaId, resolvedAt };
  };
  const one = await bring(zone.medium, 'dlv_aaaaaaaaaaaa');
  const two = await bring(other, 'dlv_bbbbbbbbbbbb');
  assert.equal(one.resolvedAt, two.resolvedAt);
  for (const { root } of [one, two, one, two]) {
    const { receipt, subjects } = await importDisk(root);
    const { id, manifest } = receipt.lastDelivery!;
    assert.equal(receipt.freshness?.mediaId, (id === 'dlv_aaaaaaaaaaaa' ? one : two).mediaId);
    assert.equal(subjects[0]!.digest, manifest);
  }
});

test('the key of a zone signs its receipts with any accepted algorithm', async (t) => {
  const zone = await openZone(t);
  const { privateKeyPem, privateKey } = createSigner('ed25519');
  await writeFile(zone.path('zone.key'), privateKeyPem, { mode: 0o600 });
  await zone.import();
  const bytes = await readFile(join(zone.medium.root, '_svc/receipts/zone-b.sigstore.json'));
  const key = { name: 'zone-b', key: toSigner(privateKey).publicKey, for: ['receipt'] };
  assert.equal((await openReceipts(zone.path('source')).add(bytes, { keys: [key] })).isNew, true);
});

test('the receipts of deeper zones go back on the medium too, unchanged and each in a line', async (t) => {
  const zone = await openZone(t);
  const deeper = createSigner();
  const bytes = writeReceipt(
    toReceipt({ zone: 'zone-c', sequence: 4, recipes: 2 }),
    [toSubject(toZoneFile('zone-c'))],
    toSigner(deeper.privateKey),
  );
  const keys = [{ name: 'zone-c', key: toSigner(deeper.privateKey).publicKey, for: ['receipt'] }];
  await openReceipts(zone.state).add(bytes, { keys });
  const { said } = await zone.import();
  assert.match(said, /the receipt of zone zone-c is forwarded on the medium/);
  const folder = join(zone.medium.root, '_svc/receipts');
  assert.deepEqual((await readdir(folder)).sort(), [
    'zone-b+forwarded.sigstore.json',
    'zone-b.sigstore.json',
  ]);
  const own = await readFile(join(folder, 'zone-b.sigstore.json'), 'utf8');
  const forwarded = await readFile(join(folder, 'zone-b+forwarded.sigstore.json'), 'utf8');
  assert.equal(forwarded, `${own}\n${bytes}\n`);
});
