import type { Operations } from '../../../server/operations.ts';
import type { Digest } from '../../../src/base/digest.ts';
import type { RecipeDiff } from '../../../src/contract/authoring.ts';

const digestOf = (character: string): Digest => `sha256:${character.repeat(64)}`;
const MiB = 1 << 20;

/** A comparison with something of everything. */
export const showcaseDiff: RecipeDiff = {
  old: { name: 'shop', version: '1.4.2', documentDigest: digestOf('1') },
  new: { name: 'shop', version: '1.5.0', documentDigest: digestOf('2'), digest: digestOf('3') },
  metadata: [
    { path: 'version', from: '1.4.2', to: '1.5.0' },
    {
      path: 'annotations["recipe.tobby.dev/cooked-at"]',
      from: '2026-01-02T03:04:05Z',
      to: '2026-02-03T04:05:06Z',
    },
  ],
  added: [
    {
      name: 'metrics',
      kind: 'ContainerImage',
      ref: 'registry.example/shop/metrics',
      version: '0.3.0',
      digest: digestOf('4'),
      platforms: ['linux/amd64', 'linux/arm64'],
      vendorDependencies: false,
      bytes: 41 * MiB,
    },
  ],
  removed: [
    {
      name: 'chart',
      kind: 'HelmChart',
      ref: 'registry.example/shop/chart',
      version: '1.4.0',
      digest: digestOf('5'),
      platforms: [],
      vendorDependencies: true,
      bytes: 48_000,
    },
  ],
  changed: [
    {
      name: 'web',
      from: {
        name: 'web',
        kind: 'ContainerImage',
        ref: 'registry.example/shop/web',
        version: '1.4.0',
        digest: digestOf('6'),
        platforms: ['linux/amd64', 'linux/s390x'],
        vendorDependencies: false,
      },
      to: {
        name: 'web',
        kind: 'ContainerImage',
        ref: 'registry.example/store/web',
        version: '1.5.0',
        digest: digestOf('7'),
        platforms: ['linux/amd64', 'linux/arm64'],
        vendorDependencies: false,
      },
      members: [
        { path: 'ref', from: 'registry.example/shop/web', to: 'registry.example/store/web' },
        { path: 'version', from: '1.4.0', to: '1.5.0' },
        { path: 'digest', from: digestOf('6'), to: digestOf('7') },
        {
          path: 'platforms',
          from: ['linux/amd64', 'linux/s390x'],
          to: ['linux/amd64', 'linux/arm64'],
        },
      ],
      platformsAdded: ['linux/arm64'],
      platformsRemoved: ['linux/s390x'],
      newBytes: 812 * MiB,
    },
  ],
  retagged: [],
  totals: { oldBytes: 1_900 * MiB, newBytes: 2_300 * MiB, transferBytes: 853 * MiB },
  problems: [],
};

/**
 * Work on recipe documents: a pin that gives every `^…` version a tag and a digest, and that fails for the
 * version `^9`.
 *
 * @param asked fails requests to registries, where a test wants that
 */
export function scriptAuthoring(
  asked: <T>(value: T) => Promise<T>,
): Pick<Operations, 'pinRecipe' | 'diffSides'> {
  return {
    pinRecipe: async (_context, { document, version = '1.5.0' }) => {
      const text = Buffer.from(document).toString();
      const report = { name: 'shop', version, ingredients: 2, findings: [] };
      const ref = 'registry.example/shop/web';
      if (text.includes('^9'))
        return asked({
          ...report,
          outcome: 'failed',
          changes: [],
          problems: ['web', 'db'].map((name, i) => ({
            name,
            path: `spec.ingredients[${i}]`,
            line: 7 + 5 * i,
            error: { code: 'SVC-REG-005', class: 'failure', params: { reference: `${ref}:^9` } },
          })),
        } as const);
      const pinned = text.replace('^1.5', `1.5.0\n      digest: ${digestOf('7')}`);
      return asked({
        ...report,
        outcome: pinned === text ? 'unchanged' : 'changed',
        changes:
          pinned === text
            ? []
            : [
                {
                  name: 'web',
                  kind: 'ContainerImage',
                  ref,
                  from: { version: '^1.5' },
                  to: { version: '1.5.0', digest: digestOf('7') },
                  platforms: ['linux/amd64'],
                },
              ],
        problems: [],
        document: Buffer.from(pinned),
      } as const);
    },
    diffSides: () => asked(showcaseDiff),
  };
}
