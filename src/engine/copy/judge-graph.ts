import type { Digest } from '../../base/digest.ts';
import type { Source } from '../../oci/ports.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { type ManifestGraph, readGraph } from './read-graph.ts';
import { sumContents } from './sum-contents.ts';

/** The content below a digest, with the sizes in bytes of all parts that were read. */
export interface JudgedGraph extends ManifestGraph {
  readonly contents: ReadonlyMap<Digest, number>;
}

/**
 * Reads the content below a digest and judges it, for authors that pin, show, compare and check alike. `pin` reads
 * indexes only, as registries count reads; these are judged as everywhere else.
 *
 * @throws SVC-REG-009 for an artifact that is nested too deep, or whose sizes add up to more than any volume has;
 *   SVC-SIG-002 when two of its manifests disagree about the size of one content; as `readGraph`
 */
export async function readJudgedGraph(
  source: Source,
  root: Digest,
  options: Parameters<typeof readGraph>[2],
): Promise<JudgedGraph> {
  const graph = await readGraph(source, root, options);
  const { reference } = options;
  const contents = new Map<Digest, number>();
  for (const { digest, size } of graph.manifests.flatMap((one) => [one, ...one.blobs])) {
    const other = contents.get(digest);
    // one of both sizes is false, and a sum of them would be too
    if (other !== undefined && other !== size)
      throw svcError('SVC-SIG-002', {
        reference,
        expected: rule(['{digest} of {other} bytes', fr`{digest} de {other} octets`], { digest, other }),
        actual: rule(['{size} bytes', fr`{size} octets`], { size }),
      });
    contents.set(digest, size);
  }
  if (!Number.isSafeInteger(sumContents([contents])))
    throw svcError('SVC-REG-009', {
      reference,
      detail: rule([
        'its sizes add up to more than any volume has',
        fr`la somme de ses tailles dépasse tout volume existant`,
      ]),
    });
  return { ...graph, contents };
}
