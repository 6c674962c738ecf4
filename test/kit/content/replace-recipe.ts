import { readFile, writeFile } from 'node:fs/promises';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { forgeLedger } from '../hostile/forge-ledger.ts';
import type { CarriedMedium } from '../scene/carried-medium.ts';

/**
 * Puts another document into a recipe of a carried medium, signed by the maker's own key. Ledgers and manifest follow, so
 * that only the document is left to judge.
 */
export async function replaceRecipe(medium: CarriedMedium, name: string, document: Buffer): Promise<void> {
  const { record, recipe: before } = await medium.parts(name);
  const put = async (bytes: Buffer): Promise<Digest> => {
    const digest = hashBytes(bytes);
    await writeFile(medium.blob(digest), bytes);
    return digest;
  };
  const manifest = JSON.parse(await readFile(medium.blob(before), 'utf8'));
  const layer = manifest.layers.find(({ digest }: { digest: Digest }) => digest === record.documentDigest);
  Object.assign(layer, { digest: await put(document), size: document.length });
  const bytes = Buffer.from(JSON.stringify(manifest));
  const digest = await put(bytes);
  const subject = { mediaType: manifest.mediaType, digest, size: bytes.length };
  const signature = medium.made.signer.sign(subject, 'classic');
  const parts = [signature.manifest, ...signature.blobs];
  for (const part of parts) await put(part.bytes);
  await forgeLedger(medium, 'content', (records) => {
    const tag = records.find((one) => one.op === 'tag' && one.digest === before);
    const known = records.find((one) => one.op === 'manifest' && one.digest === before);
    const blobs = [manifest.config, ...manifest.layers].flatMap((one) => [one.digest, one.size]);
    const own = signature.manifest.descriptor;
    const { repo } = tag;
    return [
      ...records.filter((one) => one !== tag),
      { ...known, digest, size: bytes.length, blobs },
      { op: 'put', repo, digest },
      { ...tag, digest },
      {
        op: 'manifest',
        digest: own.digest,
        type: own.mediaType,
        size: own.size,
        blobs: signature.blobs.flatMap(({ descriptor }) => [descriptor.digest, descriptor.size]),
      },
      { op: 'put', repo, digest: own.digest },
      { ...tag, tag: signature.tag, digest: own.digest, kind: 'OCIArtifact' },
    ];
  });
  await forgeLedger(medium, 'recipes', (records) =>
    records.map((one) =>
      one.op === 'recipe' && one.name === name ? { ...one, digest, documentDigest: layer.digest } : one,
    ),
  );
  const written = [document, bytes, ...parts.map((part) => part.bytes)].map((one) => hashBytes(one));
  for (const one of new Set(written)) await medium.relist(`blobs/sha256/${one.slice(7)}`);
  await medium.editManifest((header) => {
    for (const one of header.recipes) if (one.name === name) one.digest = digest;
    // the recipe that was there before is still on the medium, as one that is no part of the delivery
    header.otherRecipes = [...(header.otherRecipes ?? []), before].sort();
    return undefined;
  });
}
