import { basename } from 'node:path';
import { joinReceipts } from '../../attest/receipt-file.ts';
import { requireSetting } from '../../base/require-setting.ts';
import type { Config } from '../../config/model.ts';
import { receiptLimits } from '../../contract/receipt.ts';
import { writeFileAtomic } from '../../disk/atomic-file.ts';
import { openGuardedFolder } from '../../disk/guarded-folder.ts';
import { readBounded } from '../../disk/named-file.ts';
import type { Place } from '../../disk/place/place.ts';
import type { UnfinishedRecipe } from '../../engine/zone/survey.ts';
import { readKeyFile } from '../../signing/read-key-file.ts';
import { type Signer, toSigner } from '../../signing/signer.ts';
import type { TaskJournal } from '../../task/model.ts';
import { addParams, isSvcError, type SvcError, toSvcError } from '../../text/error.ts';
import { type KeptReceipt, receiptSuffix } from '../../zone/receipt-files.ts';
import type { Context } from '../context.ts';
import { type ForwardedReceipts, readForwarded } from './forward-receipts.ts';
import { type RefusedRecipe, writeReceipt } from './write-receipt.ts';

/** Folder of receipts on a medium, relative to its root. */
const mediumFolder = '_svc/receipts';

/** End of the name of the file with receipts of other zones; no zone has such a name. */
const forwardedSuffix = `+forwarded${receiptSuffix}`;

interface IssueReceiptInput {
  /** Real path of the medium. */
  readonly root: string;
  /** The folder of the medium as it was opened. Nothing is written into another one at its path. */
  readonly place: Pick<Place, 'requireInPlace'> | undefined;
  readonly actor: string;
  readonly origin?: string | undefined;
  /** Recipes of the medium that its verification or the registry refused. */
  readonly refused: readonly RefusedRecipe[];
  /** Recipes of the medium that could not be pushed. */
  readonly unfinished: readonly UnfinishedRecipe[];
  readonly journal: Pick<TaskJournal, 'line' | 'setReceipt'>;
  /** Called with the reason why there is no receipt. */
  readonly onUnwritten?: ((error: SvcError) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Writes a receipt after an import, where a signing key is configured: into the state, and onto the medium where it is
 * writable. Never fails the import: the journal says why there is no receipt.
 */
export async function issueReceipt(context: Context, input: IssueReceiptInput): Promise<void> {
  const { root, place, journal } = input;
  const tell = (text: string, error: SvcError): void => {
    journal.line(`${text}: ${error.code}`);
    context.report.log('warn', text, { error });
  };
  let receipt: KeptReceipt;
  let written: Parameters<typeof journal.setReceipt>[0];
  try {
    const signer = await openOwnSigner(context.config);
    if (signer === undefined) return;
    journal.line('looking at the registry of the zone for a receipt');
    ({ receipt } = await writeReceipt(context, { ...input, signer }));
    const { zone, sequence } = receipt.receipt;
    written = { zone, sequence, path: receipt.path };
    journal.setReceipt(written);
    journal.line(`receipt ${sequence} of zone ${zone}: ${receipt.path}`);
  } catch (error) {
    if (input.signal?.aborted) journal.line('no receipt was written: interrupted');
    else {
      const coded = toSvcError(error);
      tell('no receipt was written', coded);
      input.onUnwritten?.(coded);
    }
    return;
  }
  try {
    const forwarded = await putOnMedium(
      { root, place },
      receipt,
      requireSetting('state.root', context.config.state.root),
    );
    for (const zone of forwarded.zones)
      journal.line(`the receipt of zone ${zone} is forwarded on the medium`);
    const onMedium = `${mediumFolder}/${basename(receipt.path)}`;
    journal.setReceipt({ ...written, onMedium });
    journal.line(`the receipt is also on the medium: ${onMedium}`);
  } catch (error) {
    tell('the receipt is not on the medium', toSvcError(error));
  }
}

/**
 * Writes a receipt onto a medium, in the place of the last one of its zone, and those of the zones below it in a file beside
 * it. No link of the medium is followed.
 */
async function putOnMedium(
  { root, place }: Pick<IssueReceiptInput, 'root' | 'place'>,
  { bytes, path, receipt: { zone } }: KeptReceipt,
  stateRoot: string,
): Promise<ForwardedReceipts> {
  await using folder = await openGuardedFolder(root, mediumFolder, {
    create: true,
    check: place?.requireInPlace,
  });
  await writeFileAtomic(folder.pathOf(basename(path)), bytes);
  const forwarded = await readForwarded(stateRoot, zone, receiptLimits.file - bytes.length - 1);
  // the first names the zone that forwards
  const all = Buffer.concat([joinReceipts([bytes]), forwarded.bytes]);
  if (forwarded.bytes.length > 0)
    await writeFileAtomic(folder.pathOf(`${basename(path, receiptSuffix)}${forwardedSuffix}`), all);
  return forwarded;
}

/** Maximum size of a password file in bytes. */
const passwordLimit = 64 << 10;

/**
 * Opens the key of this instance, with the password of its file. Nobody is asked.
 *
 * @returns undefined where no key is configured
 * @throws SVC-SGN-001, SVC-FIL-005, SVC-STO-001, SVC-STO-014, SVC-VAL-002
 */
export async function openOwnSigner({ signing }: Pick<Config, 'signing'>): Promise<Signer | undefined> {
  const { keyFile, passwordFile } = signing;
  if (keyFile === undefined) return undefined;
  if (passwordFile !== undefined)
    return toSigner(await readKeyFile(keyFile, await readFirstLine(passwordFile)));
  const key = await readKeyFile(keyFile, undefined).catch((error: unknown) => {
    const isEncrypted = isSvcError(error, 'SVC-SGN-001') && error.params.problem === 'no-password';
    throw isEncrypted ? addParams(error, { problem: 'no-password-file' }) : error;
  });
  return toSigner(key);
}

async function readFirstLine(path: string): Promise<string> {
  const text = (await readBounded(path, passwordLimit)).toString('utf8');
  return text.split('\n', 1)[0]!.replace(/\r$/, '');
}
