import { digests } from './digests.ts';

const mediaId = '0f3c9a52-7d18-4e6b-b2a4-91c05d8e7f36';
const recipe = {
  name: 'platform',
  version: '1.0.0',
  cookbook: 'cookbook',
  repository: 'cookbook/platform',
  digest: digests.recipe,
  pushable: true,
  files: 5,
  bytes: 48_211_004,
};
const report = {
  verdict: 'pushable',
  blocks: [],
  zone: { expected: 'zone-b', found: 'zone-b', match: true },
  recipes: [recipe],
  findings: [],
  checked: { files: 9, bytes: 48_220_311 },
  startedAt: '2026-07-01T06:00:00.000Z',
  finishedAt: '2026-07-01T06:00:07.400Z',
};

/** Answers about media. */
export const mediaExamples = {
  getMedium: {
    zone: 'zone-b',
    root: '/srv/medium',
    mediaId,
    lastImport: {
      mediaId,
      resolvedAt: '2026-06-30T06:00:00.000Z',
      importedAt: '2026-07-01T06:00:00.000Z',
      runId: 'b1946ac9-2b4e-4d8f-9a63-70c1f5e2d3a4',
    },
  },
  getVerification: { guarded: true, serving: 'open', mediaId, report },
  verifyMedium: report,
};
