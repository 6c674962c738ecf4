import { audited } from '../base/audited.ts';
import type { Digest } from '../base/digest.ts';
import { type FilesetPlace, parseFilesetPlace, publishFileset } from '../engine/publish/publish-fileset.ts';
import type { FilesetName } from '../fileset/fileset-name.ts';
import { openTreePack, type TreePack } from '../fileset/pack-tree.ts';
import { formatReference, withoutCredentials } from '../oci/reference.ts';
import type { Context } from './context.ts';
import { requirePackSource } from './pack-fileset.ts';

export interface PushFilesetInput extends FilesetName {
  /** Path of the folder to pack. */
  readonly source: string;
  /** `<registry>/<path>:<version>` */
  readonly reference: string;
  /** A scan of the tree that the caller has already started, for the first reading. */
  readonly look?: (root: string) => Promise<TreePack>;
  /** Actor of the audit record. */
  readonly actor: string;
  readonly signal?: AbortSignal | undefined;
  readonly onBytes?: (stage: 'read' | 'push', done: number, total: number) => void;
}

/** A FileSet in a registry; `bytes` is the size of the layer. */
export interface PushedFileset extends FilesetName {
  /** `<registry>/<path>:<version>` */
  readonly reference: string;
  readonly digest: Digest;
  readonly layerDigest: Digest;
  readonly files: number;
  readonly directories: number;
  readonly symlinks: number;
  readonly bytes: number;
  readonly signed: false;
}

/**
 * Packs a folder and pushes it to a registry, with the digest that packing it into a store gives. The store of this
 * machine is not used.
 *
 * @returns the FileSet, and whether the registry had it already
 * @throws SVC-REG-001, SVC-FIL-001, SVC-FIL-002, SVC-POL-004, and the errors of the registry client
 */
export async function pushFileset(
  { config, registry, report }: Pick<Context, 'config' | 'registry' | 'report'>,
  input: PushFilesetInput,
): Promise<{ readonly fileset: PushedFileset; readonly unchanged: boolean }> {
  const { source, name, version, actor, signal, onBytes } = input;
  return audited(
    report,
    {
      actor,
      action: 'content.push',
      target: withoutCredentials(input.reference),
      details: { source },
    },
    async () => {
      const place: FilesetPlace = parseFilesetPlace(input.reference, version);
      const root = await requirePackSource(input, config);
      let isRead = false;
      const open = (): Promise<TreePack> => {
        const looked = isRead ? undefined : input.look?.(root);
        isRead = true;
        return looked ?? openTreePack(root, signal);
      };
      const { unchanged, ...published } = await publishFileset(
        registry.repository(place, { access: 'push', substitute: false }),
        { place, source, open, onBytes },
        { signal },
      );
      const reference = formatReference(place);
      return { fileset: { name, version, reference, ...published, signed: false as const }, unchanged };
    },
    { success: ({ fileset: { digest }, unchanged }) => ({ digest, unchanged }) },
  );
}
