import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Digest } from '../../../src/base/digest.ts';
import { silentReport } from '../../../src/base/report.ts';
import type { MediumWriting } from '../../../src/contract/write-medium.ts';
import { noCustody } from '../../../src/custody/custody.ts';
import { planWriting } from '../../../src/operation/delivery/plan-write.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { lookAtFiles } from '../../../src/store/blobs/look-at-files.ts';
import { listQuarantine } from '../../../src/store/blobs/quarantine-folder.ts';
import type { Store } from '../../../src/store/model.ts';
import { quarantine } from '../../../src/store/quarantine.ts';
import { isSvcError, toSvcError } from '../../../src/text/error.ts';
import { openSent } from '../../../src/zone/sent.ts';
import { buildImage } from '../../kit/content/content.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { damages, listFiles, listKinds, openSource, pathOf } from '../../kit/hostile/damaged-source.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';
import { writeMediumOf } from '../../kit/scene/write-part-of.ts';

const isLate: ReadonlySet<string> = new Set(['layer', 'config']);
const isKept: ReadonlySet<string> = new Set(['manifest', 'recipe manifest']);

function plan(store: Store, stateRoot: string) {
  return planWriting({
    store,
    sent: openSent(stateRoot),
    zone: 'zone-b',
    recipes: [],
    folders: [],
    marginPercent: 0,
  });
}

for (const [what, damage] of Object.entries(damages))
  test(`a file that is ${what} blocks its recipe alone, whichever file it is`, async () => {
    await using source = await openSource();
    const found: string[] = [];
    const expected: string[] = [];
    const kinds = Object.keys(await listKinds(source));
    for (const kind of kinds)
      for (const when of ['before', 'after'] as const) {
        // their bytes are not read, or not again, before they are copied
        if (what === 'flipped' && (isLate.has(kind) || (when === 'after' && isKept.has(kind)))) continue;
        const place = await source.copy();
        const digest = (await listKinds(source))[kind]!;
        if (when === 'before') damage(pathOf(place, digest));
        await using store = await openStoreAt(place, { access: 'read' });
        if (when === 'after') {
          // everything is vouched for, and manifests are in memory
          await plan(store, place.stateRoot);
          damage(pathOf(place, digest));
        }
        const label = `${kind}, damaged ${when} it was read`;
        expected.push(`${label}: depot; shop: SVC-STO-010, named`);
        const told = await plan(store, place.stateRoot).then(
          ({ delivery, blocked }) =>
            [
              delivery.closures.map(({ record }) => record.name).join(),
              ...blocked.map(
                ({ record, error, missing }) =>
                  `${record.name}: ${error.code}, ${missing.includes(digest) ? 'named' : 'not named'}`,
              ),
            ].join('; '),
          (error: unknown) => String(error),
        );
        found.push(`${label}: ${told}`);
      }
    assert.deepEqual(found, expected);
  });

