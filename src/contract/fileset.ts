import type { LeftOut } from '../chart/index-entry.ts';
import { provenances, strings } from './common.ts';
import {
  boolean,
  choice,
  described,
  digest,
  integer,
  list,
  object,
  ref,
  type Schema,
  string,
} from './schema.ts';

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
  View: object({
    name: string,
    kind: choice('Kind of the view', { helm: 'a chart repository with an `index.yaml`' }),
    repositories: described('Globs on the nominal repositories of its charts', strings),
    anonymous: boolean,
    url: { type: 'string', format: 'uri-reference', pattern: '^/files/[^/]+/$' },
    'charts?': described('Number of listed versions; absent while the view cannot be made', integer),
    leftOut: described(
      'Charts that it does not list, at most 1000',
      list(
        object({
          repository: string,
          tag: string,
          reason: choice('Why the chart is not listed', {
            name: 'its name cannot be part of a URL',
            version: 'its version is not a semantic version',
            config: 'its metadata cannot be read, or is larger than 64 KiB',
            archive: 'the store does not have its archive',
            reference: 'its repository does not end in its name, or its tag is not its version',
            duplicate: 'another chart has the name and version, or the file name that follows from them',
          } satisfies Record<LeftOut, string>),
        }),
      ),
    ),
    leftOutCount: described('Number of charts that it does not list', integer),
    'error?': ref('ErrorRecord'),
  }),
  FilesetList: object({
    filesets: list(ref('Fileset')),
    views: described('Generated trees that are served beside the FileSets', list(ref('View'))),
    packEnabled: boolean,
  }),
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
