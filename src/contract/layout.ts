import { contentStatus, layoutFormat, strings } from './common.ts';
import { described, digest, integer, list, object, ref, type Schema, string } from './schema.ts';

const layoutPlan: Readonly<Record<string, Schema>> = {
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
      'reasonRule?': ref('Rule'),
    }),
  ),
  'blocked?': ref('ErrorRecord'),
};
const entryDigest: Schema = { ...digest, description: 'Absent when the entry of the layout cannot be read' };
/** Of a document of a command. */
export const taskId: Schema = described('Identifier of its task; absent when no record is kept', string);
/** Image layouts. */
export const layoutSchemas = {
  LayoutPlan: object(layoutPlan),
  LayoutImportPlan: object({
    input: string,
    format: layoutFormat,
    entries: list(
      object({
        reference: string,
        'digest?': entryDigest,
        status: contentStatus,
        'replaced?': digest,
        'error?': ref('ErrorRecord'),
      }),
    ),
    newBytes: integer,
    fingerprint: { ...digest, description: 'Passed to the import, it makes a changed plan fail' },
  }),
  LayoutExport: object({ ...layoutPlan, output: string, bytes: integer, 'taskId?': taskId }),
  LayoutImport: object({
    input: string,
    manifests: integer,
    blobs: integer,
    bytes: integer,
    movedBytes: integer,
    entries: list(object({ reference: string, 'digest?': entryDigest, 'error?': ref('ErrorRecord') })),
    failed: integer,
    'taskId?': taskId,
  }),
} satisfies Record<string, Schema>;
