import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { silentReport } from '../../../src/base/report.ts';
import type { RecipeRecord } from '../../../src/catalog/model.ts';
import type { Task, TaskItem, TaskResolution } from '../../../src/contract/task.ts';
import type { TaskJournal } from '../../../src/task/model.ts';
import { countItems } from '../../../src/task/storage.ts';
import { openTaskFiles } from '../../../src/task/task-files.ts';
import { svcError, toErrorRecord } from '../../../src/text/error.ts';
import { mediumReport, recipeVerdict } from '../scene/media-state.ts';
import { day, longName, stockTask } from './stock.ts';

const GiB = 1 << 30;
const minute = 60_000;
const toDigest = (seed: string) => `sha256:${createHash('sha256').update(seed).digest('hex')}` as const;

const refusal = svcError('SVC-SIG-001', {
  subject: 'registry.example/cookbook/agent:2.0.1',
  reason: 'untrusted',
  fingerprints: ['77e0'.repeat(16)],
});
export const refusalRecord = toErrorRecord(refusal);

const MiB = 1 << 20;
const done = (name: string, sizeBytes: number): TaskItem => ({
  name,
  digest: toDigest(name),
  sizeBytes,
  status: 'done',
  transferredBytes: sizeBytes,
});

const settled: readonly TaskItem[] = [
  done('shop@1.4.2', 4_210),
  done('shop@1.4.2/web', 3 * GiB),
  done('shop@1.4.2/postgres', 1.3 * GiB),
  done('shop@1.4.2/chart', 49_152),
  done('base@12.4.0', 2_118),
  done('base@12.4.0/debian', 236 * MiB),
  done('monitoring@3.1.0', 3_004),
  done(`${longName}@2026.11.0-rc.1`, 2_004),
];
const agent: TaskItem = {
  name: 'agent@2.0.1',
  digest: toDigest('agent'),
  status: 'failed',
  transferredBytes: 0,
  error: refusalRecord,
};
/** Constraints of the Retriever, where they are not the version itself. */
const requested: Readonly<Record<string, string>> = { shop: '^1.4', base: '12.x' };

/** The resolutions of a run: everything was contacted through a mirror, except one host. */
function toResolutions(records: readonly RecipeRecord[]): readonly TaskResolution[] {
  return records.flatMap(({ name, version, cookbook, digest, ingredients }): TaskResolution[] => {
    const via = (ref: string): string =>
      ref.startsWith('quay.') ? ref : ref.replace(/^[^/]+/, 'zone-a.example');
    const common = {
      recipe: `${name}@${version}`,
      resolved: version,
      status: 'new',
      trustScope: 'release',
    } as const;
    return [
      { ...common, requested: requested[name] ?? version, digest, effective: via(cookbook) },
      ...ingredients.map((each) => ({
        ...common,
        ingredient: each.name,
        requested: each.tag,
        resolved: each.tag,
        digest: each.digest,
        effective: via(each.ref),
      })),
    ];
  });
}

/** Minutes ago at which the last synchronization began and ended. */
export const lastSync = { began: 18, ended: 3 } as const;

/** The items as they ended one after the other, between two times in milliseconds. */
function endOneByOne(items: readonly TaskItem[], from: number, to: number): readonly TaskItem[] {
  const step = (to - from) / items.length;
  return items.map((item, i) => ({
    ...item,
    finishedAt: new Date(Math.round(from + (i + 1) * step)).toISOString(),
  }));
}

/** The work of the last synchronization that ended: one recipe is refused. */
export async function runPartial(journal: TaskJournal, records: readonly RecipeRecord[]): Promise<never> {
  const now = Date.now();
  const { began, ended } = lastSync;
  const items = endOneByOne([...settled, agent], now - began * minute, now - ended * minute);
  journal.setItems(items.map((item) => ({ ...item, status: 'pending', transferredBytes: 0 })));
  journal.setResolutions(toResolutions(records));
  journal.setTotalBytes(4.5 * GiB);
  journal.addBytes(4.5 * GiB);
  journal.line('resolved 5 recipes, 41 ingredients');
  await journal.settleItems(items);
  throw refusal;
}

