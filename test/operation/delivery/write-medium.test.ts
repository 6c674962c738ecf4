import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { passportPath } from '../../../src/attest/passport.ts';
import { silentReport } from '../../../src/base/report.ts';
import { writeMedium } from '../../../src/operation/delivery/write-medium.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { openSent } from '../../../src/zone/sent.ts';
import { buildImage } from '../../kit/content/content.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { buildMedium, type MediumRecipe } from '../../kit/scene/medium.ts';
import { trust } from '../../kit/scene/verify-carried.ts';

test('a part has its passport when it is complete, before the next one is begun, and can leave then', async () => {
  const recipes = ['shop', 'depot'].map((name): MediumRecipe => {
    const artifact = buildImage(name, { ownLayers: 1, layerSize: 300_000 });
    const image = {
      name: 'image',
      kind: 'ContainerImage',
      ref: `origin.example/${name}`,
      tag: '1.0.0',
    } as const;
    return { name, version: '1.0.0', layout: 'bundle', ingredients: [{ ...image, artifact }] };
  });
  await using medium = await buildMedium({ recipes });
  const stateRoot = join(medium.folder, 'maker');
  await using store = await openStoreAt({ root: medium.root, stateRoot });
  const discs = join(medium.folder, 'discs');
  const seen: { part: number; isSigned: boolean; isNextBegun: boolean }[] = [];
  const written = await writeMedium({
    store,
    sent: openSent(stateRoot),
    zone: 'zone-b',
    recipes: [],
    folders: [discs],
    volumeBytes: 600_000,
    marginPercent: 0,
    actor: 'test',
    report: silentReport,
    version: '0.0.0-test',
    preflightDisabled: false,
    policy: trust(medium.signer),
    signer: toSigner(createSigner().privateKey),
    onPart: (part, path) => {
      const isNextBegun = existsSync(join(discs, `part-${part + 1}`));
      seen.push({ part, isSigned: existsSync(join(path, passportPath)), isNextBegun });
      rmSync(path, { recursive: true });
    },
  });
  assert.ok(written.volumes.length > 1);
  assert.deepEqual(
    seen,
    written.volumes.map(({ part }) => ({ part, isSigned: true, isNextBegun: false })),
  );
  assert.deepEqual(written.proof, { ok: true, findings: [] });
});
