import { systemClock } from '../../src/base/clock.ts';
import type { AddedReceipt } from '../../src/contract/receipt.ts';
import { fr } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { argument, flag } from '../cli/inputs.ts';
import { readEach, toUnreadMembers } from '../cli/read-each.ts';
import { peekConfiguredStore } from '../peek-store.ts';

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
        fr`FICHIER.inventory à côté d’un reçu est conservé avec lui, si svc receipt write --inventory l’a créé. Le contenu de ses recettes est mémorisé, pour celles que le magasin de la configuration possède.`,
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
    const { toReceiptSummary } = await import('../../src/view/receipts.ts');
    const { listBundles } = await import('./list-bundles.ts');
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
        const inventory = place.index === 0 ? await readBeside(place.file) : undefined;
        const { receipt, isNew, hasInventory } = await addReceipt(context, {
          bytes,
          path: file,
          allowOlder,
          inventory,
          via: place.via,
          store,
          actor,
        });
        if (inventory !== undefined && !hasInventory)
          this.warn([
            `${place.file}.inventory is not the inventory of this receipt, and is not used`,
            fr`${place.file}.inventory n’est pas l’inventaire de ce reçu, et n’est pas utilisé`,
          ]);
        return { file, receipt: toReceiptSummary(receipt, { own: false, believed: true, now }), isNew };
      },
    );
    if (this.format === 'json') await this.printDocument({ receipts: judged, ...toUnreadMembers(unread) });
    else {
      const { renderAdded } = await import('./render-receipt.ts');
      this.printReport(judged.map((one) => renderAdded(one, this.language)).join(''));
    }
    for (const { receipt } of judged)
      if (receipt.fromTheFuture)
        this.warn([
          `receipt ${receipt.sequence} of zone ${receipt.zone} is dated ${receipt.issuedAt}, more than a day ahead: a clock is wrong`,
          fr`le reçu ${receipt.sequence} de la zone ${receipt.zone} est daté du ${receipt.issuedAt}, plus d’un jour en avance : une horloge est fausse`,
        ]);
    return this.failEach(unread);
  }
}
