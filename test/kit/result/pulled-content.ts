import assert from 'node:assert/strict';
import { hashBytes } from '../../../src/base/digest.ts';

/** Tags of the repositories of a registry with the digests of their manifests. */
export type PulledTags = ReadonlyMap<string, string>;

/** Answers of a registry: undefined for what it does not have. */
async function get(url: string): Promise<Buffer | undefined> {
  const accept = 'application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json';
  const response = await fetch(url, { headers: { accept } });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status === 404) return undefined;
  assert.equal(response.status, 200, `${url}: ${bytes}`);
  return bytes;
}

/**
 * Pulls everything that tags of repositories name, and requires that each tag is whole and that each byte is of its digest.
 *
 * @param isLooked whether a tag counts
 */
export async function pullTagged(
  origin: string,
  repositories: readonly string[],
  isLooked: (tag: string) => boolean,
): Promise<PulledTags> {
  const found = new Map<string, string>();
  const seen = new Set<string>();
  for (const repository of repositories) {
    const base = `${origin}/v2/${repository}`;
    const list = await get(`${base}/tags/list`);
    const { tags } = (list === undefined ? {} : JSON.parse(list.toString())) as { tags?: string[] | null };
    for (const tag of (tags ?? []).filter(isLooked)) {
      const manifest = await get(`${base}/manifests/${tag}`);
      assert.ok(manifest, `${repository}:${tag} is listed and absent`);
      found.set(`${repository}:${tag}`, hashBytes(manifest));
      const { config, layers = [] } = JSON.parse(manifest.toString());
      for (const { digest } of [...(config ? [config] : []), ...layers]) {
        if (seen.has(`${repository}@${digest}`)) continue;
        seen.add(`${repository}@${digest}`);
        const blob = await get(`${base}/blobs/${digest}`);
        assert.ok(blob, `${repository}:${tag} lacks ${digest}`);
        assert.equal(hashBytes(blob), digest, `${repository}:${tag} has other bytes`);
      }
    }
  }
  return found;
}