/** A source whose store is open, with disks of a size of which each recipe needs one. */
async function openWriter(others?: readonly string[]) {
  await using stack = new AsyncDisposableStack();
  const source = stack.use(await openSource(others));
  const { medium } = source;
  const place = await source.copy();
  const store = stack.use(await openStoreAt(place));
  const all = stack.move();
  const { config, layer } = listFiles(store) as { readonly config: Digest; readonly layer: Digest };
  return {
    store,
    config,
    layer,
    medium,
    at: (name: string) => join(medium.folder, name),
    pathOf: (digest: Digest) => pathOf(place, digest),
    sent: openSent(place.stateRoot),
    write: (folder: string, options: Partial<Parameters<typeof writeMediumOf>[0]> = {}) =>
      writeMediumOf({
        store,
        sent: openSent(place.stateRoot),
        zone: 'zone-b',
        folders: [join(medium.folder, folder)],
        policy: trust(medium.signer),
        signer: toSigner(createSigner().privateKey),
        ...options,
      }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

const namesOf = (written: MediumWriting) => ({
  recipes: written.recipes.map(({ name }) => name),
  blocked: written.blocked?.map(({ name, error }) => `${name}: ${error.code}`),
  proof: written.proof,
});

for (const kind of ['config', 'layer'] as const)
  test(`a ${kind} that proves damaged while it is copied ends the writing with its recipes, and the same command writes the others over it`, async () => {
    await using source = await openWriter();
    const digest = source[kind];
    const path = `blobs/${digest.replace(':', '/')}`;
    damages.flipped!(source.pathOf(digest));
    let first = '';
    const told: unknown[] = [];
    const error = await source
      .write('disk', {
        onPlan: ({ delivery }) => (first = delivery.id),
        report: {
          ...silentReport,
          audit: ({ action, target, details }) => {
            if (action === 'media.write') told.push([target, details]);
          },
        },
        custody: {
          ...noCustody,
          begin: async () => ({
            end: async () => {},
            fail: async (cause) => void told.push(toSvcError(cause).code),
          }),
        },
      })
      .catch((thrown: unknown) => thrown);
    assert.ok(isSvcError(error, 'SVC-MED-050'), String(error));
    assert.deepEqual(error.params, { delivery: first, path, recipes: 'shop@1.0.0' });
    assert.deepEqual(told, ['SVC-MED-050', ['zone-b', { delivery: first, code: 'SVC-MED-050' }]]);
    assert.ok(!existsSync(source.pathOf(digest)));
    assert.deepEqual(
      (await listQuarantine(source.store.root)).map((one) => one.digest),
      [digest],
    );
    assert.ok(existsSync(join(source.at('disk'), '_svc', 'delivery.json')));
    const written = await source.write('disk');
    assert.deepEqual(namesOf(written), {
      recipes: ['depot'],
      blocked: ['shop: SVC-STO-010'],
      proof: { ok: true, findings: [] },
    });
    assert.notEqual(written.delivery.id, first);
    const { report } = await verifyCarried(source.at('disk'), trust(source.medium.signer));
    assert.deepEqual([report.verdict, report.findings], ['pushable', []]);
  });

for (const [what, damage] of [
  ['damaged', damages.flipped!],
  ['lost', damages.deleted!],
] as const)
  test(`content that is ${what} after a disk left leaves that disk valid, and the error says what to do with the disks`, async () => {
    await using source = await openWriter(['depot', 'more']);
    const discs = (folder: string, options: Parameters<typeof source.write>[1] = {}) =>
      source.write(folder, { volumeBytes: [600_000], ...options });
    const planned: string[] = [];
    const error = await discs('discs', {
      onPlan: ({ volumes }) => {
        planned.push(...volumes.map(({ recipes }) => recipes.join().replace('@1.0.0', '')));
      },
      onPart: ({ part, isProved }) => {
        assert.ok(isProved);
        if (part > 1) return;
        const last = buildImage(planned.at(-1)!, { layerSize: 300_000 });
        damage(source.pathOf(last.blobs[1]!.descriptor.digest));
      },
    }).catch((thrown: unknown) => thrown);
    assert.deepEqual(planned.toSorted(), ['depot', 'more', 'shop']);
    assert.ok(isSvcError(error, 'SVC-MED-050'), String(error));
    assert.deepEqual([error.params.recipes, error.params.parts], [`${planned[2]}@1.0.0`, '1, 2']);
    for (const part of ['part-1', 'part-2']) {
      const { report } = await verifyCarried(join(source.at('discs'), part), trust(source.medium.signer));
      const whole = report.recipes.filter(({ pushable }) => pushable).map(({ name }) => name);
      assert.ok(whole.includes(planned[part === 'part-1' ? 0 : 1]!), JSON.stringify(report));
    }
    const other = await discs('discs').catch((thrown: unknown) => thrown);
    assert.ok(isSvcError(other, 'SVC-MED-045'), String(other));
    const written = await discs('empty');
    assert.deepEqual(namesOf(written), {
      recipes: planned.slice(0, 2).sort(),
      blocked: [`${planned[2]}: SVC-STO-010`],
      proof: { ok: true, findings: [] },
    });
    assert.ok(written.volumes.every(({ passport }) => passport));
  });

test('a damaged file that a reader found is moved to quarantine, although its content counts as absent already', async () => {
  await using source = await openWriter();
  const { store, layer } = source;
  damages.cut!(source.pathOf(layer));
  await lookAtFiles(store, [layer]);
  assert.equal(store.index.sizeOf(layer), undefined);
  const moved = await quarantine(store, [{ digest: layer }]);
  assert.deepEqual(
    moved.map(({ digest }) => digest),
    [layer],
  );
  assert.ok(!existsSync(source.pathOf(layer)));
  assert.deepEqual(await quarantine(store, [{ digest: layer }]), []);
});
