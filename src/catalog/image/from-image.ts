import type { Digest } from '../../base/digest.ts';
import type { Owner } from '../../contract/content.ts';
import type { ContentKind } from '../../oci/kind.ts';
import { Repository } from '../content.ts';
import { ContentTable } from '../content-table.ts';
import { KindTally } from '../kind-tally.ts';
import type { Publication } from '../model.ts';
import type { SharedValues } from '../shared-values.ts';
import type { GraphImage } from './columns.ts';
import { StoredGraph } from './stored-graph.ts';

/** Entries from which a repository is read at once: to read it in one step later would hold the event loop. */
const manyEntries = 2048;

const hexLength = 128;

const toText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();

function toLines<T>(bytes: Uint8Array): T[] {
  const lines = toText(bytes).split('\n');
  return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]));
}

/** Parts of a graph that are made of an image. */
interface GraphParts {
  readonly contents: ContentTable;
  readonly repositories: Map<string, Repository>;
  readonly shadows: Map<string, Repository>;
  readonly publications: Map<string, Map<string, Publication>>;
  readonly tally: KindTally;
}

/** Makes the parts of a graph. The columns of the image are used, not copied. */
export function fromImage(image: GraphImage, shared: SharedValues): GraphParts {
  const { figures, longIds, words, slots, sizes, refs, uploads, named, vouched } = image;
  const longHex = toText(image.longHex);
  const long = new Map(
    Array.from(longIds, (id, i): [number, Digest] => [
      id,
      `sha512:${longHex.slice(i * hexLength, (i + 1) * hexLength)}`,
    ]),
  );
  const contents = ContentTable.of({ ...figures, words, slots, long, sizes, refs, uploads, named, vouched });
  const texts = toLines<string>(image.texts).map((text) => shared.text(text));
  const owners = toLines<readonly Owner[]>(image.owners).map((list) => shared.owners(list));
  const stored = new StoredGraph(image, contents, { texts, owners });
  contents.readFrom(stored, stored.markStored());
  const tally = new KindTally();
  tally.versions = figures.versions;
  const [repositories, shadows] = [new Map<string, Repository>(), new Map<string, Repository>()];
  stored.makeRepositories((name, at, entries) => {
    const isShadow = image.shadows[at] === 1;
    const repository = new Repository(name, image.numbers[at]!, isShadow, tally, entries);
    (isShadow ? shadows : repositories).set(name, repository);
    return repository;
  });
  for (const [i, at] of image.sideHomes.entries())
    tally.countSide(stored.homeAt(at).name, figures.kinds[image.sideKinds[i]!] as ContentKind, 1);
  for (const [i, at] of image.uploadHomes.entries())
    stored.homeAt(at).uploads.set(contents.at(image.uploadIds[i]!), {
      actor: texts[image.uploadActors[i]!]!,
      at: image.uploadTimes[i]!,
    });
  for (const side of [repositories, shadows])
    for (const repository of side.values()) if (repository.liveRecords > manyEntries) repository.load();
  const publications = new Map(
    toLines<[string, [string, Publication][]]>(image.publications).map(([name, tags]) => [
      name,
      new Map(tags),
    ]),
  );
  return { contents, repositories, shadows, publications, tally };
}
