import type { Inspection } from '../../../src/contract/content.ts';
import type { LayoutImportPlan, LayoutPlan } from '../../../src/contract/layout.ts';
import type { VerificationState } from '../../../src/contract/medium.ts';
import type { Plan } from '../../../src/contract/plan.ts';
import type { RetrieverRecord, ScrubView } from '../../../src/contract/recipe.ts';
import type { MediumWriting } from '../../../src/contract/write-medium.ts';
import { mediaId, mediumReport, recipeVerdict } from '../scene/media-state.ts';
import { plan, plannedRecipe } from '../scene/plan-document.ts';
import { daysAgo, lastSyncAt, refusalRecord } from './history.ts';
import { longName, lostLayer } from './stock.ts';

const GiB = 1 << 30;
const MiB = 1 << 20;
const digest = `sha256:${'a3f9'.repeat(16)}` as const;

const [ingredient] = plannedRecipe().ingredients;
const refused = { ...refusalRecord, class: 'verification' } as Plan['problems'][number];
const absent = {
  code: 'SVC-REG-005',
  class: 'failure',
  params: { reference: 'registry.example/portal/gateway:9.1.0' },
  subject: 'registry.example/portal/gateway:9.1.0',
} as const;
const [check] = plan().checks;

/** A plan with something to transfer, something here, a refused recipe, and a volume that is too small. */
export const showcasePlan: Plan = plan({
  outcome: 'verification-failed',
  recipes: [
    plannedRecipe({
      totalBytes: 4 * GiB,
      transferBytes: 2.1 * GiB,
      trustScope: 'release',
      ingredients: [
        { ...ingredient!, totalBytes: 3 * GiB, transferBytes: 2.1 * GiB },
        { ...ingredient!, name: 'postgres', status: 'up-to-date', totalBytes: GiB, transferBytes: 0 },
      ],
    }),
    plannedRecipe({
      name: 'base',
      requested: '12.x',
      resolved: '12.4.0',
      totalBytes: 547 * MiB,
      transferBytes: 0,
      ingredients: [{ ...ingredient!, status: 'up-to-date', totalBytes: 547 * MiB, transferBytes: 0 }],
    }),
    plannedRecipe({
      name: longName,
      requested: '2026.11.0-rc.1',
      resolved: '2026.11.0-rc.1',
      signature: 'unsigned-admitted',
      totalBytes: 1.3 * GiB,
      transferBytes: 1.3 * GiB,
    }),
    plannedRecipe({
      name: 'agent',
      requested: '^2',
      resolved: '2.0.1',
      signature: 'refused',
      problem: { ...refused, subject: 'agent' },
      ingredients: [],
      totalBytes: 110 * MiB,
      transferBytes: 110 * MiB,
    }),
    plannedRecipe({
      name: 'portal',
      requested: '^9',
      resolved: '9.1.0',
      ingredients: [ingredient!, { ...ingredient!, name: 'gateway', problem: absent }],
    }),
  ],
  totals: {
    recipes: 5,
    ingredients: 43,
    new: 12,
    outdated: 3,
    upToDate: 26,
    totalBytes: 6 * GiB,
    transferBytes: 3.4 * GiB,
    largestFileBytes: 1.2 * GiB,
    storeBytes: 9.8 * GiB,
    projectedStoreBytes: 13.2 * GiB,
  },
  problems: [{ ...refused, subject: 'agent' }, absent],
  checks: [
    {
      ...check!,
      freeBytes: 49 * GiB,
      usableBytes: 44 * GiB,
      projectedBytes: 3.4 * GiB,
      largestFileBytes: 1.2 * GiB,
    },
    {
      ...check!,
      target: 'state',
      path: '/srv/state',
      freeBytes: 2 * GiB,
      usableBytes: 1.8 * GiB,
      projectedBytes: 1.9 * GiB,
      shortfallBytes: 0.1 * GiB,
      refusalCode: 'SVC-STO-004',
    },
  ],
});

export const showcasePrune = {
  items: [
    {
      repository: 'registry.example/shop/web',
      tag: '1.3.9',
      digest,
      recipe: 'shop@1.3.9',
      sizeBytes: 240 * MiB,
    },
    {
      repository: 'registry.example/shop/chart',
      tag: '1.3.9',
      digest,
      recipe: 'shop@1.3.9',
      sizeBytes: 49_152,
    },
  ],
  count: 2,
  totalBytes: 240 * MiB + 49_152,
  fingerprint: digest,
};

