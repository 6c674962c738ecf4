import { writeFile } from 'node:fs/promises';
import { createSigner } from '../../kit/content/signer.ts';
import type { Mistake } from './mistake.ts';

/** The words that verify the carried disk. */
const verify = (config: string): readonly string[] => ['media', 'verify', '--config', config];

/** Mistakes with the keys and the zone of an instance that reads a carried disk. */
export const keyMistakes: readonly Mistake[] = [
  {
    title: 'No trust root is configured',
    situation: 'The configuration of the zone has no `trust` section yet.',
    async make({ carry }) {
      const { config } = await carry({ trust: { roots: [] } });
      return {
        args: verify(config),
        exitCode: 4,
        code: 'SVC-SIG-001',
        record: 'info',
        says: /trust\.roots is empty/,
      };
    },
  },
  {
    title: 'The keys are swapped',
    situation: 'The zone trusts the key of another team.',
    async make({ carry }) {
      const other = createSigner();
      const { config } = await carry({
        trust: { roots: [{ name: 'other-team', key: other.publicKeyPem }] },
      });
      return {
        args: verify(config),
        exitCode: 4,
        code: 'SVC-SIG-001',
        record: 'info',
        says: /Confirm the fingerprint/,
      };
    },
  },
  {
    title: 'The private key is configured as trust root',
    situation: '`cosign.key` was given in place of `cosign.pub`.',
    async make({ carry, rehearsal }) {
      const file = rehearsal.path('cosign.key');
      await writeFile(file, createSigner().privateKeyPem);
      const { config } = await carry({ trust: { roots: [{ name: 'release', keyFile: file }] } });
      return {
        args: verify(config),
        exitCode: 1,
        code: 'SVC-CFG-001',
        says: /a private key, and a public key is wanted/,
      };
    },
  },
  {
    title: 'The zone is not set',
    situation: 'The configuration of the zone was copied from the side that has a network.',
    async make({ carry }) {
      const { config } = await carry({ zone: undefined });
      return { args: verify(config), exitCode: 1, code: 'SVC-CFG-001', says: /zone/ };
    },
  },
];
