import type { Reference } from '../../oci/reference.ts';
import type { StoredRule } from '../../text/rule.ts';

/** Forms of sources, in the order of the documentation; each is also a prefix that forces the form. */
export const sourceFormats = [
  'images',
  'chart',
  'manifests',
  'compose',
  'repository',
  'fileset',
  'hauler',
  'zarf',
  'oc-mirror',
  'imgpkg',
] as const;
export type SourceFormat = (typeof sourceFormats)[number];

/** Why an image is proposed in a comment only. */
export type Doubt =
  | 'annotation-only'
  | 'values-only'
  | 'disabled'
  | 'name-in-parts'
  | 'custom-resource'
  | 'argument'
  | 'template-text'
  | 'no-tag';

/** Why something that a source names is not taken. */
export type OmissionReason =
  | 'build-only'
  | 'other-file'
  | 'chart-on-disk'
  | 'classic-chart'
  | 'chart-images'
  | 'not-embedded'
  | 'too-deep'
  | 'template'
  | 'file'
  | 'git'
  | 'action'
  | 'injection'
  | 'manifest-files'
  | 'package-import'
  | 'image-archive'
  | 'release-payload'
  | 'operator-catalogue'
  | 'blocked-image'
  | 'blocked-elsewhere'
  | 'image-list-by-url'
  | 'rewritten'
  | 'own-key'
  | 'arguments'
  | 'not-rendered'
  | 'no-image-name'
  | 'beside-chart'
  | 'beside-definition'
  | 'not-named-so'
  | 'no-known-form'
  | 'unreadable'
  | 'empty'
  | 'other-form'
  | 'own'
  | 'link'
  | 'hidden'
  | 'too-deep-folder'
  | 'other-kind';

/** An image as a source names it. */
export interface NamedImage {
  /** As written. */
  readonly image: string;
  /** The place in the source, or the first of several. */
  readonly where: string;
  /** Number of further places. */
  readonly others: number;
  /** A tag that another part of the source gives for an image without one. */
  readonly tag?: string | undefined;
  /** The platform that the source asks for. */
  readonly platform?: string | undefined;
  readonly doubt?: Doubt | undefined;
}

/** A chart of a registry or of a classic repository, as a source names it. */
export interface NamedChart {
  /** `oci://<host>/<path>/<name>`, or `https://<repository>/<name>`. */
  readonly chart: string;
  /** Exact version or a constraint; undefined: the highest release. */
  readonly version?: string | undefined;
  readonly where: string;
  /** Whether the program of the source takes the images of the chart as well. */
  readonly withImages: boolean;
}

/** Something that is not taken from a source. */
export interface Omission {
  readonly what: string;
  /** '' for a whole file. */
  readonly where: string;
  readonly reason: OmissionReason;
  /** The rule that the content breaks, in English; after its line, where that is known. */
  readonly detail?: string;
  /** The same in both languages; absent for a text of the parser. */
  readonly detailRule?: StoredRule;
  /** Its place, if that is not the source itself: the folder of a file that is left out. */
  readonly source?: string;
}

/** Images and charts that a foreign document names. */
export interface SourceContents {
  readonly images: readonly NamedImage[];
  readonly charts: readonly NamedChart[];
  readonly omissions: readonly Omission[];
}

/** A source: its name as given, and the bytes of its document. */
export interface SourceDocument {
  /** As a user knows it, for messages. */
  readonly file: string;
  readonly text: string;
}

/** A candidate for an entry of `spec.ingredients`. */
export interface Candidate {
  readonly kind: 'ContainerImage' | 'HelmChart' | 'OCIArtifact' | 'FileSet';
  readonly reference: Reference;
  /** Exact tag or constraint; undefined: not known yet. */
  readonly version: string | undefined;
  readonly platforms: readonly string[];
  readonly doubt?: Doubt | undefined;
  /** `<source>: <place>`, one for each source. */
  readonly origins: readonly string[];
}
