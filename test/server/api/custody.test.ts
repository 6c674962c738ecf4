import assert from 'node:assert/strict';
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCustody } from '../../../src/custody/custody.ts';
import { startTestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

test('the lines of the ledger are paged, filtered by their kind, and empty without a ledger', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  const stateRoot = join(folder.path, 'state');
  const ask = async (query: Readonly<Record<string, string>> = {}, status = 200): Promise<any> => {
    const answer = await server.fetch(`/api/v1/custody?${new URLSearchParams(query)}`);
    assert.equal(answer.status, status);
    return answer.json();
  };
  assert.deepEqual(await ask(), { lines: [] });
  const custody = openCustody({
    stateRoot,
    site: 'zone-a',
    clock: { wall: () => Date.parse('2026-05-01T00:00:00Z') },
  });
  for (const type of ['fetched', 'handed-over', 'fetched'] as const)
    await custody.record({ type, actor: 'ana' });
  const first = await ask({ pageSize: '2' });
  assert.deepEqual(
    first.lines.map(({ seq }: any) => seq),
    [3, 2],
  );
  const second = await ask({ pageSize: '2', cursor: first.next });
  assert.deepEqual([second.lines.map(({ seq }: any) => seq), second.next], [[1], undefined]);
  assert.deepEqual(
    (await ask({ type: 'handed-over' })).lines.map(({ seq }: any) => seq),
    [2],
  );
  await appendFile(join(stateRoot, 'custody', '2026.jsonl'), 'no line\n');
  assert.deepEqual([(await ask()).lines.length, (await ask()).broken], [3, 1]);
  for (const query of [{ cursor: '../2026' }, { cursor: '2026' }, { type: 'other' }, { pageSize: '0' }])
    assert.equal((await ask(query as never, 422)).code, 'SVC-VAL-001');
  // a position behind the end, and one in the middle of a line
  assert.equal((await ask({ cursor: '2026-999999999' })).lines.length, 3);
  assert.equal((await ask({ cursor: '2026-10' })).broken, 1);
  await rm(join(stateRoot, 'custody'), { recursive: true });
});
