import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { hashBytes } from '../../../src/base/digest.ts';
import {
  formatMediumEntry,
  formatMediumHeader,
  parseMediumHeader,
} from '../../../src/store/rest/media-manifest.ts';
import { buildMedium } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';

test('the event loop turns while findings about many listed files are made', async () => {
  await using medium = await buildMedium({ recipes: [] });
  const path = join(medium.root, 'media.jsonl');
  const header = parseMediumHeader((await readFile(path, 'utf8')).split('\n', 1)[0]!);
  const count = 50_000;
  const entries = Array.from({ length: count }, (_, i) => ({
    path: `other/${String(i).padStart(6, '0')}`,
    size: 1,
    digest: hashBytes(String(i)),
  }));
  const totals = { files: count, bytes: count };
  await writeFile(path, formatMediumHeader({ ...header, totals }) + entries.map(formatMediumEntry).join(''));
  let stage = '';
  let turns = 0;
  let ended = false;
  const counting = (async () => {
    for (; !ended; await turn()) if (stage === 'extraneous') turns += 1;
  })();
  const { report } = await verifyCarried(medium.root, trust(medium.signer), {
    onProgress: (progress) => {
      stage = progress.stage;
    },
  });
  ended = true;
  await counting;
  assert.equal(report.findings.length, 1000);
  assert.ok(turns > 20, `${turns} turns`);
});
