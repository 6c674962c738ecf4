import { nameChartImages } from '../../../src/authoring/door.ts';
import { silentReport } from '../../../src/base/report.ts';
import type { MediumProof } from '../../../src/contract/proof.ts';
import type { FindChartImages } from '../../../src/engine/prove/charts-step.ts';
import { type ProveMediumInput, proveMedium } from '../../../src/operation/prove/prove-medium.ts';
import type { Signer } from '../content/signer.ts';
import { trust } from './verify-carried.ts';

/** Finds the images of charts as the command does without helm. */
export const findImages: FindChartImages = (archive, { reference }) =>
  nameChartImages(archive, reference, { values: [], render: false, path: '' });

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
