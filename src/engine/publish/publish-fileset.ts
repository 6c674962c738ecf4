import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Digest, toDigest } from '../../base/digest.ts';
import { toFilesetImage } from '../../fileset/pack-image.ts';
import type { TreeMeasure, TreePack } from '../../fileset/pack-tree.ts';
import { changed } from '../../fileset/pack-walk.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { mediaTypes } from '../../oci/media-types.ts';
import type { CallOptions, PushOptions } from '../../oci/ports.ts';
import { canonicalHost, formatReference, parseReference, type Reference } from '../../oci/reference.ts';
import type { RemoteRepository } from '../../remote/model.ts';
import { isSvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';

/** Where a FileSet is published: `<registry>/<path>:<version>`. */
export type FilesetPlace = Reference & { readonly tag: string; readonly digest?: never };

/** A repository that a FileSet can be published in. */
type FilesetTarget = Pick<RemoteRepository, 'resolve' | 'hasBlob' | 'pushBlob' | 'pushManifest'>;

interface PublishFilesetInput {
  readonly place: FilesetPlace;
  /** The folder, for errors. */
  readonly source: string;
  /** Checks the folder and prepares to pack it. Called once for each time that it is read. */
  readonly open: () => Promise<TreePack>;
  /** Called while the folder is read for its digest, then while it is sent. */
  readonly onBytes?: ((stage: 'read' | 'push', done: number, total: number) => void) | undefined;
}

/** A FileSet as a registry has it. */
interface PublishedImage extends TreeMeasure {
  readonly digest: Digest;
  readonly layerDigest: Digest;
  /** Whether the tag had the same content, so that nothing was written. */
  readonly unchanged: boolean;
}

/** Parses the reference under which a FileSet of a version is published. @throws SVC-REG-001 */
export function parseFilesetPlace(text: string, version: string): FilesetPlace {
  const { host, repository, tag, digest } = parseReference(text);
  const refuse = (broken: Rule) => svcError('SVC-REG-001', { reference: text, rule: broken });
  if (digest !== undefined)
    throw refuse(rule(['must have a version, not a digest', fr`doit avoir une version, pas une empreinte`]));
  if (tag === undefined) throw refuse(rule(['the version is missing', fr`la version manque`]));
  if (tag !== version)
    throw refuse(
      rule(
        ['must have the version of the FileSet, {version}', fr`doit avoir la version du FileSet, {version}`],
        { version },
      ),
    );
  return { host: canonicalHost(host), repository, tag };
}

/**
 * Packs a folder and publishes it, without a copy on disk. The folder is read once for its digest and once more while
 * it is sent. The same folder under the same version writes nothing; another one is refused.
 *
 * @throws SVC-FIL-001 when the folder changes meanwhile, SVC-FIL-002; SVC-POL-004 when the tag has other content;
 *   errors of the target
 */
export async function publishFileset(
  repository: FilesetTarget,
  { place, source, open, onBytes }: PublishFilesetInput,
  call: CallOptions = {},
): Promise<PublishedImage> {
  // a registry that refuses the caller does so before the folder is read
  const standing = await repository.resolve(place.tag, call);
  const { layer, measure } = await hashFolder(open, (done, total) => onBytes?.('read', done, total));
  const image = toFilesetImage(layer);
  const published = { ...measure, digest: image.digest, layerDigest: layer.digest };
  const requireSame = (found: Descriptor | undefined): boolean => {
    if (found === undefined || found.digest === image.digest) return found !== undefined;
    const reference = formatReference(place);
    throw svcError('SVC-POL-004', {
      reference,
      published: found.digest,
      candidate: image.digest,
      content: 'fileset',
    });
  };
  if (requireSame(standing)) return { ...published, unchanged: true };
  let done = 0;
  await pushMissing(repository, layer, () => readAgain(open), {
    ...call,
    onBytes: (bytes) => {
      done += bytes;
      onBytes?.('push', done, layer.size);
    },
  }).catch((error: unknown) => {
    // the bytes of the folder are hashed while they are sent
    throw isSvcError(error, 'SVC-SIG-002') ? toChanged(source, error) : error;
  });
  const { config, manifest } = image;
  const described = { mediaType: mediaTypes.fileSetConfig, digest: image.configDigest, size: config.length };
  await pushMissing(repository, described, () => Readable.from([config]), call);
  // another client may have written the tag since
  if (requireSame(await repository.resolve(place.tag, call))) return { ...published, unchanged: true };
  const descriptor = { mediaType: mediaTypes.ociManifest, digest: image.digest, size: manifest.length };
  await repository.pushManifest(place.tag, { descriptor, bytes: manifest }, call);
  requireSame(await repository.resolve(place.tag, call));
  return { ...published, unchanged: false };
}

async function pushMissing(
  repository: FilesetTarget,
  blob: Descriptor,
  from: () => Readable,
  options: PushOptions,
): Promise<void> {
  if (!(await repository.hasBlob(blob, options))) await repository.pushBlob(blob, from, options);
}

async function hashFolder(
  open: () => Promise<TreePack>,
  onBytes: (done: number, total: number) => void,
): Promise<{ readonly layer: Descriptor; readonly measure: TreeMeasure }> {
  await using tree = await open();
  const { measure } = tree;
  const hash = createHash('sha256');
  let done = 0;
  for await (const { bytes, giveBack } of tree.chunks()) {
    hash.update(bytes);
    done += bytes.length;
    giveBack();
    onBytes(done, measure.bytes);
  }
  const layer = { mediaType: mediaTypes.ociLayer, digest: toDigest('sha256', hash), size: done };
  return { layer, measure };
}

function readAgain(open: () => Promise<TreePack>): Readable {
  async function* read(): AsyncGenerator<Buffer> {
    await using tree = await open();
    for await (const { bytes, giveBack } of tree.chunks()) {
      // the connection keeps its chunks for longer than the ring of the thread
      const own = Buffer.from(bytes);
      giveBack();
      yield own;
    }
  }
  return Readable.from(read(), { objectMode: false });
}

function toChanged(source: string, cause: unknown) {
  return svcError('SVC-FIL-001', { path: source, rule: changed }, { cause });
}
