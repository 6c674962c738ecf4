import { exitCodes } from '../../src/text/exit-codes.ts';
import { fr } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';

export class MediaStatusCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Lists the deliveries that this zone received, and for each incomplete one the disks that are missing and the recipes that are not in the zone. Reads the state folder only, needs no medium, and changes nothing.',
        fr`Liste les livraisons que cette zone a reçues et, pour chaque livraison incomplète, les disques manquants et les recettes qui ne sont pas dans la zone. Ne lit que le dossier d’état, n’exige aucun support et ne modifie rien.`,
      ],
      [
        'Exit code: 0 every delivery is complete, 1 failure, 5 a delivery is incomplete.',
        fr`Code de sortie : 0 toutes les livraisons sont complètes, 1 échec, 5 une livraison est incomplète.`,
      ],
    ],
    examples: [
      [
        ['Parts that are still needed', fr`Parties encore nécessaires`],
        "svc media status --output json | jq '.deliveries[0].needed'",
      ],
    ],
  };

  async run(): Promise<number> {
    const { config } = await this.loadConfig('media-status');
    const { openArrivals } = await import('../../src/zone/arrivals.ts');
    const deliveries = await openArrivals(config.state.root).list();
    if (this.format === 'json') await this.printDocument({ deliveries });
    else {
      const { renderDeliveries } = await import('./render-deliveries.ts');
      this.printReport(renderDeliveries(deliveries, this.language));
    }
    return deliveries.every(({ complete }) => complete) ? exitCodes.ok : exitCodes['changes-planned'];
  }
}
