import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openClientHome } from '../../kit/program/client-home.ts';
import { needs } from '../../kit/program/peers.ts';
import { blocksOf, openEvidenceSite } from '../../kit/scene/evidence-site.ts';

test('cosign verifies the bundles of a pack by the lines of VERIFY.md', async (t) => {
  const cosign = needs(t, 'cosign');
  if (cosign === undefined) return;
  await using site = await openEvidenceSite();
  const folder = await site.packDelivery();
  const block = blocksOf(await readFile(join(folder, 'VERIFY.md'), 'utf8')).find((one) =>
    one.includes('\ncosign'),
  )!;
  const home = await openClientHome(site.medium.folder);
  for (const line of block.split('\n').filter((one) => one.startsWith('cosign'))) {
    const args = line.split(' ').slice(1);
    const inFolder = args.map((word) => (/^(?:keys|recipes)\//.test(word) ? join(folder, word) : word));
    assert.equal((await home.try(cosign, inFolder)).exitCode, 0, line);
    const other = inFolder.map((word) =>
      /^[0-9a-f]{64}$/.test(word) ? createHash('sha256').update(word).digest('hex') : word,
    );
    assert.notEqual((await home.try(cosign, other)).exitCode, 0);
  }
});
