import { existsSync } from 'node:fs';
import type { ReadReceipt } from '../../src/attest/receipt.ts';
import { systemClock } from '../../src/base/clock.ts';
import { receiptLimits } from '../../src/contract/receipt.ts';
import { readBounded } from '../../src/disk/named-file.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { argument } from '../cli/inputs.ts';

export class ReceiptShowCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Shows the statements of a receipt: the last one of a known zone, or that of a file. A file is shown whether it is believed or not, and the first line says which. Nothing is changed.',
        fr`Affiche ce qu’un reçu déclare : le dernier d’une zone connue, ou celui d’un fichier. Un fichier est montré, qu’il soit reconnu ou non, et la première ligne le dit. Rien n’est modifié.`,
      ],
      [
        'Exit code: 0 success, 1 failure, 4 the file is not a receipt.',
        fr`Code de sortie : 0 succès, 1 échec, 4 le fichier n’est pas un reçu.`,
      ],
    ],
    examples: [
      [['The last receipt of a zone', fr`Le dernier reçu d’une zone`], 'svc receipt show zone-b'],
      [
        [
          'The recipes of a file that lack content',
          fr`Les recettes d’un fichier auxquelles il manque du contenu`,
        ],
        `svc receipt show receipt.sigstore.json --output json | jq '.statement.recipes[] | select(.state != "present")'`,
      ],
    ],
  };

  subject: string = argument.text(['zone or file', fr`zone ou fichier`], 'file');

  async run(): Promise<number> {
    const { subject } = this;
    // a file is shown also where nothing is configured
    const { config } = await this.loadConfig(existsSync(subject) ? 'trust' : 'receipt');
    const { loadConfiguredPeers, loadPolicy } = await import('../../src/operation/load-policy.ts');
    const { isBelieved, openReceipts } = await import('../../src/zone/receipts.ts');
    const { openOwnReceipts } = await import('../../src/zone/own-receipts.ts');
    const { toReceiptSummary } = await import('../../src/view/receipts.ts');
    const policy = await loadPolicy(config, await this.openReport());
    const keys = await loadConfiguredPeers(config, policy);
    const { root } = config.state;
    const ownReceipts = root === undefined ? undefined : openOwnReceipts(root);
    const receipts = root === undefined ? undefined : openReceipts(root);
    const others = (await receipts?.list()) ?? [];
    const kept = (await ownReceipts?.last(subject)) ?? others.find(({ receipt }) => receipt.zone === subject);
    // a path has a point or a slash
    if (kept === undefined && !/[./]/.test(subject) && !existsSync(subject)) {
      const { toUnknownName } = await import('../../src/catalog/unknown-name.ts');
      throw toUnknownName(
        subject,
        others.map(({ receipt }) => receipt.zone),
        'receipts',
      );
    }
    const found = kept ?? (await readFile(subject));
    const own = await ownReceipts?.last(found.receipt.zone);
    // of earlier ones, only the one before is known
    const isOwn = [own?.digest, own?.receipt.previous].includes(found.digest);
    const verified = isOwn || isBelieved(found, keys);
    const other = isOwn ? undefined : kept;
    const [fork, lower] = other ? [await receipts?.fork(other), await receipts?.fallback(other)] : [];
    const summary = toReceiptSummary(found, { own: isOwn, verified, fork, lower, now: systemClock.wall() });
    const isChecked = keys.some(({ for: kinds }) => kinds.includes('receipt'));
    if (this.format === 'json')
      await this.printDocument({ ...summary, statement: found.receipt, subjects: found.subjects });
    else {
      const { renderReceipt } = await import('./render-receipt.ts');
      this.printReport(renderReceipt(summary, found, { ...this.rendering, isChecked }));
    }
    return 0;
  }
}

/** @throws SVC-RCP-001 for a file that is not a receipt, the errors of `readBounded` */
async function readFile(path: string): Promise<ReadReceipt> {
  const { readReceipt } = await import('../../src/attest/receipt.ts');
  const read = readReceipt(await readBounded(path, receiptLimits.bytes));
  if ('flaw' in read) throw svcError('SVC-RCP-001', { path, rule: read.flaw });
  return read;
}