export const showcaseInspection: Inspection = {
  reference: 'registry.example/shop/web:1.5.0',
  repository: 'registry.example/shop/web',
  tag: '1.5.0',
  digest,
  mediaType: 'application/vnd.oci.image.index.v1+json',
  kind: 'ContainerImage',
  multiPlatform: true,
  platforms: [
    { name: 'linux/amd64', digest, sizeBytes: 675 * MiB, status: 'outdated' },
    { name: 'linux/arm64', digest, sizeBytes: 661 * MiB, status: 'new' },
    { name: 'linux/s390x', digest, sizeBytes: 640 * MiB, status: 'new' },
  ],
  signatures: [{ layout: 'classic', digest }],
};

export const showcaseScrub: ScrubView = {
  enabled: true,
  running: {
    startedAt: daysAgo(0.1),
    files: 6104,
    bytes: 6.1 * GiB,
    totalBytes: 9.8 * GiB,
    damaged: 1,
  },
  last: {
    startedAt: daysAgo(7),
    finishedAt: daysAgo(6.4),
    files: 9871,
    bytes: 9.1 * GiB,
    damaged: 1,
    findings: [
      {
        digest: lostLayer,
        problem: 'its file is gone',
        foundAt: daysAgo(6.5),
        affects: [{ repository: 'registry.example/shop/web', tag: '1.3.9', recipes: ['shop@1.3.9'] }],
      },
    ] as unknown as NonNullable<ScrubView['last']>['findings'],
  },
  quarantine: { files: 1, bytes: 41 * MiB, lastAt: daysAgo(6.5) },
};

export const toRetriever = (): RetrieverRecord => ({
  mode: 'passthrough',
  source: 'https://registry.example/zone-b.yaml',
  zone: 'zone-b',
  destination: 'registry.zone-b.example',
  cookbook: 'registry.zone-b.example/cookbook',
  substitutions: [{ host: 'docker.io', base: 'zone-a.example/mirror' }],
  relaxedScopes: [
    { name: 'laboratory', repositories: ['registry.example/laboratory/**'], allowUnsigned: true },
  ],
  anonymousFilesets: [],
  prune: false,
  scrub: showcaseScrub,
  lastSync: {
    zone: 'zone-b',
    runId: '5f00c0ff-ee00-4d6a-9a55-9f2c41aa07de',
    resolvedAt: lastSyncAt(),
    outcome: 'partial',
  },
});

export const showcaseExport: LayoutPlan = {
  format: 'tar',
  references: ['registry.example/shop/web:1.4.2', 'registry.example/cookbook/shop:1.4.2'],
  manifests: 9,
  blobs: 31,
  totalBytes: 3.1 * GiB,
  largestFileBytes: 3.1 * GiB,
  missing: [
    { repository: 'registry.example/shop/web', tag: '1.4.2', digest, reason: 'platform not carried' },
  ] as unknown as LayoutPlan['missing'],
};

export const showcaseImport: LayoutImportPlan = {
  input: '/srv/in/shop.tar',
  format: 'tar',
  entries: [
    { reference: 'registry.example/shop/web:1.5.0', digest, status: 'new' },
    { reference: 'registry.example/shop/web:1.4.2', digest, status: 'up-to-date' },
  ] as unknown as LayoutImportPlan['entries'],
  newBytes: 263 * MiB,
  fingerprint: digest,
};

const blocked = recipeVerdict({
  name: 'agent',
  version: '2.0.1',
  pushable: false,
  files: 38,
  bytes: 0.2 * GiB,
  reason: {
    code: 'SVC-MED-012',
    path: `blobs/sha256/${'a3f9'.repeat(16)}`,
    params: { path: `blobs/sha256/${'a3f9'.repeat(16)}` },
  },
});
const cleared = [
  recipeVerdict(),
  recipeVerdict({ name: 'base', version: '12.4.0', files: 41, bytes: 0.6 * GiB }),
  recipeVerdict({ name: 'monitoring', version: '3.1.0', files: 96, bytes: 1.1 * GiB }),
  recipeVerdict({ name: longName, version: '2026.11.0-rc.1', files: 12, bytes: 1.3 * GiB }),
];
const checked = { files: 1042, bytes: 9.8 * GiB };
const closed = { guarded: true, serving: 'closed', mediaId } as const;
const guard = {
  code: 'SVC-MED-006',
  params: { mediaId, expected: 'zone-b', found: 'zone-c' },
  waivable: true,
} as const;
/** The addressee of the medium that {@link guard} is about. */
const ofOtherZone = {
  medium: { ...mediumReport().medium!, zone: 'zone-c' },
  zone: { expected: 'zone-b', found: 'zone-c', match: false },
};
const finding = {
  code: 'SVC-MED-012',
  path: `blobs/sha256/${'b7e2'.repeat(16)}`,
  params: { path: `blobs/sha256/${'b7e2'.repeat(16)}` },
} as const;

