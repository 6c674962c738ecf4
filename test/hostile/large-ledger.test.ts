import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import { silentReport } from '../../src/base/report.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { beginning, type CustodyHead, writeLine } from '../../src/custody/line.ts';
import { openPackFolder } from '../../src/engine/evidence/pack-folder.ts';
import { openContext } from '../../src/operation/context.ts';
import { packEvidence } from '../../src/operation/custody/pack-evidence.ts';
import { showCustody } from '../../src/view/custody.ts';
import { showHistory } from '../../src/view/history.ts';
import { requireCost } from '../fault/rig/hostile-cost.ts';
import { openMemoryFolder } from '../kit/instance/memory-folder.ts';
import { runSvc } from '../kit/program/svc.ts';

const lines = 1_000_000;

/** The lines of a ledger, every other one an intent without an outcome. */
function* writeLines(): Generator<Buffer> {
  let head: CustodyHead = beginning;
  let block: Buffer[] = [];
  for (let i = 0; i < lines; i += 1) {
    const step = i % 2 === 0 ? 'intent' : 'event';
    const content = { ts: '2026-01-01T00:00:00.000Z', site: 'zone-a', type: 'fetched', step } as const;
    const line = writeLine({ ...content, actor: 'schedule', subjects: [], details: {} }, head);
    head = line;
    block.push(line.bytes);
    if (block.length < 1000) continue;
    yield Buffer.concat(block);
    block = [];
  }
}

test('a ledger of a million lines is verified in little memory, and its pages read their part only', async () => {
  await using folder = await openMemoryFolder('svc-ledger-');
  const root = folder.path;
  await mkdir(join(root, 'custody'));
  await pipeline(Readable.from(writeLines()), createWriteStream(join(root, 'custody', '2026.jsonl')));
  const config = join(root, 'svc.json');
  await writeFile(config, JSON.stringify({ state: { root }, custody: { site: 'zone-a' } }));
  const { exitCode, stdout, stderr } = await runSvc(
    ['custody', 'verify', '--config', config, '--output', 'json'],
    { env: { NODE_OPTIONS: '--max-old-space-size=64' } },
  );
  assert.equal(exitCode, 0, stderr);
  const checked = JSON.parse(stdout);
  assert.deepEqual([checked.lines, checked.last.seq, checked.open.length], [lines, lines, 1000]);
  const place = { state: { root }, audit: { keep: 0 } };
  const page = await showCustody(place, { pageSize: 200 });
  assert.deepEqual([page.lines.length, page.lines[0]?.seq], [200, lines]);
  // a search looks at a bounded part, and says where it ended
  const none = await showCustody(place, { type: 'reset' });
  assert.equal(none.lines.length, 0);
  const [, offset] = none.next!.split('-');
  const [, newest] = page.next!.split('-');
  assert.ok(Number(newest) - Number(offset) < 17 << 20);
  const history = await showHistory(place, { outcome: ['denied'] });
  assert.deepEqual([history.records.length, typeof history.next], [0, 'string']);
});

test('evidence of 20 000 lines is packed in short slices', async () => {
  await using folder = await openMemoryFolder('svc-ledger-');
  const root = folder.path;
  const delivery = 'dlv_0123456789ab';
  await mkdir(join(root, 'custody'));
  let head: CustodyHead = beginning;
  const blocks: Buffer[] = [];
  for (let i = 0; i < 20_000; i += 1) {
    const subjects = [{ name: `recipe-${i}@1.0.0`, digest: hashBytes(`${i}`) }];
    const content = {
      ts: '2026-01-01T00:00:00.000Z',
      site: 'zone-a',
      type: 'fetched',
      step: 'event',
    } as const;
    const line = writeLine({ ...content, actor: `user-${i % 50}`, subjects, details: { delivery } }, head);
    head = line;
    blocks.push(line.bytes);
  }
  await writeFile(join(root, 'custody', '2026.jsonl'), Buffer.concat(blocks));
  const config = join(root, 'svc.json');
  await writeFile(config, JSON.stringify({ state: { root }, custody: { enabled: true, site: 'zone-a' } }));
  const { config: loaded } = await loadConfig({ flags: {}, env: {}, configPath: config, explicit: true });
  await using context = await openContext(loaded, { report: silentReport, version: '0.0.0', env: {} });
  const input = { scope: { kind: 'delivery', value: delivery }, withholdActors: true } as const;
  let attempt = 0;
  // it takes some 10 ms; without slices it took 300
  await requireCost(0, { held: 60_000, base: 60_000_000, perByte: 0 }, async () => {
    attempt += 1;
    await using pack = await openPackFolder(join(root, `pack-${attempt}`));
    await packEvidence(context, pack, { ...input, language: 'en', store: undefined });
    await pack.seal();
  });
});
