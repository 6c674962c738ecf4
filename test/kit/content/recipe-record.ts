import type { RecipeRecord } from '../../../src/catalog/model.ts';

const digest = `sha256:${'a'.repeat(64)}` as const;

/** A line of the recipe ledger. @param ingredients nominal `<host>/<path>` and tag of each */
export function toRecipeRecord(
  name: string,
  version: string,
  ingredients: readonly (readonly [ref: string, tag: string])[],
): RecipeRecord {
  return {
    name,
    version,
    cookbook: 'registry.example/cookbook',
    repository: `registry.example/cookbook/${name}`,
    tag: version,
    digest,
    documentDigest: digest,
    runId: 'run',
    zone: 'zone',
    resolvedAt: '2026-01-01T00:00:00.000Z',
    verified: true,
    ingredients: ingredients.map(([ref, tag], i) => ({
      name: `ingredient-${i}`,
      kind: 'ContainerImage',
      ref,
      repository: ref.replace(':', '_'),
      tag,
      digest,
    })),
  };
}
