import { writeFile } from 'node:fs/promises';

export interface RetrieverSpec {
  readonly cookbook: string;
  readonly recipes: readonly {
    readonly name: string;
    readonly version: string;
    readonly cookbook?: string;
  }[];
}

/** A Retriever as JSON, which is YAML. @param name the zone */
export const toRetriever = (spec: RetrieverSpec, name = 'zone-a'): string =>
  JSON.stringify({ apiVersion: 'recipe.tobby.dev/v1alpha1', kind: 'Retriever', metadata: { name }, spec });

/** Writes a Retriever to `path`. @param name the zone */
export const writeRetriever = (path: string, spec: RetrieverSpec, name?: string): Promise<void> =>
  writeFile(path, toRetriever(spec, name));