interface Past {
  readonly id: string;
  /** Minutes ago at which it ended. */
  readonly ago: number;
  readonly minutes: number;
  readonly task: Partial<Task> & Pick<Task, 'type' | 'reference' | 'actor' | 'status' | 'items'>;
}

/** Identifiers of finished tasks whose pages are looked at. */
export const pastTasks = {
  complete: stockTask,
  carried: 'tsk_77d0c1e5f3a2',
  full: 'tsk_e41f00d39a77',
} as const;

const past: readonly Past[] = [
  {
    id: 'tsk_10aa22bb33cc',
    ago: 6 * 1440,
    minutes: 48,
    task: {
      type: 'sync',
      reference: 'https://registry.example/zone-b.yaml',
      actor: 'schedule',
      status: 'done',
      items: settled,
    },
  },
  {
    id: pastTasks.carried,
    ago: 3 * 1440,
    minutes: 21,
    task: {
      type: 'media-import',
      reference: '/media/disk',
      actor: 'olga',
      status: 'failed',
      principalCode: 'SVC-MED-012',
      items: [
        ...settled.slice(0, 6),
        {
          name: 'agent@1.8.3',
          digest: toDigest('carried agent'),
          status: 'failed',
          transferredBytes: 0,
          error: toErrorRecord(svcError('SVC-MED-012', { path: 'blobs/sha256/a3f9' })),
        },
      ],
      resolutions: ['shop@1.4.2', 'base@12.4.0'].map((recipe) => ({
        ...{ recipe, digest: toDigest(recipe), status: 'up-to-date', destinationStatus: 'pushed' },
        ...{ requested: recipe.split('@')[1]!, resolved: recipe.split('@')[1]! },
      })),
      verification: mediumReport({
        verdict: 'partial',
        recipes: [
          recipeVerdict({
            name: 'agent',
            version: '1.8.3',
            pushable: false,
            reason: {
              code: 'SVC-MED-012',
              path: 'blobs/sha256/a3f9',
              params: { path: 'blobs/sha256/a3f9' },
            },
          }),
          recipeVerdict(),
          recipeVerdict({ name: 'base', version: '12.4.0', files: 41, bytes: 0.6 * GiB }),
        ],
      }),
    },
  },
  {
    id: 'tsk_c0de44aa9911',
    ago: 1500,
    minutes: 2,
    task: {
      type: 'import',
      reference: 'registry.example/tool:1',
      actor: 'alice',
      status: 'done',
      items: [done('registry.example/tool:1', 18 << 20)],
    },
  },
  {
    id: pastTasks.full,
    ago: 1460,
    minutes: 1,
    task: {
      type: 'layout-export',
      reference: '/srv/out/shop.tar',
      actor: 'alice',
      status: 'failed',
      principalCode: 'SVC-STO-004',
      items: [],
      error: toErrorRecord(
        svcError('SVC-STO-004', {
          path: '/srv/out',
          needed: 12 * GiB,
          usable: 8 * GiB,
          free: 9 * GiB,
          margin: 10,
          shortfall: 4 * GiB,
        }),
      ),
    },
  },
  {
    id: pastTasks.complete,
    ago: 1440,
    minutes: 12,
    task: {
      type: 'sync',
      reference: 'https://registry.example/zone-b.yaml',
      actor: 'schedule',
      status: 'done',
      items: settled,
      pruned: [
        {
          repository: 'registry.example/shop/web',
          tag: '1.3.8',
          digest: toDigest('pruned'),
          recipe: 'shop@1.3.8',
        },
      ],
    },
  },
];

