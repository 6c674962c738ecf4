import { contentStatus, layoutFormat, strings } from './common.ts';
import { ErrorRecord } from './error.ts';
import { Rule } from './rule.ts';
import { component, described, digest, integer, list, object, string, type TypeOf } from './schema.ts';

const layoutPlan = {
  format: layoutFormat,
  references: strings,
  manifests: integer,
  blobs: integer,
  totalBytes: integer,
  largestFileBytes: integer,
  missing: list(
    object({
      repository: string,
      'tag?': string,
      digest,
      reason: described('Why it is missing', string),
      'reasonRule?': Rule,
    }),
  ),
  'removed?': described(
    'Entries of the replaced layout that the new one does not have; absent when there are none',
    strings,
  ),
  'blocked?': ErrorRecord,
};
const entryDigest = described('Absent when the entry of the layout cannot be read', digest);
/** Of a document of a command. */
export const taskId = described('Identifier of its task; absent when no record is kept', string);
/** Image layouts. */
export const LayoutPlan = component('LayoutPlan', object(layoutPlan));
export type LayoutPlan = TypeOf<typeof LayoutPlan>;
export type MissingContent = LayoutPlan['missing'][number];

export const LayoutImportPlan = component(
  'LayoutImportPlan',
  object({
    input: string,
    format: layoutFormat,
    entries: list(
      object({
        reference: string,
        'digest?': entryDigest,
        status: contentStatus,
        'replaced?': digest,
        'error?': ErrorRecord,
      }),
    ),
    newBytes: integer,
    fingerprint: described('Passed to the import, it makes a changed plan fail', digest),
  }),
);
export type LayoutImportPlan = TypeOf<typeof LayoutImportPlan>;
export type PreviewedEntry = LayoutImportPlan['entries'][number];

export const LayoutExport = component(
  'LayoutExport',
  object({ ...layoutPlan, output: string, bytes: integer, 'taskId?': taskId }),
);
export type LayoutExport = TypeOf<typeof LayoutExport>;

export const LayoutImport = component(
  'LayoutImport',
  object({
    input: string,
    manifests: integer,
    blobs: integer,
    bytes: integer,
    movedBytes: integer,
    entries: list(object({ reference: string, 'digest?': entryDigest, 'error?': ErrorRecord })),
    failed: integer,
    'taskId?': taskId,
  }),
);
export type LayoutImport = TypeOf<typeof LayoutImport>;
