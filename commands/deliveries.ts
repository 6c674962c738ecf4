import { listKnownDeliveries as operation } from '../src/contract/operations/deliveries.ts';
import { fr } from '../src/text/language.ts';
import { BaseCommand } from './cli/base-command.ts';
import type { CommandHelp } from './cli/command-definition.ts';
import { argument, flagOf } from './cli/inputs.ts';
import { peekConfiguredStore } from './peek-store.ts';

export class DeliveriesCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Shows each delivery that was written or received here: how far it is, the codes of its errors, and the next step. With DELIVERY, each recipe has a line. Reads the state folder, and changes nothing.',
        fr`Affiche chaque livraison écrite ou reçue ici : où elle en est, les codes de ses erreurs et l’étape suivante. Avec LIVRAISON, chaque recette a une ligne. Lit le dossier d’état, et ne modifie rien.`,
      ],
      [
        'A delivery that an instance is writing at this time is listed as not written whole.',
        fr`Une livraison qu’une instance est en train d’écrire est listée comme inachevée.`,
      ],
      [
        'Exit code: 0 success, also for an empty list; 1 failure.',
        fr`Code de sortie : 0 succès, y compris pour une liste vide ; 1 échec.`,
      ],
    ],
    examples: [
      [['The deliveries of a zone', fr`Les livraisons d’une zone`], 'svc deliveries --zone zone-b'],
      [
        ['Those with a next step, for a script', fr`Celles qui ont une étape suivante, pour un script`],
        `svc deliveries --output json | jq -r '.deliveries[] | select(.step) | [.id, .zone, .state, .step] | @tsv'`,
      ],
    ],
  };

  delivery: string | undefined = argument.optional(['delivery', fr`livraison`]);

  search = flagOf('--search', operation.query.q);
  zone = flagOf('--zone', operation.query.zone);
  state = flagOf('--state', operation.query.state);
  sort = flagOf('--sort', operation.query.sort);
  order = flagOf('--order', operation.query.order);

  async run(): Promise<number> {
    const { config } = await this.loadConfig('zones');
    const { loadPolicy } = await import('../src/operation/load-policy.ts');
    const { findKnownDelivery, listKnownDeliveries } = await import(
      '../src/view/delivered/known-deliveries.ts'
    );
    const { selectDeliveries, toDocument } = await import('../src/view/delivered/list-deliveries.ts');
    const { renderDeliveries, renderDelivery } = await import('./render/deliveries.ts');
    const report = await this.openReport();
    const policy = await loadPolicy(config, report);
    await using store = await peekConfiguredStore(config.storage.root, report);
    const parts = { instance: { context: { config, policy }, store } };
    const { enabled } = config.custody;
    const options = { ...this.rendering, keepsLedger: enabled };
    const { delivery, search: q, zone, state, sort, order } = this;
    const selected =
      delivery === undefined
        ? selectDeliveries(await listKnownDeliveries(parts), { q, zone, state, sort, order })
        : [await findKnownDelivery(parts, delivery)];
    if (this.format === 'json')
      await this.printDocument({ deliveries: selected.map((one) => toDocument(one, enabled)) });
    else if (selected.length === 0)
      this.printLine([
        `svc: no deliveries in ${config.state.root}`,
        fr`svc: aucune livraison dans ${config.state.root}`,
      ]);
    else
      this.printReport(
        delivery === undefined ? renderDeliveries(selected, options) : renderDelivery(selected[0]!, options),
      );
    return 0;
  }
}
