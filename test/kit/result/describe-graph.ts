import type { Digest } from '../../../src/base/digest.ts';
import type { Content, Repository, Tag } from '../../../src/catalog/content.ts';
import type { ContentGraph } from '../../../src/catalog/content-graph.ts';
import { toSummary } from '../../../src/catalog/repository-summary.ts';
import { contentKinds } from '../../../src/oci/kind.ts';

const homeName = ({ name, shadow }: Repository): string => `${name}${shadow ? ' held' : ''}`;
const tagName = ({ home, tag, digest }: Tag): string => `${homeName(home)}:${tag} ${digest}`;
const named = (contents: readonly Content[]): string[] => contents.map(({ digest }) => digest).sort();

/** Everything that a graph answers about some digests and tags, in an order of its own where the graph promises none. */
export function describeGraph(
  graph: ContentGraph,
  digests: readonly Digest[],
  tags: readonly string[],
): unknown {
  const { contents } = graph;
  const homes = [graph.repositories, graph.shadows].flatMap((side) => [...side.values()]);
  return {
    names: graph.names.page(undefined, undefined),
    publications: graph.publications,
    records: [...graph.snapshot()].map((one) => JSON.stringify(one)).sort(),
    live: graph.liveRecords(),
    versions: graph.tally.versions,
    kinds: contentKinds.map((kind) => [
      graph.tally.namesOf(kind),
      graph.names.page(undefined, undefined).map((name) => graph.tally.has(name, kind)),
    ]),
    homes: homes.map((home) => ({
      name: homeName(home),
      isListed: home.isListed,
      hasUnreached: home.hasUnreached,
      summary: { ...toSummary(graph, home.name), owners: undefined },
      owners: [...home.owners].map((list) => JSON.stringify(list)).sort(),
      newest: home.newest,
      tags: [...home.tags.values()].map((tag) => [tagName(tag), tag.kind, tag.owners, tag.since]).sort(),
      tagNames: home.tagNames.page(undefined, undefined),
      displaced: tags.map((tag) => home.displacedFrom(tag).map(tagName).sort()),
      manifests: [...home.manifests].map(([{ digest }, membership]) => [digest, membership]).sort(),
      uploads: [...home.uploads].map(([{ digest }, upload]) => [digest, upload]).sort(),
      needs: digests.map((digest) => {
        const content = graph.get(digest);
        return content === undefined ? 0 : graph.countNeeds(home, content);
      }),
    })),
    contents: digests.map((digest) => {
      const content = graph.get(digest);
      if (content === undefined) return 'unknown';
      // before the other links are read
      const referrers = named(content.referrers);
      const { facts, links, refs, uploads, size, sound, present, settled } = content;
      return {
        ...{ refs, uploads, size, sound, present, settled, named: contents.named[content.id] },
        isUnvouched: graph.isUnvouched(content),
        facts: facts && {
          ...facts,
          subject: facts.subject?.digest,
          manifests: facts.manifests.map((child) => child.digest),
          blobs: facts.blobs.map((id) => contents.digestOf(id)),
        },
        tags: (links?.tags ?? []).map(tagName).sort(),
        homes: (links?.homes ?? []).map(homeName).sort(),
        referrers: [referrers, named(links?.referrers ?? [])],
        members: links?.members ?? 0,
      };
    }),
  };
}
