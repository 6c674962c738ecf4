import { custodyLimits } from '../../src/contract/custody.ts';
import { deliveryId } from '../../src/contract/patterns.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, speak } from '../../src/text/language.ts';
import { actAsOwner } from '../cli/act-as-owner.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { flag, flagOf } from '../cli/inputs.ts';

const types = ['handed-over', 'received'] as const;

export class CustodyNoteCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Appends the note of a person about a delivery to the custody ledger: an event that no program sees, such as a disk that a courier took. Nobody can change or remove it later without a trace.',
        fr`Ajoute au journal de garde la note d’une personne sur une livraison : un événement qu’aucun programme ne voit, par exemple un disque remis à un coursier. Personne ne peut ensuite la modifier ou la retirer sans laisser de trace.`,
      ],
      [
        'Exit code: 0 noted, 1 failure or an unknown delivery, 4 the ledger is broken at its end.',
        fr`Code de sortie : 0 notée, 1 échec ou livraison inconnue, 4 journal de garde rompu à sa fin.`,
      ],
    ],
    examples: [
      [
        ['A courier took the disk', fr`Un coursier a pris le disque`],
        'svc custody note --delivery dlv_3f9c01ab77de --type handed-over --text "courier 12, seal 4711"',
      ],
    ],
  };

  delivery = flagOf('--delivery', {
    schema: deliveryId,
    help: ['identifier of the delivery', fr`identifiant de la livraison`],
  });
  type: (typeof types)[number] | undefined = flag.choice('--type', types, [
    'the event (handed-over)',
    fr`l’événement (handed-over)`,
  ]);
  text: string | undefined = flag.text('--text', ['the note', fr`la note`], 'text');

  async run(): Promise<number> {
    const { delivery, type = 'handed-over', text } = this;
    if (delivery === undefined || text === undefined || text.trim() === '')
      throw new CommandLineError([
        'name the delivery with --delivery, and write the note with --text',
        fr`nommez la livraison avec --delivery, et écrivez la note avec --text`,
      ]);
    if (text.length > custodyLimits.note)
      throw new CommandLineError([
        `--text takes at most ${custodyLimits.note} characters`,
        fr`--text prend au plus ${custodyLimits.note} caractères`,
      ]);
    const { config } = await this.loadConfig('custody');
    const { noteDelivery } = await import('../../src/operation/custody/note-delivery.ts');
    const report = await this.openReport();
    actAsOwner(config.state.root);
    const line = await noteDelivery({ config, report }, { delivery, type, text, actor: this.actor });
    if (this.format === 'json') await this.printDocument(line);
    else {
      const say = speak(this.language);
      const id = escapeText(delivery);
      this.printReport(say(`${id}: line ${line.seq}\n`, fr`${id} : ligne ${line.seq}\n`));
    }
    return 0;
  }
}
