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
        'Exit code: 0 every delivery is complete or overtaken by a newer one, 1 failure, 5 a delivery is incomplete.',
        fr`Code de sortie : 0 chaque livraison est complète ou dépassée par une plus récente, 1 échec, 5 une livraison est incomplète.`,
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
    const { isSettled, listReceived } = await import('../../src/view/received-deliveries.ts');
    const deliveries = await listReceived(config.state.root);
    if (this.format === 'json') await this.printDocument({ deliveries });
    else {
      const { renderDeliveries } = await import('./render-deliveries.ts');
      this.printReport(renderDeliveries(deliveries, this.language));
    }
    return deliveries.every(isSettled) ? exitCodes.ok : exitCodes['changes-planned'];
  }
}
