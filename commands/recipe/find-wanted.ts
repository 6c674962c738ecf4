import { isAbsolute } from 'node:path';
import type { Config } from '../../src/config/model.ts';
import { readBounded } from '../../src/disk/named-file.ts';
import { formatReference } from '../../src/oci/reference.ts';
import { documentLimit } from './document-limit.ts';

/** The selection of a recipe by the Retriever of the configuration. */
interface Wanted {
  /** A version that it selects. */
  readonly version?: string | undefined;
  /** `<registry>/<path>` */
  readonly cookbook: string;
}

/**
 * Reads the selection of a recipe by the Retriever of the configuration, for a hint. Undefined where it has none or is
 * elsewhere.
 */
export async function findWanted(
  { retriever: { source } }: Pick<Config, 'retriever'>,
  name: string,
): Promise<Wanted | undefined> {
  if (source === undefined || !isAbsolute(source)) return undefined;
  try {
    const { parseRetriever } = await import('../../src/recipe/document.ts');
    const { toLowestVersion } = await import('../../src/recipe/lowest-version.ts');
    const { recipes } = parseRetriever(await readBounded(source, documentLimit), source);
    const entry = recipes.find((each) => each.name === name);
    return entry && { version: toLowestVersion(entry.version), cookbook: formatReference(entry.cookbook) };
  } catch {
    return undefined;
  }
}