function toTask({ id, ago, minutes, task }: Past): Task {
  const end = Date.now() - ago * minute;
  const { items } = task;
  const bytes = items.reduce((sum, { transferredBytes }) => sum + transferredBytes, 0);
  const began = end - minutes * minute;
  const at = (time: number): string => new Date(time).toISOString();
  return {
    id,
    runId: `5f00c0ff-ee00-4d6a-9a55-${id.slice(4)}`,
    createdAt: at(began - 4_000),
    startedAt: at(began),
    finishedAt: at(end),
    resumed: false,
    counts: countItems(items),
    progress: { bytesDone: bytes, bytesTotal: bytes },
    ...task,
    items: endOneByOne(items, began, end),
  };
}

/** Writes tasks of the last week below a state root, before its instance is opened. */
export async function writeHistory(stateRoot: string): Promise<void> {
  await using files = await openTaskFiles(join(stateRoot, 'tasks'), silentReport);
  for (const [sequence, each] of past.entries()) {
    const task = toTask(each);
    const { type, reference, actor } = task;
    const record = { sequence: sequence + 1, request: { type, reference, actor }, task };
    await files.create(record as Parameters<typeof files.create>[0]);
    await files.appendLog(
      task.id,
      [
        `${task.startedAt} started ${type} of ${reference}\n`,
        ...task.items.map(
          ({ name, status, digest, finishedAt }) => `${finishedAt} ${status} ${name} ${digest ?? ''}\n`,
        ),
      ].join(''),
    );
    await files.finish(record as Parameters<typeof files.finish>[0]);
  }
}

/** Bytes that arrive in the running synchronization each half second, for about a quarter of an hour. */
const trickle = 512 << 10;

/** The work of a synchronization that is under way and does not end until it is stopped. */
export async function runForever(journal: TaskJournal, signal: AbortSignal): Promise<void> {
  const web = 800 * MiB;
  let arrived = 412 * MiB;
  const before = endOneByOne(settled.slice(4), Date.now() - 6 * minute, Date.now() - 2 * minute);
  journal.setItems([
    { name: 'shop@1.4.3', digest: toDigest('running'), status: 'running', transferredBytes: 0 },
    {
      name: 'shop@1.4.3/web',
      digest: toDigest('running web'),
      sizeBytes: web,
      status: 'running',
      transferredBytes: arrived,
      blobs: [
        {
          digest: toDigest('layer 1'),
          sizeBytes: 512 * MiB,
          receivedBytes: 300 * MiB,
          resumed: true,
          done: false,
        },
        {
          digest: toDigest('layer 2'),
          sizeBytes: 112 * MiB,
          receivedBytes: 112 * MiB,
          resumed: false,
          done: true,
        },
      ],
    },
    { name: 'monitoring@3.1.0/prometheus', sizeBytes: 910 * MiB, status: 'pending', transferredBytes: 0 },
    ...endOneByOne(
      [done('shop@1.4.3/postgres', 1536 * MiB), agent],
      Date.now() - 2 * minute,
      Date.now() - minute,
    ),
    ...before,
  ]);
  journal.setTotalBytes(web + (910 + 1536 + 236) * MiB);
  journal.addBytes(arrived + (1536 + 236) * MiB);
  journal.line('resolved 5 recipes, 41 ingredients');
  journal.line('agent@2.0.1: refused, SVC-SIG-001');
  journal.line('shop@1.4.3/postgres: done, 1.5 GiB');
  journal.line('shop@1.4.3/web: resumed at 128 MiB');
  const timer = setInterval(() => {
    if (arrived + trickle >= web) return;
    arrived += trickle;
    journal.addBytes(trickle);
    journal.updateItem('shop@1.4.3/web', { transferredBytes: arrived });
  }, 500);
  try {
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  } finally {
    clearInterval(timer);
  }
}

export const lastSyncAt = (): string => new Date(Date.now() - lastSync.ended * minute).toISOString();
export const daysAgo = (days: number): string => new Date(Date.now() - days * day).toISOString();
