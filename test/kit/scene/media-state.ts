import type { Operations } from '../../../server/operations.ts';
import type { Media, MediumReport, RecipeVerdict, VerificationState } from '../../../src/contract/medium.ts';
import type { Task } from '../../../src/contract/task.ts';
import type { MediumRequest } from '../../../src/operation/instance/medium-requests.ts';

/** A medium whose state a test sets, and which remembers its requests. */
export interface ScriptedMedia {
  current: VerificationState;
  record: Media;
  readonly verifications: MediumRequest[];
  readonly imports: MediumRequest[];
  readonly operations: Pick<Operations, 'verifyMedium' | 'beginVerification' | 'submitMediumImport'>;
}

const digest = `sha256:${'a3f9'.repeat(16)}` as const;
export const mediaId = 'med_7c1e00d5a9b24f10';

/** A verdict on a recipe that passed, unless told otherwise. */
export function recipeVerdict(more: Partial<RecipeVerdict> = {}): RecipeVerdict {
  return {
    name: 'shop',
    version: '1.4.2',
    cookbook: 'registry.example/cookbook',
    repository: 'registry.example/cookbook/shop',
    digest,
    pushable: true,
    keyFingerprint: '9c1d'.repeat(16),
    files: 212,
    bytes: 4_294_967_296,
    ...more,
  };
}

/** A report in which everything passed, unless told otherwise. */
export function mediumReport(more: Partial<MediumReport> = {}): MediumReport {
  return {
    verdict: 'pushable',
    blocks: [],
    medium: {
      mediaId,
      zone: 'zone-b',
      mediaFormat: 1,
      storeFormat: 1,
      producedBy: { version: '1.0.0', runId: 'run_5f00c0ffee00' },
      resolvedAt: '2026-11-20T14:02:10Z',
      writtenAt: '2026-11-20T14:32:10Z',
      files: 1042,
      bytes: 708_669_603_840,
    },
    zone: { expected: 'zone-b', found: 'zone-b', match: true },
    freshness: {
      resolvedAt: '2026-11-20T14:02:10Z',
      recordedAt: '2026-11-13T09:12:44Z',
      recordedMediaId: 'med_11aa22bb33cc44dd',
      stale: false,
    },
    recipes: [recipeVerdict()],
    findings: [],
    checked: { files: 1042, bytes: 708_669_603_840 },
    startedAt: '2026-11-22T08:00:00Z',
    finishedAt: '2026-11-22T08:21:40Z',
    ...more,
  };
}

/** @param submit makes the task of an import */
export function scriptMedia(submit: (request: MediumRequest) => Promise<Task>): ScriptedMedia {
  const scripted: ScriptedMedia = {
    current: { guarded: true, serving: 'closed', mediaId },
    record: { zone: 'zone-b', root: '/media/disk', mediaId },
    verifications: [],
    imports: [],
    operations: {
      verifyMedium: async (_instance, request) => {
        scripted.verifications.push(request);
        return mediumReport();
      },
      beginVerification: (_instance, request) => {
        scripted.verifications.push(request);
      },
      submitMediumImport: (_instance, request) => {
        scripted.imports.push(request);
        return submit(request);
      },
    },
  };
  return scripted;
}
