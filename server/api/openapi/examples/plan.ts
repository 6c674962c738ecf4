import { digests } from './digests.ts';

/** Answers about plans. */
export const planExamples = {
  planSync: {
    plan: {
      mode: 'passthrough',
      source: '/etc/svc/retriever.yaml',
      generatedAt: '2026-07-01T06:00:00.000Z',
      outcome: 'changes-planned',
      recipes: [
        {
          name: 'platform',
          requested: '^1.0',
          resolved: '1.0.0',
          digest: digests.recipe,
          cookbook: 'registry.example/cookbook',
          signature: 'verified',
          ingredients: [
            {
              name: 'app',
              kind: 'ContainerImage',
              ref: 'registry.example/library/app',
              repository: 'library/app',
              version: '1.4.2',
              digest: digests.app,
              status: 'new',
              totalBytes: 48_211_004,
              transferBytes: 48_211_004,
            },
          ],
          totalBytes: 48_211_004,
          transferBytes: 48_211_004,
        },
      ],
      totals: {
        recipes: 1,
        ingredients: 1,
        new: 1,
        outdated: 0,
        upToDate: 0,
        totalBytes: 48_211_004,
        transferBytes: 48_211_004,
        largestFileBytes: 47_000_000,
        storeBytes: 0,
        projectedStoreBytes: 48_211_004,
      },
      policy: { allowlistDeclared: false, hosts: [] },
      prune: { evaluated: true, items: [], totalBytes: 0 },
      checks: [],
      problems: [],
    },
    exit_code: 5,
  },
};
