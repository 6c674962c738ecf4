import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { passportPath, readPassport } from '../../../src/attest/passport.ts';
import { readReceipt, writeReceipt } from '../../../src/attest/receipt.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import type { Receipt } from '../../../src/contract/receipt.ts';
import { isSent } from '../../../src/contract/write-medium.ts';
import { noCustody } from '../../../src/custody/custody.ts';
import type { Custody } from '../../../src/custody/model.ts';
import type { StatedBase } from '../../../src/operation/delivery/choose-base.ts';
import type { PartOutcome } from '../../../src/operation/delivery/write-medium.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { openSent } from '../../../src/zone/sent.ts';
import { buildImage } from '../../kit/content/content.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { buildMedium, toImageRecipe } from '../../kit/scene/medium.ts';
import { openSparseZone } from '../../kit/scene/sparse-zone.ts';
import { trust } from '../../kit/scene/verify-carried.ts';
import { writeMediumOf } from '../../kit/scene/write-part-of.ts';

/** A sender with two recipes, of which each takes a disc of its own below the folder `discs`. */
async function openSender() {
  const recipes = ['shop', 'depot'].map((name) =>
    toImageRecipe(name, buildImage(name, { ownLayers: 1, layerSize: 300_000 })),
  );
  await using stack = new AsyncDisposableStack();
  const medium = stack.use(await buildMedium({ recipes }));
  const stateRoot = join(medium.folder, 'maker');
  const store = stack.use(await openStoreAt({ root: medium.root, stateRoot }));
  const discs = join(medium.folder, 'discs');
  const all = stack.move();
  return {
    discs,
    sent: openSent(stateRoot),
    write: (
      onPart: (done: PartOutcome) => void,
      {
        base,
        onBytes,
        isSigned = true,
        ...options
      }: {
        readonly base?: StatedBase;
        readonly onBytes?: () => void;
        readonly isSigned?: boolean;
        readonly readBack?: boolean;
        readonly custody?: Custody;
      } = {},
    ) =>
      writeMediumOf({
        base,
        onBytes,
        store,
        sent: openSent(stateRoot),
        zone: 'zone-b',
        folders: [discs],
        volumeBytes: [600_000],
        policy: trust(medium.signer),
        signer: isSigned ? toSigner(createSigner().privateKey) : undefined,
        from: 'zone-a',
        onPart,
        ...options,
      }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** A receipt of a zone with such a registry. @param recipes default: none */
function toBase(destination: Receipt['destination'], recipes: Receipt['recipes'] = []): StatedBase {
  const subject = { name: 'zone', digest: hashBytes('zone-b\n') };
  const receipt = toReceipt({ destination, recipes });
  const bytes = writeReceipt(receipt, [subject], toSigner(createSigner().privateKey));
  const read = readReceipt(bytes);
  assert.ok('receipt' in read);
  return { receipt: { ...read, bytes } };
}

test('no part gets a passport where the zone has no room for all of them, and none is on its way', async () => {
  await using sender = await openSender();
  const pathOf = (part: number) => join(sender.discs, `part-${part}`);
  const told: unknown[] = [];
  const custody: Custody = {
    ...noCustody,
    record: async ({ details }) => {
      told.push(details?.findings);
      return undefined;
    },
  };
  const { proof, volumes, delivery } = await sender.write(
    ({ path, isProved }) => {
      assert.equal(isProved, false);
      assert.ok(!existsSync(join(path, passportPath)));
    },
    { base: toBase({ sparse: 'accepted', freeBytes: 500_000 }), custody },
  );
  assert.ok(volumes.length > 1);
  assert.ok(volumes.every(({ passport }) => passport === false));
  const sent = (await sender.sent.delivery(delivery.id))!;
  assert.equal(sent.written.length, volumes.length);
  assert.equal(isSent(sent), false);
  assert.deepEqual(
    proof!.findings.map(({ code, subject }) => `${code} ${subject}`),
    ['SVC-CLO-004 zone-b'],
  );
  assert.deepEqual(told, [...volumes.slice(1).map(() => undefined), ['SVC-CLO-004']]);
  const exact = Number(proof!.findings[0]!.params.needed);
  const stores = volumes.map(({ part }) => pathOf(part));
  assert.ok(stores.every((path) => existsSync(path)));
  for (const path of stores) rmSync(path, { recursive: true });
  const enough = await sender.write(() => {}, {
    base: toBase({ sparse: 'accepted', freeBytes: exact }),
  });
  assert.deepEqual(enough.proof, { ok: true, findings: [] });
});

test('a part is proved and has its passport before the second one after it is begun, and can leave then', async () => {
  await using sender = await openSender();
  const seen: { part: number; isSigned: boolean; isOtherBegun: boolean }[] = [];
  const written = await sender.write(({ part, path }) => {
    const isOtherBegun = existsSync(join(sender.discs, `part-${part + 2}`));
    const read = readPassport(readFileSync(join(path, passportPath)));
    const isSigned = 'passport' in read && read.passport.zone === 'zone-b' && read.passport.from === 'zone-a';
    seen.push({ part, isSigned, isOtherBegun });
    rmSync(path, { recursive: true });
  });
  assert.ok(written.volumes.length > 1);
  assert.deepEqual(
    seen,
    written.volumes.map(({ part }) => ({ part, isSigned: true, isOtherBegun: false })),
  );
  assert.deepEqual(written.proof, { ok: true, findings: [] });
});

test('the ledger says of each proof that large files were not read back', async () => {
  await using sender = await openSender();
  const proofs: unknown[] = [];
  const custody: Custody = {
    ...noCustody,
    record: async ({ type, details }) => {
      if (type === 'proved') proofs.push(details?.readBack);
      return undefined;
    },
  };
  const { volumes } = await sender.write(() => {}, { custody, readBack: false });
  assert.deepEqual(
    proofs,
    volumes.map(() => false),
  );
  rmSync(sender.discs, { recursive: true });
  mkdirSync(sender.discs);
  await sender.write(() => {}, { custody });
  assert.deepEqual(new Set(proofs.slice(volumes.length)), new Set([undefined]));
});

test('the folder of the discs that another one replaces is named, and nothing is written into the other one', async () => {
  await using sender = await openSender();
  const { discs } = sender;
  mkdirSync(discs);
  const writing = sender.write(() => {
    renameSync(discs, `${discs}-away`);
    mkdirSync(discs);
  });
  await assert.rejects(writing, {
    code: 'SVC-STO-019',
    params: { path: discs, detail: 'another folder is in its place' },
  });
  assert.deepEqual(readdirSync(discs), []);
});

test('a disk that another one replaces while its part is written is named', async () => {
  for (const swapped of ['', 'part-1']) {
    await using sender = await openSender();
    const folder = join(sender.discs, swapped);
    let isSwapped = false;
    const writing = sender.write(() => {}, {
      onBytes: () => {
        if (isSwapped) return;
        isSwapped = true;
        renameSync(folder, `${folder}-away`);
        mkdirSync(folder);
      },
    });
    await assert.rejects(writing, { code: 'SVC-STO-019' }, swapped);
  }
});

test('a sparse index is a warning beside the passport, and for a zone that refused one there is no passport', async () => {
  await using zone = await openSparseZone('registry.invalid');
  const { medium } = zone;
  const signer = toSigner(createSigner().privateKey);
  const stateRoot = join(medium.folder, 'maker');
  await using store = await openStoreAt({ root: medium.root, stateRoot });
  const write = async (sparse: Receipt['destination']['sparse']) => {
    const { proof, volumes } = await writeMediumOf({
      store,
      sent: openSent(stateRoot),
      zone: 'zone-b',
      base: toBase({ sparse }),
      folders: [join(medium.folder, sparse)],
      policy: trust(medium.signer),
      signer,
    });
    const found = proof!.findings.map(({ severity, code }) => `${severity} ${code}`);
    return [found, volumes.map(({ passport }) => passport)];
  };
  assert.deepEqual(await write('accepted'), [[], [true]]);
  assert.deepEqual(await write('unknown'), [['warning SVC-CLO-004'], [true]]);
  assert.deepEqual(await write('refused'), [['error SVC-DST-002'], [false]]);
});

test('recipes of a receipt that another one contradicts are not in the registry of the proof', async () => {
  await using zone = await openSparseZone('registry.invalid');
  const { medium } = zone;
  const stateRoot = join(medium.folder, 'maker');
  await using store = await openStoreAt({ root: medium.root, stateRoot });
  const present = medium.records.map(({ name, version, digest }) => {
    return { name, version, digest, state: 'present' } as const;
  });
  const base = toBase({ sparse: 'refused' }, present);
  const { digest } = base.receipt;
  const fork = { sequence: 1, known: digest, refused: digest, foundAt: '2026-03-01T12:00:00.000Z' };
  const write = async (name: string, stated: StatedBase) => {
    const { proof, recipes } = await writeMediumOf({
      ...{ store, sent: openSent(stateRoot), zone: 'zone-b', base: stated },
      folders: [join(medium.folder, name)],
      policy: trust(medium.signer),
    });
    return [proof!.ok, recipes.map(({ refusal }) => refusal?.code)];
  };
  assert.deepEqual(await write('believed', base), [true, [undefined]]);
  assert.deepEqual(await write('doubtful', { ...base, fork }), [false, ['SVC-DST-002']]);
});

test('a disk that came back with other files is written again, and nothing of them is signed', async () => {
  await using sender = await openSender();
  const part = join(sender.discs, 'part-1');
  const [first] = (await sender.write(() => {})).volumes;
  const [manifest, readme] = ['media.jsonl', 'README.txt'].map((name) => join(part, name));
  const [text, words] = [readFileSync(manifest!, 'utf8'), readFileSync(readme!, 'utf8')];
  const foreign = 'run program/install.sh';
  for (const isSigned of [true, false]) {
    const line = text.split('\n').find((one) => one.includes('"README.txt"'))!;
    const { size } = JSON.parse(line) as { readonly size: number };
    const other = { path: 'README.txt', size, digest: hashBytes(foreign.padEnd(size)) };
    writeFileSync(readme!, foreign.padEnd(size));
    writeFileSync(manifest!, text.replace(line, JSON.stringify(other)));
    const [again] = (await sender.write(() => {}, { isSigned })).volumes;
    assert.equal(again!.state, 'written');
    assert.equal(again!.manifest, first!.manifest);
    assert.equal(readFileSync(manifest!, 'utf8'), text);
    assert.equal(readFileSync(readme!, 'utf8'), words);
    assert.equal(existsSync(join(part, passportPath)), isSigned);
    if (!isSigned) continue;
    const read = readPassport(readFileSync(join(part, passportPath)));
    assert.ok('passport' in read);
    assert.deepEqual(read.subjects, [{ name: 'media.jsonl', digest: hashBytes(text) }]);
  }
  const [kept] = (await sender.write(() => {})).volumes;
  assert.equal(kept!.state, 'unchanged');
  assert.ok(existsSync(join(part, passportPath)));
});
