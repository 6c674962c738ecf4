import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { eventually } from '../../kit/instance/eventually.ts';
import { startInstance } from '../../kit/instance/instance.ts';
import { openMemoryFolder } from '../../kit/instance/memory-folder.ts';
import { expectAlerts } from '../../kit/program/alerts.ts';
import { scrape } from '../../kit/program/scrape.ts';

/** A host that takes connections and never answers. */
async function openSilentHost(): Promise<{ readonly host: string } & AsyncDisposable> {
  const sockets = new Set<{ destroy(): void }>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a task that does not end holds up the others, which the metrics and alerts say', async (t) => {
  await using folder = await openMemoryFolder('svc-monitoring-');
  await using silent = await openSilentHost();
  await using instance = await startInstance({
    folder: folder.path,
    config: {
      retriever: { source: `oci://${silent.host}/zone:v1` },
      registries: { insecure: [silent.host] },
    },
  });
  const idle = await scrape(instance);
  assert.equal(idle.value('svc_task_running{type="sync"}'), 0);
  assert.ok(!idle.samples.has('svc_tasks_oldest_pending_timestamp_seconds'));

  const submit = async (): Promise<string> => {
    const { status, body } = await instance.api('POST', '/sync', {});
    assert.equal(status, 201, JSON.stringify(body));
    return body.task.id;
  };
  const first = await submit();
  await eventually(
    'the task to run',
    async () => (await scrape(instance)).value('svc_tasks{status="running"}') === 1,
  );
  for (let left = 202; left > 0; left -= 1) await submit();
  const crowded = await scrape(instance);
  assert.equal(crowded.value('svc_tasks{status="pending"}'), 202);
  assert.equal(crowded.value('svc_task_running{type="sync"}'), 1);
  assert.equal(crowded.value('svc_task_done_bytes'), 0);
  const oldest = crowded.value('svc_tasks_oldest_pending_timestamp_seconds');
  assert.ok(oldest > idle.at - 1 && oldest <= crowded.at);
  const among = ['SvcTaskQueueNearlyFull', 'SvcTasksQueuedLong', 'SvcSyncFailing', 'SvcSyncOverdue'];
  await expectAlerts(
    t,
    [idle, crowded],
    [
      { minute: 3, firing: [], among },
      { minute: 15, firing: ['SvcTaskQueueNearlyFull'], among },
      { minute: 80, firing: ['SvcTaskQueueNearlyFull', 'SvcTasksQueuedLong'], among },
    ],
  );

  const cancelled = await instance.api('POST', `/tasks/${first}/cancel`, {});
  assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body));
  const next = await eventually('the next task', async () => {
    const found = await scrape(instance);
    return found.value('svc_tasks{status="cancelled"}') === 1 && found;
  });
  assert.equal(next.value('svc_sync_runs_total{outcome="interrupted"}'), 1);
  assert.equal(next.value('svc_sync_runs_total{outcome="failure"}'), 0);
  assert.ok(!next.samples.has('svc_sync_last_outcome{outcome="failure"}'), 'a cancelled run says nothing');
  await instance.kill();
});
