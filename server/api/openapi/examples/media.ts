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

const receipt = {
  zone: 'zone-b',
  sequence: 8,
  issuedAt: '2026-07-01T06:10:00.000Z',
  digest: digests.statement,
  own: false,
  verified: true,
  believed: true,
  evidence: 'head',
  recipes: { present: 40, incomplete: 0, blocked: 0 },
};

const board = {
  name: 'zone-b',
  wanted: { state: 'resolved', resolvedAt: '2026-07-04T06:10:00.000Z' },
  receipt: { sequence: 8, issuedAt: '2026-07-01T06:10:00.000Z', ageSeconds: 259_200, overdue: false },
  deliveries: [
    {
      id: 'dlv_3f9c01ab77de',
      startedAt: '2026-07-03T09:00:00.000Z',
      ageSeconds: 76_200,
      parts: 1,
      overdue: false,
    },
  ],
  totals: { blocked: 0, missing: 0, behind: 0, 'in-transit': 1, unknown: 0, current: 0 },
  recipes: [
    {
      name: 'platform',
      requested: '^1.0.0',
      wanted: '1.1.0',
      digest: digests.recipe,
      present: '1.0.0',
      state: 'in-transit',
      since: '2026-07-03T09:00:00.000Z',
      delivery: 'dlv_3f9c01ab77de',
    },
  ],
};

const proof = {
  verdict: 'incomplete',
  against: { kind: 'empty' },
  steps: [
    { name: 'media', checked: 418, bytes: 2147483648, milliseconds: 1480 },
    { name: 'trust', checked: 2, bytes: 0, milliseconds: 21 },
    { name: 'import', checked: 2, bytes: 2141192192, milliseconds: 90 },
  ],
  findings: [
    {
      step: 'capacity',
      code: 'SVC-CLO-004',
      severity: 'warning',
      subject: 'registry.invalid/registry.example/shop/web:1.4.0',
      detail:
        'The destination may refuse registry.invalid/registry.example/shop/web:1.4.0: platforms of the index are absent.',
      remedy:
        'Ask the zone for a receipt, which says whether its registry accepts it; else remove platforms from the ingredient.',
      params: { reference: 'registry.invalid/registry.example/shop/web:1.4.0', problem: 'sparse' },
    },
  ],
  limits: [
    {
      name: 'runtime-images',
      detail: 'images that a program chooses while it runs, such as those that an operator starts',
    },
  ],
};

const delivery = {
  id: 'dlv_3f9c01ab77de',
  zone: 'zone-b',
  resolvedAt: '2026-01-02T03:04:05.000Z',
  parts: 3,
  complete: false,
  landed: [
    {
      part: 2,
      mediaId: '7b2f0c1e-5a70-4c86-9a3c-0d8f3f6c1a11',
      manifest: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      importedAt: '2026-01-03T08:00:00.000Z',
    },
  ],
  needed: [1],
  recipes: [
    {
      name: 'shop',
      version: '1.4.0',
      digest: 'sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
      state: 'waiting',
      parts: [1],
    },
  ],
};

/** A delivery by all its records. */
const known = {
  id: 'dlv_3f9c01ab77de',
  zone: 'zone-b',
  state: 'way',
  reason: 'The delivery for zone-b is written, and no receipt confirms it yet',
  step: 'await',
  parts: 1,
  partsWritten: 1,
  bytes: 2_118_220,
  begunAt: '2026-07-01T06:00:00.000Z',
  written: { at: '2026-07-01T06:00:02.000Z', by: 'olga' },
  proved: true,
  handedOver: { at: '2026-07-01T09:30:00.000Z', by: 'olga', text: 'courier 12, seal 4711' },
  folders: ['/media/usb/store'],
  recipes: [{ name: 'platform', version: '1.1.0', digest: digests.recipe, disks: [1] }],
} as const;

/** Answers about media. */
export const mediaExamples = {
  listDeliveries: { deliveries: [delivery] },
  forgetDelivery: { delivery },
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
  planMedia: {
    delivery: {
      id: 'dlv_3f9c01ab77de',
      zone: 'zone-b',
      parts: 1,
      base: {
        zone: 'zone-b',
        receipt: digests.statement,
        sequence: 8,
        from: 'receipt',
        issuedAt: '2026-07-01T06:10:00.000Z',
      },
    },
    recipes: [
      {
        name: 'platform',
        version: '1.1.0',
        digest: digests.recipe,
        totalBytes: 48_211_004,
        writeBytes: 2_118_220,
        absentBytes: 46_092_784,
      },
    ],
    totals: { totalBytes: 48_211_004, writeBytes: 2_118_220, absentBytes: 46_092_784 },
    volumes: [
      {
        part: 1,
        path: 'part-1',
        state: 'planned',
        bytes: 2_240_000,
        recipes: ['platform@1.1.0'],
        segments: 0,
      },
    ],
    checks: [],
    unknownRoots: [],
  },
  proveMedium: proof,
  getProof: { folders: ['/media/usb/store'], finishedAt: '2026-07-01T06:00:02.000Z', proof },
  cancelVerification: {
    guarded: true,
    serving: 'closed',
    mediaId,
    failure: { code: 'SVC-TSK-004', class: 'failure', params: { work: 'verification', actor: 'olga' } },
  },
  cancelProof: {
    running: {
      folders: ['/media/usb/store'],
      startedAt: '2026-07-01T06:00:00.000Z',
      files: 12,
      bytes: 5_242_880,
      cancelledBy: 'olga',
    },
  },
  listReceipts: { receipts: [receipt] },
  addReceipt: { receipt, isNew: true },
  listKnownDeliveries: { deliveries: [known], page: 1, totalPages: 1, total: 1 },
  getKnownDelivery: known,
  listZones: { zones: [board], page: 1, totalPages: 1, total: 1 },
  getZone: board,
};
