import { systemClock } from '../../src/base/clock.ts';
import type { AddedReceipt } from '../../src/contract/receipt.ts';
import { type SvcError, toErrorRecord } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { argument, flag } from '../cli/inputs.ts';
import { readEach, toUnreadMembers, type UnreadFile } from '../cli/read-each.ts';
import { peekConfiguredStore } from '../peek-store.ts';
import type { BundlePlace } from './list-bundles.ts';

export class ReceiptAddCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Verifies receipts of other zones, and keeps the last one of each zone in the state folder. A receipt is believed under the key of the peer that has the name of its zone, with receipt in its list for. The order of the files does not matter. A receipt that is refused does not hide the others.',
        fr`Vérifie des reçus d’autres zones, et garde le dernier de chaque zone dans le dossier d’état. Un reçu est reconnu avec la clé du pair qui porte le nom de sa zone, avec receipt dans sa liste for. L’ordre des fichiers n’importe pas. Un reçu refusé ne cache pas les autres.`,
      ],
      [
        'A lower number than the known one is refused; --allow-older accepts it, as after a zone lost its state. Two different receipts of one number are always refused.',
        fr`Un numéro inférieur au numéro connu est refusé ; --allow-older l’accepte, par exemple si une zone a perdu son état. Deux reçus différents d’un même numéro sont toujours refusés.`,
      ],
      [
        'A file may have the receipts of several zones, one a line: a zone forwards those of the zones below it with its own. Each is believed under the key of its own zone.',
        fr`Un fichier peut avoir les reçus de plusieurs zones, un par ligne : une zone transmet ceux des zones en aval avec le sien. Chacun est reconnu avec la clé de sa propre zone.`,
      ],
      [
        'FILE.inventory beside a receipt is kept with it, where svc receipt write --inventory made it. The content of its recipes is remembered, as far as the store of the configuration has them.',
        fr`FICHIER.inventory à côté d’un reçu est conservé avec lui, si svc receipt write --inventory l’a créé. Le contenu de ses recettes est mémorisé, pour celles que le stockage de la configuration possède.`,
      ],
      [
        'Exit code: 0 all receipts are believed, 1 failure, 3 an earlier receipt, 4 a receipt that is not believed, or two of one number.',
        fr`Code de sortie : 0 tous les reçus sont reconnus, 1 échec, 3 un reçu antérieur, 4 un reçu qui n’est pas reconnu, ou deux du même numéro.`,
      ],
    ],
    examples: [
      [
        ['From a medium that came back', fr`Depuis un support revenu`],
        'svc receipt add /mnt/medium/_svc/receipts/*.sigstore.json',
      ],
    ],
  };

  files: string[] = argument.each(['file', fr`fichier`], 'file');
  allowOlder: boolean = flag.present('--allow-older', [
    'accept a lower number than the known one (audited)',
    fr`accepte un numéro inférieur au numéro connu (audité)`,
  ]);

  async run(): Promise<number> {
    const { config } = await this.loadConfig('receipt');
    const { loadPolicy } = await import('../../src/operation/load-policy.ts');
    const { addReceipt, readBeside } = await import('../../src/operation/zone/known-receipts.ts');
    const { toContradictions, toReceiptSummary } = await import('../../src/view/receipts.ts');
    const { listBundles } = await import('./list-bundles.ts');
    const { renderAdded, toInventoryWarning } = await import('./render-receipt.ts');
    const onUnread = (error: SvcError): void => this.warn(toInventoryWarning(error));
    const { sayRule } = await import('../../src/text/rule.ts');
    const report = await this.openReport();
    // the receipt is kept also where the store cannot be read
    await using store = await peekConfiguredStore(config.storage.root, report);
    const context = { config, report, policy: await loadPolicy(config, report) };
    const { actor, allowOlder } = this;
    const now = systemClock.wall();
    const places = new Map((await listBundles(this.files)).map((place) => [place.name, place]));
    const { judged, unread } = await readEach(
      [...places.keys()],
      async (file): Promise<AddedReceipt & { file: string }> => {
        const place = places.get(file)!;
        const bytes = place.read();
        // the first bundle is that of the zone that wrote the file
        const inventory = place.index === 0 ? await readBeside(place.file, onUnread) : undefined;
        const added = await addReceipt(context, {
          bytes,
          path: file,
          allowOlder,
          inventory,
          via: place.via,
          store,
          actor,
        });
        const { receipt, isNew, hasInventory, lacksInventory, unseen, contradictions } = added;
        if (inventory !== undefined && !hasInventory)
          this.warn([
            `${place.file}.inventory is not the inventory of this receipt, and is not used`,
            fr`${place.file}.inventory n’est pas l’inventaire de ce reçu, et n’est pas utilisé`,
          ]);
        else if (lacksInventory && place.index === 0)
          this.warn([
            `${place.file}.inventory is absent, and the receipt signs it: content that only the inventory names is carried again`,
            fr`${place.file}.inventory est absent, et le reçu le signe : le contenu que seul l’inventaire cite sera transporté de nouveau`,
          ]);
        if (unseen !== undefined) {
          const { from, to } = unseen;
          const { zone, sequence } = receipt.receipt;
          const isOne = from === to;
          const unknown = isOne ? `receipt ${from} is` : `receipts ${from} to ${to} are`;
          const unknownFr = isOne
            ? fr`le reçu ${from} n’est pas connu`
            : fr`les reçus ${from} à ${to} ne sont pas connus`;
          this.warn([
            `${file}: receipt ${sequence} of zone ${zone} follows receipt ${from - 1}, and ${unknown} not known: nothing shows that it is of the same count`,
            fr`${file} : le reçu ${sequence} de la zone ${zone} suit le reçu ${from - 1}, et ${unknownFr} : rien ne montre qu’il est de la même série`,
          ]);
        }
        for (const { code, params, rules } of contradictions) {
          if (code === 'SVC-RCP-006') {
            const [part, delivery] = [String(params.part), String(params.delivery)];
            this.warn([
              `${file}: it names a medium as part ${part} of delivery ${delivery} that this source did not write (${code})`,
              fr`${file} : il nomme comme partie ${part} de la livraison ${delivery} un support que cette source n’a pas écrit (${code})`,
            ]);
            continue;
          }
          this.warn([
            `${file}: two statements about the custody ledger of site ${String(params.site)} contradict each other: ${sayRule(rules.rule!, 'en')} (${code})`,
            fr`${file} : deux déclarations sur le journal de garde du site ${String(params.site)} se contredisent : ${sayRule(rules.rule!, 'fr')} (${code})`,
          ]);
        }
        const summary = toReceiptSummary(receipt, { own: false, verified: true, now });
        return {
          file,
          receipt: summary,
          isNew,
          ...(unseen && { unseen }),
          ...toContradictions(contradictions),
        };
      },
    );
    if (this.format === 'json') await this.printDocument({ receipts: judged, ...toUnreadMembers(unread) });
    else this.printReport(judged.map((one) => renderAdded(one, this.language)).join(''));
    for (const { receipt } of judged)
      if (receipt.fromTheFuture)
        this.warn([
          `receipt ${receipt.sequence} of zone ${receipt.zone} is dated ${receipt.issuedAt}, more than a day ahead: a clock is wrong`,
          fr`le reçu ${receipt.sequence} de la zone ${receipt.zone} est daté du ${receipt.issuedAt}, plus d’un jour en avance : une horloge est fausse`,
        ]);
    return await this.#failLines(unread, places);
  }

  /** Writes the errors to stderr, and of lines of one file that are refused for one reason the first only. @returns the exit code */
  async #failLines(unread: readonly UnreadFile[], places: ReadonlyMap<string, BundlePlace>): Promise<number> {
    const groups = new Map<string, UnreadFile[]>();
    for (const one of unread) {
      const { code, params } = toErrorRecord(one.error);
      const key = JSON.stringify([places.get(one.file)?.file, code, { ...params, path: '', file: '' }]);
      groups.set(key, [...(groups.get(key) ?? []), one]);
    }
    let exitCode = 0;
    for (const [first, ...others] of groups.values()) {
      exitCode = Math.max(exitCode, await this.failEach([first!]));
      if (others.length > 0) {
        const { count } = await import('../render/count.ts');
        const { length } = others;
        this.printLine([
          `svc: ${count(length, 'more-line', 'en')} alike`,
          fr`svc: ${count(length, 'more-line', 'fr')} pour la même raison`,
        ]);
      }
    }
    return exitCode;
  }
}
