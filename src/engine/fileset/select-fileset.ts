import type { Digest } from '../../base/digest.ts';
import {
  type GateRefusal,
  toGateError,
  toWithheldError,
  type WithholdingGate,
} from '../../base/gate-refusal.ts';
import type { TagRecord } from '../../catalog/model.ts';
import { toUnknownName } from '../../catalog/unknown-name.ts';
import { formatReference, isAttachmentTag, parseRepositoryReference } from '../../oci/reference.ts';
import { localRepository } from '../../recipe/relocation.ts';
import { selectHighest } from '../../recipe/version.ts';
import type { Store } from '../../store/model.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';

/** Configuration of a FileSet. */
export interface FilesetSetting {
  readonly name: string;
  /** Nominal repository. */
  readonly ref: string;
  readonly version?: string;
  readonly platform?: string;
  readonly anonymous: boolean;
}

/** Decides which content of the store may be served. */
export interface FilesetGate extends WithholdingGate {
  readonly guarded: boolean;
  /** Another object whenever the gate may allow something else of the same store. */
  readonly mark: object;
  /** Why the medium is not served; undefined: it is. */
  refusal(): GateRefusal | undefined;
  allowsTag(repository: string, tag: string): boolean;
  onAltered(digest: Digest): void;
}

/** The version of a FileSet that is currently served. */
export interface SelectedFileset {
  readonly repository: string;
  readonly tag: string;
  /** Digest of the manifest or index under the tag. */
  readonly digest: Digest;
}

/** The repository of the store that contains a FileSet. @throws SVC-DST-001 */
export function filesetRepository({ ref }: Pick<FilesetSetting, 'ref'>, basePrefix?: string): string {
  return localRepository(parseRepositoryReference(ref), basePrefix);
}

/** Versions of a repository that the gate allows, in the order of the index. */
export function listVersions(
  { index }: Pick<Store, 'index'>,
  gate: Pick<FilesetGate, 'allowsTag'>,
  repository: string,
): readonly TagRecord[] {
  return index
    .tags(repository)
    .filter(({ tag, held }) => !held && !isAttachmentTag(tag) && gate.allowsTag(repository, tag));
}

/**
 * The version that is served: the pinned tag, or the highest semantic version in the store, pre-releases
 * included.
 *
 * @throws SVC-MED-030, SVC-MED-032 when the medium is not cleared; SVC-REG-005 without a version, SVC-REG-006
 *   when none is a semantic version
 */
export function selectFileset(
  store: Pick<Store, 'index' | 'mediaId'>,
  gate: Pick<FilesetGate, 'refusal' | 'refusalOf' | 'allowsTag'>,
  setting: FilesetSetting,
  basePrefix?: string,
): SelectedFileset {
  const refusal = gate.refusal();
  if (refusal) throw toGateError(refusal);
  const repository = filesetRepository(setting, basePrefix);
  const known = listVersions(store, gate, repository);
  const names = known.map(({ tag }) => tag);
  const { version } = setting;
  const tag = version === undefined ? selectHighest(names) : names.includes(version) ? version : undefined;
  const found = known.find((one) => one.tag === tag);
  if (found) return { repository, tag: found.tag, digest: found.digest };

  const withheld = store.index
    .tags(repository)
    .filter((one) => !isAttachmentTag(one.tag) && (version === undefined || one.tag === version));
  const reference = formatReference({
    ...parseRepositoryReference(setting.ref),
    tag: version,
  });
  if (names.length > 0 && version === undefined) {
    const constraint = rule([
      'files.filesets[].version (a semantic version unless it is set)',
      fr`files.filesets[].version (une version sémantique s’il n’est pas défini)`,
    ]);
    throw svcError('SVC-REG-006', { reference, constraint, candidates: names.slice(0, 20) });
  }
  if (withheld.length === 0) throw toUnknownName(reference);
  const { mediaId } = store;
  if (withheld.every(({ held }) => held)) throw svcError('SVC-MED-030', { mediaId });
  throw toWithheldError(gate, mediaId, { repository, tag: version });
}