/** States of the page of a medium. */
export const mediumStates: Readonly<Record<string, VerificationState>> = {
  'not verified': closed,
  replaced: { ...closed, replaced: true },
  'under way': {
    ...closed,
    running: {
      startedAt: daysAgo(0.01),
      stage: 'ingredients',
      files: 642,
      totalFiles: 1042,
      bytes: 6.1 * GiB,
      totalBytes: 9.8 * GiB,
      bytesPerSecond: 118 * MiB,
      secondsLeft: 34,
      recipe: 'monitoring@3.1.0',
      recipes: [blocked, ...cleared.slice(0, 2)],
      totalRecipes: 5,
    },
  },
  stalled: {
    ...closed,
    running: {
      ...{ startedAt: daysAgo(0.01), stage: 'manifest', files: 642, totalFiles: 1042 },
      ...{ bytes: 6.1 * GiB, totalBytes: 9.8 * GiB, bytesPerSecond: 0, stalledSeconds: 130, recipes: [] },
    },
  },
  partial: {
    ...closed,
    serving: 'open',
    report: mediumReport({
      verdict: 'partial',
      checked,
      recipes: [blocked, ...cleared],
      findings: [finding],
    }),
  },
  'a recipe lacking': {
    ...closed,
    serving: 'open',
    report: mediumReport({
      verdict: 'partial',
      checked,
      recipes: [
        { ...blocked, name: 'portal', version: '9.1.0', digest: `sha256:${'91fa'.repeat(16)}` },
        ...cleared,
      ],
    }),
  },
  cleared: { ...closed, serving: 'open', report: mediumReport({ checked, recipes: cleared }) },
  'a part': {
    ...closed,
    serving: 'open',
    report: mediumReport({
      checked,
      medium: {
        ...mediumReport().medium!,
        delivery: { id: 'dlv_5f00c0ffee00', part: 2, parts: 3 },
        base: { zone: 'zone-b', receipt: `sha256:${'91fa'.repeat(16)}`, sequence: 4 },
      },
      recipes: cleared.map((recipe) => ({
        ...recipe,
        needs: [
          { from: 'base', files: 118, bytes: 3.1 * GiB },
          { from: 'part', part: 1, files: 4, bytes: 212 * MiB },
        ],
      })),
    }),
  },
  'another zone': {
    ...closed,
    report: mediumReport({ verdict: 'blocked', blocks: [{ ...guard, waived: false }], ...ofOtherZone }),
  },
  'with a waiver': {
    ...closed,
    serving: 'open',
    report: mediumReport({ blocks: [{ ...guard, waived: true }], ...ofOtherZone }),
  },
  failed: {
    ...closed,
    failure: {
      code: 'SVC-STO-003',
      class: 'failure',
      params: { path: '/media/disk' },
    } as VerificationState['failure'] & {},
  },
};

/** A delivery on two disks, for a zone that has some recipes, one of them refused. */
export const showcaseDelivery: MediumWriting = {
  delivery: {
    id: 'dlv_3f9c01ab77de',
    zone: 'zone-c',
    parts: 2,
    base: {
      zone: 'zone-c',
      receipt: digest,
      sequence: 7,
      from: 'receipt',
      issuedAt: daysAgo(4),
    },
  },
  recipes: [
    {
      ...{ name: 'agent', version: '2.0.1', digest, inZone: 'blocked', code: 'SVC-SIG-001' },
      ...{ totalBytes: 2 * GiB, absentBytes: 0, writeBytes: 2 * GiB },
    },
    {
      ...{ name: 'base', version: '12.4.0', digest, inZone: 'present' },
      ...{ totalBytes: GiB, absentBytes: GiB, writeBytes: 0 },
    },
    {
      ...{ name: 'shop', version: '1.4.2', digest },
      ...{ totalBytes: 4 * GiB, absentBytes: 1.5 * GiB, writeBytes: 2.5 * GiB },
    },
    {
      ...{ name: 'tools', version: '1.0.0', digest, inZone: 'incomplete' },
      ...{ totalBytes: 0.5 * GiB, absentBytes: 0, writeBytes: 0.5 * GiB },
    },
  ],
  totals: { totalBytes: 7.5 * GiB, writeBytes: 5 * GiB, absentBytes: 2.5 * GiB },
  volumes: [
    {
      ...{ part: 1, path: 'part-1', state: 'planned', bytes: 3.1 * GiB, segments: 0 },
      recipes: ['base@12.4.0', 'shop@1.4.2', 'tools@1.0.0'],
    },
    {
      ...{ part: 2, path: 'part-2', state: 'planned', bytes: 2.1 * GiB, segments: 3 },
      recipes: ['agent@2.0.1'],
    },
  ],
  checks: [],
  unknownRoots: [digest],
};
