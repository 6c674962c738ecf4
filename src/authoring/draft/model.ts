import type { Reference } from '../../oci/reference.ts';
import type { YamlMap } from '../../recipe/read-yaml.ts';
import type { ChartTree } from '../chart/chart-tree.ts';
import type { SourceContents, SourceFormat } from '../foreign/model.ts';

/** How sources are read. */
export interface SourceOptions {
  /** Variables of compose files. */
  readonly variables: ReadonlyMap<string, string>;
  /** Values for charts in order, later ones over earlier ones, with the absolute paths of their files. */
  readonly values: readonly { readonly path: string; readonly values: YamlMap }[];
  readonly render: boolean;
  readonly findMore: boolean;
  /** Whether folders of files are packed and pushed. */
  readonly packsFolders?: boolean | undefined;
  /** Glob or version constraint for the tags of a repository. */
  readonly tags?: string | undefined;
  /** Standard input, when a source is `-`. */
  readonly input?: Buffer | undefined;
  /** `PATH` of the user, where helm is looked for. */
  readonly path: string;
}

/** A chart that is itself a source. */
export interface SourceChart {
  readonly tree: ChartTree;
  /** Where a registry has it, with its tag. */
  readonly reference?: Reference | undefined;
  /** Its archive; absent for a folder that is not rendered. */
  readonly archive?: Buffer | undefined;
  readonly folder?: string | undefined;
}

/** A source that was read. */
export interface ReadSource {
  /** As given, without credentials. */
  readonly source: string;
  readonly format: SourceFormat;
  readonly contents: SourceContents;
  readonly chart?: SourceChart | undefined;
  /** Path of a folder that becomes a FileSet as a whole. */
  readonly folder?: string | undefined;
  /** Content of a repository that is not an image. */
  readonly kind?: 'HelmChart' | 'OCIArtifact' | 'FileSet' | undefined;
}
