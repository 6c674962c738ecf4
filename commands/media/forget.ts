import { fr, speak } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { argument } from '../cli/inputs.ts';

export class MediaForgetCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Forgets a delivery whose missing disks will not come, so that svc media status no longer waits for them. Writes to the state folder only: content that is in the registry stays there, with the tag svc-holding-ID of repositories that wait. A disk of the delivery that comes later is imported as the first one, unless a newer medium was imported since (SVC-MED-007).',
        fr`Oublie une livraison dont les disques manquants ne viendront pas, pour que svc media status ne les attende plus. N’écrit que dans le dossier d’état : le contenu présent dans le registre y reste, avec l’étiquette svc-holding-ID des dépôts en attente. Un disque de la livraison qui arrive plus tard est importé comme le premier, sauf si un support plus récent a été importé depuis (SVC-MED-007).`,
      ],
      [
        'Exit code: 0 forgotten, 1 failure or an unknown delivery.',
        fr`Code de sortie : 0 oubliée, 1 échec ou livraison inconnue.`,
      ],
    ],
    examples: [
      [
        [
          'A disk was lost, and another delivery comes',
          fr`Un disque est perdu, et une autre livraison arrive`,
        ],
        'svc media forget dlv_3f9c01ab77de',
      ],
    ],
  };

  id: string = argument.text(['delivery', fr`livraison`]);

  async run(): Promise<number> {
    const { config } = await this.loadConfig('media-status');
    const { audited } = await import('../../src/base/audited.ts');
    const { forgetDelivery } = await import('../../src/operation/zone/forget-delivery.ts');
    const attempt = { actor: this.actor, action: 'media.forget', target: this.id } as const;
    const delivery = await audited(await this.openReport(), attempt, () =>
      forgetDelivery(config.state.root, this.id),
    );
    if (this.format === 'json') await this.printDocument({ delivery });
    else {
      const text = speak(this.language);
      const { id, complete } = delivery;
      const remark = complete ? text(', although it was complete', fr`, alors qu’elle était complète`) : '';
      this.printReport(text(`${id}: forgotten${remark}\n`, fr`${id} : oubliée${remark}\n`));
    }
    return 0;
  }
}
