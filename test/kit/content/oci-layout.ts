import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SampleImage } from './sample-image.ts';

/** Writes an image as an OCI image layout into a folder, under a tag, for clients that push from one. */
export async function writeOciLayout(folder: string, tag: string, image: SampleImage): Promise<void> {
  for (const { descriptor, bytes } of [...image.blobs, ...image.manifests]) {
    const [algorithm, hex] = descriptor.digest.split(':') as [string, string];
    await mkdir(join(folder, 'blobs', algorithm), { recursive: true });
    await writeFile(join(folder, 'blobs', algorithm, hex), bytes);
  }
  await writeFile(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  const entry = { ...image.root.descriptor, annotations: { 'org.opencontainers.image.ref.name': tag } };
  await writeFile(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [entry] }));
}
