import type { Digest } from '../base/digest.ts';
import type { Content, Facts } from './content.ts';
import type { ContentGraph } from './content-graph.ts';
import type { ContentChange, ManifestChange } from './content-records.ts';
import type { ContentTable } from './content-table.ts';

/** Returns the records from which a graph can be built again, in an order in which they can be applied. */
export function* toSnapshot(graph: ContentGraph): Generator<ContentChange> {
  const { contents } = graph;
  const verified: Digest[] = [];
  for (let id = 0; id < contents.end; id += 1) {
    const content = contents.peek(id);
    if (content?.facts === undefined) continue;
    const all = [id, ...content.facts.blobs];
    const isWhole = !all.some((one) => graph.isUnvouched({ id: one }));
    yield toManifestChange(contents, content, content.facts, !isWhole);
    if (isWhole) continue;
    for (const one of all) if (!graph.isUnvouched({ id: one })) verified.push(contents.digestOf(one));
  }
  for (let i = 0; i < verified.length; i += 500)
    yield { op: 'verified', digests: verified.slice(i, i + 500) };
  for (const [repo, tags] of graph.publications)
    for (const [tag, publication] of tags) yield { op: 'published', repo, tag, ...publication };
  for (const side of [graph.repositories, graph.shadows]) {
    for (const { name, shadow, manifests, tags, uploads } of side.values()) {
      const held = shadow ? { held: true as const } : {};
      for (const [{ digest }, { put, pushed }] of manifests)
        if (put)
          yield { op: 'put', repo: name, digest, ...(pushed ? { pushed: true as const } : {}), ...held };
      for (const { tag, digest, kind, owners, since } of tags.values())
        for (const owner of owners) yield { op: 'tag', repo: name, tag, digest, kind, owner, since, ...held };
      for (const [{ digest, size }, { actor, at }] of uploads)
        yield { op: 'upload', repo: name, digest, size, actor, at };
    }
  }
}

/** Returns the record of a manifest with the facts that a graph has. */
export function toManifestChange(
  contents: ContentTable,
  content: Content,
  { mediaType, artifactType, subject, manifests, blobs }: Facts,
  unverified: boolean,
): ManifestChange {
  return {
    op: 'manifest',
    digest: content.digest,
    type: mediaType,
    size: content.size,
    ...(artifactType === undefined ? {} : { artifactType }),
    ...(subject === undefined ? {} : { subject: subject.digest }),
    ...(manifests.length === 0 ? {} : { manifests: manifests.map((child) => child.digest) }),
    ...(blobs.length === 0
      ? {}
      : { blobs: blobs.flatMap((id) => [contents.digestOf(id), contents.sizes[id]!]) }),
    ...(unverified ? { unverified: true as const } : {}),
  };
}
