import { exitCodes } from '../src/text/error.ts';
import { fr } from '../src/text/language.ts';
import type { StatusFacts, ZoneStatus } from '../src/view/zone-status.ts';
import { getBuildInfo } from './build-info.ts';
import type { CommandHelp } from './cli/command-definition.ts';
import { PlaceCommand } from './client/place-command.ts';
import { getWidth } from './render/width.ts';

export class StatusCommand extends PlaceCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Shows the kind of the instance or medium; the recipes that are wanted, present, missing, blocked or not imported yet; the running task, the last run and the next one; the limits of transfers with other hosts; and the free space. Asks the instance of --instance or SVC_INSTANCE_URL; without one, reads the store and the state of the configuration, also while an instance uses them.',
        fr`Affiche le type de l’instance ou du support, les recettes demandées, présentes, manquantes, bloquées ou en attente d’import, la tâche en cours, la dernière exécution et la prochaine, les limites des transferts avec les autres hôtes, et l’espace libre. Interroge l’instance de --instance ou de SVC_INSTANCE_URL ; sans elle, lit le stockage et l’état de la configuration, même pendant qu’une instance les utilise.`,
      ],
      [
        'Wanted is what the last synchronization asked for; of a medium, its recipes. A medium whose recipes were all imported, and which was not written again since, has what is wanted; its content is not verified again.',
        fr`Est demandé ce que la dernière synchronisation a demandé ; d’un support, ses recettes. Un support dont toutes les recettes ont été importées, et qui n’a pas été réécrit depuis, a ce qui est demandé ; son contenu n’est pas vérifié de nouveau.`,
      ],
      [
        'Exit code: 0 everything that is wanted is here; 5 something is missing, blocked, withheld or not imported yet, or a FileSet that is configured cannot be served; 1 failure.',
        fr`Code de sortie : 0 tout ce qui est demandé est là ; 5 quelque chose manque, est bloqué, retenu ou pas encore importé, ou un FileSet configuré ne peut pas être servi ; 1 échec.`,
      ],
    ],
    examples: [
      [
        ['A running instance', fr`Une instance en cours d’exécution`],
        'svc status --instance https://svc.example --token-file /etc/svc/token',
      ],
      [
        ['The store of this machine', fr`Le stockage de cette machine`],
        'svc status --config /etc/svc/config.yaml',
      ],
      [
        ['What is missing, for a script', fr`Ce qui manque, pour un script`],
        'svc status --output json | jq \'.wanted[] | select(.state != "present")\'',
      ],
    ],
  };

  async run(): Promise<number> {
    const { isUnmet, toVerdict, toZoneStatus } = await import('../src/view/zone-status.ts');
    const facts = await this.#read();
    const status = toZoneStatus(facts);
    const exitCode = isUnmet(status) ? exitCodes['changes-planned'] : exitCodes.ok;
    if (this.format === 'json') await this.printDocument({ ...status, exit_code: exitCode });
    else {
      const { renderStatus } = await import('./render/status.ts');
      const options = { language: this.language, width: getWidth(this.context) };
      this.context.stdout.write(renderStatus(status, toVerdict(facts), options, facts.newer));
      await this.#suggest(status);
    }
    return exitCode;
  }

  /** The next step for a carried medium that is read without an instance, and for a delivery that is not complete. */
  async #suggest({ verdict, store, delivery }: ZoneStatus): Promise<void> {
    if (delivery?.imported && delivery.overtakenBy !== undefined)
      await this.suggestNext(
        ['where no disk of it is wanted any more:', fr`si plus aucun de ses disques n’est attendu :`],
        `svc media forget ${delivery.id}`,
      );
    else if (delivery?.imported && !delivery.complete)
      await this.suggestNext(
        ['see the missing disks with:', fr`voyez les disques manquants avec :`],
        'svc media status',
      );
    else if (verdict === 'closed' && store !== undefined) await this.suggestVerification();
  }

  async #read(): Promise<StatusFacts> {
    if (this.asksInstance) {
      const { readInstanceFacts } = await import('./client/read-instance-facts.ts');
      await using client = await this.connect();
      return await readInstanceFacts(client);
    }
    const { readStoreFacts } = await import('../src/view/store-status.ts');
    const { config } = await this.loadConfig('show-store');
    const report = await this.openReport();
    return await readStoreFacts(config, { report, version: getBuildInfo().version });
  }
}
