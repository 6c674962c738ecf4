import { silentReport } from '../../../src/base/report.ts';
import type { MediumProof } from '../../../src/contract/proof.ts';
import { type ProveMediumInput, proveMedium } from '../../../src/operation/prove/prove-medium.ts';
import type { Signer } from '../content/signer.ts';
import { trust } from './verify-carried.ts';

/** Proves folders under the keys of these signers. */
export function proveFolders(
  folders: readonly string[],
  signers: readonly Signer[],
  options: Partial<ProveMediumInput> = {},
): Promise<MediumProof> {
  return proveMedium({
    folders,
    policy: trust(...signers),
    hasOwnRoots: false,
    strict: false,
    report: silentReport,
    version: '0.0.0-test',
    ...options,
  });
}
