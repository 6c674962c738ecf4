import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Digest } from '../../src/base/digest.ts';
import { silentReport } from '../../src/base/report.ts';
import { type ContentChange, parseContentChange } from '../../src/catalog/content-records.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import type { OpenStoreOptions } from '../../src/store/model.ts';
import { openStore } from '../../src/store/opening/open-store.ts';
import { readStoreKey } from '../../src/store/opening/store-key.ts';

export interface LargeStoreShape {
  readonly repositories: number;
  /** Images in each, with a tag and four layers of its own: six files an image. */
  readonly tags: number;
}

const layers = 4;

/** How the store of a folder is opened, by this process or by one that is measured. */
export function toLargeStoreOptions(folder: string): OpenStoreOptions {
  return {
    root: join(folder, 'store'),
    stateRoot: join(folder, 'state'),
    mode: 'passthrough',
    access: 'write',
    producer: { version: '0.0.0-bench' },
    report: silentReport,
  };
}

export function toRepositoryName(repository: number): string {
  return `team-${repository % 50}/service-${repository}`;
}

/**
 * Makes a store of that many images with files of a few bytes: what imports of a repository each would leave, but
 * without a sync to disk for every file.
 */
export async function makeLargeStore(folder: string, shape: LargeStoreShape): Promise<void> {
  const options = toLargeStoreOptions(folder);
  await (await openStore(options))[Symbol.asyncDispose]();
  const put = (text: string, mediaType: string) => {
    const bytes = Buffer.from(text);
    const hex = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(options.root, 'blobs', 'sha256', hex), bytes);
    return { mediaType, digest: `sha256:${hex}` as Digest, size: bytes.length };
  };
  await using ledger = await openLedger<ContentChange>({
    root: options.root,
    folder: 'ledger',
    name: 'content',
    key: await readStoreKey(options.stateRoot!),
    writable: true,
    parse: parseContentChange,
    onRecord: () => {},
    report: silentReport,
  });
  const owner = { provenance: 'import' } as const;
  for (let repository = 0; repository < shape.repositories; repository += 1) {
    const repo = toRepositoryName(repository);
    const changes: ContentChange[] = [];
    for (let tag = 0; tag < shape.tags; tag += 1) {
      const seed = `${repository} ${tag}`;
      const config = put(JSON.stringify({ os: 'linux', architecture: 'amd64', seed }), mediaTypes.ociConfig);
      const all = Array.from({ length: layers }, (_, i) => put(`${seed} ${i}`, mediaTypes.ociLayer));
      const manifest = put(
        JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.ociManifest, config, layers: all }),
        mediaTypes.ociManifest,
      );
      const { digest, size } = manifest;
      changes.push(
        {
          op: 'manifest',
          digest,
          type: mediaTypes.ociManifest,
          size,
          blobs: [config, ...all].flatMap((blob) => [blob.digest, blob.size]),
        },
        { op: 'put', repo, digest },
        { op: 'tag', repo, tag: `1.${tag}.0`, digest, kind: 'ContainerImage', owner },
      );
    }
    await ledger.append(changes);
  }
}
