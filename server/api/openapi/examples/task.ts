import { digests } from './digests.ts';

const head = {
  id: 'tsk_5f0c2a9be471',
  runId: 'b1946ac9-2b4e-4d8f-9a63-70c1f5e2d3a4',
  type: 'sync',
  reference: '/etc/svc/retriever.yaml',
  actor: 'token:pipeline',
  createdAt: '2026-07-01T06:00:00.000Z',
  resumed: false,
};

const pending = {
  ...head,
  status: 'pending',
  prune: false,
  counts: { total: 0, done: 0, failed: 0, skipped: 0 },
  progress: { bytesDone: 0, bytesTotal: 0 },
};

const done = {
  ...head,
  status: 'done',
  startedAt: '2026-07-01T06:00:00.210Z',
  finishedAt: '2026-07-01T06:00:04.873Z',
  prune: false,
  counts: { total: 1, done: 1, failed: 0, skipped: 0 },
  progress: { bytesDone: 48_211_004, bytesTotal: 48_211_004 },
};

const created = { task: { ...pending, items: [] } };

/** Answers about tasks. */
export const taskExamples = {
  listTasks: { tasks: [done], page: 1, totalPages: 1, total: 1 },
  getTask: {
    task: {
      ...done,
      items: [
        {
          name: 'library/app:1.4.2',
          digest: digests.app,
          sizeBytes: 48_211_004,
          status: 'done',
          transferredBytes: 48_211_004,
        },
      ],
      resolutions: [
        {
          recipe: 'platform',
          requested: '^1.0',
          resolved: '1.0.0',
          digest: digests.recipe,
          status: 'new',
        },
      ],
    },
  },
  cancelTasks: {
    cancelled: ['tsk_5f0c2a9be471'],
    refused: [{ id: 'tsk_8c1d30e47a52', code: 'SVC-TSK-005' }],
  },
  cancelTask: {
    task: {
      ...pending,
      status: 'failed',
      finishedAt: '2026-07-01T06:00:01.000Z',
      error: { code: 'SVC-TSK-004', class: 'failure', params: { actor: 'ana' } },
      principalCode: 'SVC-TSK-004',
      cancelledBy: 'ana',
      items: [],
    },
  },
  getTaskLog: { chunk: '2026-07-01T06:00:00.210Z platform 1.0.0 is new\n', next: 48 },
  startSync: { ...created, prunePreview: { items: [], count: 0, totalBytes: 0 } },
  importArtifact: {
    task: { ...created.task, type: 'import', reference: 'registry.example/library/app:1.4.2' },
  },
  importMedium: { task: { ...created.task, type: 'media-import', reference: 'med-20260701' } },
  writeMedia: { task: { ...created.task, type: 'media-write', reference: '/mnt/usb/delivery' } },
  exportLayout: { task: { ...created.task, type: 'layout-export', reference: '/srv/transfer/app.tar' } },
  importLayout: { task: { ...created.task, type: 'layout-import', reference: '/srv/transfer/app.tar' } },
};
