import { digest, integer, list, object, oneOf, ref, type Schema, string } from '../schema.ts';
import { contentStatus, strings } from './common.ts';

const layoutPlan: Readonly<Record<string, Schema>> = {
  format: oneOf('tar', 'directory'),
  references: strings,
  manifests: integer,
  blobs: integer,
  totalBytes: integer,
  largestFileBytes: integer,
  missing: list(object({ repository: string, 'tag?': string, digest, reason: string })),
  'blocked?': ref('ErrorRecord'),
};
/** Image layouts. */
export const layoutSchemas = {
  LayoutPlan: object(layoutPlan),
  LayoutImportPlan: object({
    input: string,
    format: oneOf('tar', 'directory'),
    entries: list(
      object({
        reference: string,
        digest,
        status: contentStatus,
        'replaced?': digest,
        'error?': ref('ErrorRecord'),
      }),
    ),
    newBytes: integer,
  }),
  LayoutExport: object({ ...layoutPlan, output: string, bytes: integer }),
  LayoutImport: object({
    input: string,
    manifests: integer,
    blobs: integer,
    bytes: integer,
    movedBytes: integer,
    entries: list(object({ reference: string, digest, 'error?': ref('ErrorRecord') })),
    failed: integer,
  }),
} satisfies Record<string, Schema>;
