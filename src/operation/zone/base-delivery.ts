import { requireSetting } from '../../base/require-setting.ts';
import type { MediumHeader } from '../../store/rest/media-manifest.ts';
import { isSvcError } from '../../text/error.ts';
import { openOwnReceipts } from '../../zone/own-receipts.ts';
import type { Context } from '../context.ts';

/**
 * Finds the last delivery that this zone had imported when it wrote the receipt that a medium names as its base.
 *
 * @returns its identifier; undefined without a base, and for a receipt that the state does not have or cannot read
 * @throws SVC-CFG-001 without a state folder
 */
export async function findBaseDelivery(
  { config, report }: Pick<Context, 'config' | 'report'>,
  zone: string,
  header: MediumHeader | undefined,
): Promise<string | undefined> {
  if (header?.base === undefined) return undefined;
  try {
    const own = openOwnReceipts(requireSetting('state.root', config.state.root));
    return await own.deliveryOf(zone, header.base.receipt);
  } catch (error) {
    if (!isSvcError(error) || isSvcError(error, 'SVC-CFG-001')) throw error;
    report.log('warn', 'The receipt of the base of the medium cannot be read', { error });
    return undefined;
  }
}
