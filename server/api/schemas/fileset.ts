import { boolean, digest, integer, list, object, ref, type Schema, string } from '../schema.ts';
import { code, errorClass, params, provenance, strings } from './common.ts';

/** FileSets. */
export const filesetSchemas = {
  Fileset: object({
    name: string,
    reference: string,
    repository: string,
    versions: strings,
    'version?': string,
    'digest?': digest,
    provenance: list(provenance),
    signed: boolean,
    served: boolean,
    anonymous: boolean,
    'url?': string,
    'error?': object({ code, class: errorClass, params, 'detail?': string }),
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
