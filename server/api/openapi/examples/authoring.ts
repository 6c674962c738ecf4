const digest = 'sha256:4f1d8a5c0e7b93628ad1c4f5e6907b8a2d3c4e5f60718293a4b5c6d7e8f90a1b';
const documentDigest = 'sha256:0d6be8bf3a2a04b1ff9bd5a4d3ba87bc1a0b7f9a5f3c84d6b1f2e7d0c9a8b7c6';

/** Answers about recipe documents. */
export const authoringExamples = {
  lintRecipe: {
    findings: [
      {
        rule: 'moving-tag',
        severity: 'warning',
        path: 'spec.ingredients[0].version',
        line: 9,
        message:
          'app has the tag latest, which usually moves: the tag does not tell which release the digest pins.',
        fix: 'Name the tag of one release, or a constraint.',
      },
    ],
    errors: 0,
    warnings: 1,
  },
  pinRecipe: {
    name: 'platform',
    version: '1.1.0',
    outcome: 'failed',
    ingredients: 1,
    changes: [],
    problems: [
      {
        name: 'app',
        path: 'spec.ingredients[0]',
        line: 6,
        error: {
          code: 'SVC-REG-005',
          class: 'failure',
          params: { reference: 'registry.example/library/app:1.4.2' },
        },
      },
    ],
    findings: [],
  },
  diffRecipes: {
    old: { name: 'platform', version: '1.0.0', documentDigest },
    new: { name: 'platform', version: '1.1.0', documentDigest: digest },
    metadata: [{ path: 'version', from: '1.0.0', to: '1.1.0' }],
    added: [
      {
        name: 'app',
        kind: 'ContainerImage',
        ref: 'registry.example/library/app',
        version: '1.4.2',
        digest,
        platforms: ['linux/amd64'],
        vendorDependencies: false,
        bytes: 52_428_800,
      },
    ],
    removed: [],
    changed: [],
    retagged: [],
    totals: { oldBytes: 0, newBytes: 52_428_800, transferBytes: 52_428_800 },
    problems: [],
  },
};
