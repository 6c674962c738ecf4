import { paging, provenances, strings } from './common.ts';
import { ErrorRecord } from './error.ts';
import {
  boolean,
  choice,
  component,
  described,
  digest,
  integer,
  list,
  type ObjectOf,
  object,
  string,
  type TypeOf,
  text,
} from './schema.ts';

/** FileSets. */
/** A FileSet that was packed. */
export const packedFileset = {
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
};
export type PackedFileset = ObjectOf<typeof packedFileset>;

export const Fileset = component(
  'Fileset',
  object({
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
    'url?': text({ format: 'uri-reference', pattern: '^/files/[^/]+/$' }),
    'error?': ErrorRecord,
  }),
);
export type Fileset = TypeOf<typeof Fileset>;

export const View = component(
  'View',
  object({
    name: string,
    kind: choice('Kind of the view', { helm: 'a chart repository with an `index.yaml`' }),
    repositories: described('Globs on the nominal repositories of its charts', strings),
    anonymous: boolean,
    url: text({ format: 'uri-reference', pattern: '^/files/[^/]+/$' }),
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
          }),
        }),
      ),
    ),
    leftOutCount: described('Number of charts that it does not list', integer),
    'error?': ErrorRecord,
  }),
);
export type View = TypeOf<typeof View>;
export type LeftOut = View['leftOut'][number]['reason'];
export type LeftOutChart = View['leftOut'][number];

export const FilesetList = component(
  'FilesetList',
  object({
    filesets: list(Fileset),
    views: described('Generated trees that are served beside the FileSets', list(View)),
    packEnabled: boolean,
  }),
);
export type FilesetList = TypeOf<typeof FilesetList>;

const treePath =
  'Path in the FileSet as addresses have it: each byte that is no part of one is percent-encoded';

export const FilesetEntry = component(
  'FilesetEntry',
  object({
    name: described('Last part of the path as text; bytes that are not UTF-8 are replaced', string),
    path: described(treePath, string),
    kind: choice('Kind of the entry', { folder: 'a folder', file: 'a file', link: 'a symbolic link' }),
    'target?': described('Target of a link as it is written', string),
    'folder?': described('Folder that the name leads to, as `path`', string),
    'sizeBytes?': described('Bytes of the file that the name leads to', integer),
    'digest?': described('Digest of the file that the name leads to', digest),
  }),
);
export type FilesetEntry = TypeOf<typeof FilesetEntry>;

export const FilesetFiles = component(
  'FilesetFiles',
  object({
    repository: string,
    tag: string,
    digest,
    folder: described('The listed folder as `path`, without links on the way; empty for the root', string),
    entries: described('Folders first, each in the order of the bytes of their names', list(FilesetEntry)),
    ...paging,
  }),
);
export type FilesetFiles = TypeOf<typeof FilesetFiles>;

export const PackedFilesetAnswer = component(
  'PackedFilesetAnswer',
  object({
    fileset: object(packedFileset),
  }),
);
export type PackedFilesetAnswer = TypeOf<typeof PackedFilesetAnswer>;
