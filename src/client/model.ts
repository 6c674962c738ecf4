import { type ClientKind, client } from '../contract/common.ts';
import type { HostRedirection, RegistryBase } from './node-mirrors.ts';

/** Clients whose configuration is generated. */
export const clientKinds: readonly ClientKind[] = client.enum;
export type { ClientKind };

/** Returns the kind of client that a text names. */
export function toClientKind(text: string | undefined): ClientKind | undefined {
  return clientKinds.find((kind) => kind === text);
}

/** Clients that read the files of FileSets and views: from the instance, not from the registry. */
export const fileClients: ReadonlySet<ClientKind> = new Set(['helm', 'apt', 'dnf']);

/** One ingredient as clients name it and as the registry names it. */
export interface PulledReference {
  readonly kind: string;
  /** `<host>/<path>:<tag>` as recipes, charts and manifests write it. */
  readonly nominal: string;
  /** `<host>/<path>:<tag>` in the registry of the zone; absent when the registry does not allow such a name. */
  readonly relocated?: string;
  readonly digest: string;
}

/** A FileSet with the files by which package managers find repositories in it. */
export interface IndexedFileset {
  readonly name: string;
  readonly anonymous: boolean;
  /** Paths of `Release`, `InRelease`, `Release.gpg`, `Packages`, `repomd.xml` and its signature, sorted. */
  readonly indexes: readonly string[];
  /** Those of `repomd.xml` in whose repository a package has no signature of its own. */
  readonly unsigned: readonly string[];
}

/** A generated tree with the index of a chart repository. */
export interface ChartView {
  readonly name: string;
  readonly anonymous: boolean;
}

/** Facts from which the configuration of a client is made. */
export interface ClientFacts {
  readonly zone?: string;
  /** Twelve hexadecimal digits: the same content has the same revision. */
  readonly revision: string;
  /** The registry with the relocated content. */
  readonly registry: RegistryBase;
  /** The instance, which serves FileSets and views. */
  readonly instance: RegistryBase;
  readonly redirections: readonly HostRedirection[];
  readonly references: readonly PulledReference[];
  readonly filesets: readonly IndexedFileset[];
  readonly views: readonly ChartView[];
}

/** Stands in generated files where a person puts the secret of an API token. */
export const secretPlaceholder = 'TOKEN';
/** Name that generated files sign in with; any name will do with a token. */
export const readerName = 'reader';
