import type { Plan, PlannedRecipe } from '../../../src/contract/plan.ts';

const digest = `sha256:${'a'.repeat(64)}` as const;

/** A recipe of a plan of which a quarter is to be transferred, unless told otherwise. */
export function plannedRecipe(more: Partial<PlannedRecipe> = {}): PlannedRecipe {
  return {
    name: 'shop',
    requested: '^1.4',
    resolved: '1.4.2',
    digest,
    cookbook: 'registry.example/cookbook',
    signature: 'verified',
    ingredients: [
      {
        name: 'web',
        kind: 'ContainerImage',
        ref: 'registry.example/shop/web:1.4.0',
        repository: 'registry.example/shop/web',
        version: '1.4.0',
        digest,
        status: 'new',
        totalBytes: 2048,
        transferBytes: 512,
      },
    ],
    totalBytes: 2048,
    transferBytes: 512,
    ...more,
  };
}

/** A plan of one recipe that fits, unless told otherwise. */
export function plan(more: Partial<Plan> = {}): Plan {
  return {
    mode: 'passthrough',
    source: 'https://registry.example/zone-b.yaml',
    zone: 'zone-b',
    generatedAt: '2026-11-22T08:00:00Z',
    outcome: 'changes-planned',
    recipes: [plannedRecipe()],
    totals: {
      recipes: 1,
      ingredients: 1,
      new: 1,
      outdated: 0,
      upToDate: 0,
      totalBytes: 2048,
      transferBytes: 512,
      largestFileBytes: 512,
      storeBytes: 1536,
      projectedStoreBytes: 2048,
    },
    policy: { allowlistDeclared: true, hosts: [] },
    prune: { evaluated: false, reason: 'not-asked', items: [], totalBytes: 0 },
    checks: [
      {
        target: 'store',
        path: '/srv/store',
        filesystem: { type: 'ext4', identified: true },
        freeBytes: 1000,
        marginPercent: 10,
        usableBytes: 900,
        projectedBytes: 500,
        largestFileBytes: 512,
        shortfallBytes: 0,
        warnings: [],
      },
    ],
    problems: [],
    ...more,
  };
}
