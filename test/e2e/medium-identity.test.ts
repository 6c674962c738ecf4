import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildImage } from '../kit/content/content.ts';
import { demand, toDemand } from '../kit/content/demand.ts';
import { toOrigin } from '../kit/content/origin.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';

interface LogRecord {
  readonly msg: string;
  readonly mediaId?: string;
}

const toRecords = (text: string): LogRecord[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

test('every record of what a mirror does to its store names the medium, in its own log and on the medium', async () => {
  await using world = await openRehearsal();
  const origin = toOrigin(await world.double());
  const images = new Map([['shop', buildImage('shop', { layerSize: 20_000 })]]);
  const medium = world.path('medium');
  const mirror = await world.start('mirror', {
    mode: 'mirror',
    storage: { root: medium },
    retriever: { source: await demand(world, origin, toDemand(images)) },
    registries: await world.registries([origin.host]),
    trust: world.trust,
  });
  const { result } = await world.sync(mirror);
  assert.equal(result.exitCode, 0, result.stderr);
  await mirror.stop();

  const [header] = (await readFile(join(medium, 'media.jsonl'), 'utf8')).split('\n');
  const { mediaId } = JSON.parse(header!) as { mediaId: string };
  const own = toRecords(mirror.log());
  const since = own.slice(own.findIndex(({ msg }) => msg === 'store opened'));
  const onMedium = toRecords(await readFile(join(medium, '_svc/logs/operations.log'), 'utf8'));
  for (const records of [since, onMedium])
    assert.deepEqual(
      records.filter((record) => record.mediaId !== mediaId),
      [],
    );
  const said = (records: readonly LogRecord[]): Set<string> => new Set(records.map(({ msg }) => msg));
  for (const msg of ['Audit: sync.create', 'Task started', 'Synchronization ended', 'Task ended'])
    assert.ok(said(since).has(msg), msg);
  assert.ok(said(onMedium).has('Synchronization ended'));
});
