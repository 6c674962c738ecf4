import { boolean, described, digest, integer, list, object, ref, type Schema, string } from '../schema.ts';
import { provenances, strings } from './common.ts';

/** FileSets. */
export const filesetSchemas = {
  Fileset: object({
    name: string,
    reference: string,
    repository: string,
    versions: described('Versions of the repository', strings),
    'version?': string,
    'digest?': digest,
    provenance: provenances,
    signed: boolean,
    served: boolean,
    anonymous: boolean,
    'url?': { type: 'string', format: 'uri-reference', pattern: '^/files/[^/]+/$' },
    'error?': ref('ErrorRecord'),
  }),
  FilesetList: object({ filesets: list(ref('Fileset')), packEnabled: boolean }),
  PackedFilesetAnswer: object({
    fileset: object({
      name: string,
      reference: string,
      repository: string,
      version: string,
      digest,
      layerDigest: digest,
      files: integer,
      directories: integer,
      symlinks: integer,
      bytes: integer,
      signed: boolean,
    }),
  }),
} satisfies Record<string, Schema>;
