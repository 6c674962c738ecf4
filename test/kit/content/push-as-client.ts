import { keepContent } from '../../../src/store/keep-content.ts';
import type { Store } from '../../../src/store/model.ts';
import { putManifest } from '../../../src/store/put-manifest.ts';
import { recordUpload } from '../../../src/store/record-upload.ts';
import { createBlobWriter } from '../../../src/store/write-blob.ts';
import type { Artifact, Blob } from './content.ts';

/** Uploads a blob as a client of the registry does. */
export async function uploadAsClient(
  store: Store,
  repository: string,
  { bytes, descriptor }: Blob,
): Promise<void> {
  using keeper = await keepContent(store);
  keeper.add(descriptor.digest);
  const writer = await createBlobWriter(store, { size: bytes.length });
  await writer.write(bytes);
  await writer.commit(descriptor.digest);
  await recordUpload(store, repository, descriptor.digest, 'alice');
}

/** Pushes as a client of the registry does: uploads first, then the manifest. @param tag none: by its digest */
export async function pushAsClient(
  store: Store,
  repository: string,
  artifact: Artifact,
  tag?: string,
): Promise<void> {
  for (const { artifact: child } of artifact.children) await pushAsClient(store, repository, child);
  for (const blob of artifact.blobs) await uploadAsClient(store, repository, blob);
  await putManifest(store, repository, artifact.manifest, {
    owner: { provenance: 'push' },
    ...(tag === undefined ? {} : { tag }),
  });
}
