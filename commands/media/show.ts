import { fr } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { argument } from '../cli/inputs.ts';
import { getWidth } from '../render/width.ts';
import { refuseFile } from './refuse-file.ts';

export class MediaShowCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Shows identity, zone, time, recipes and sizes as the medium claims them. Needs no configuration where the folder is named; without it, shows the store of the configuration (storage.root). Reads the first line of media.jsonl only, and changes nothing. Nobody has signed that line: svc media verify checks the content and the signatures.',
        fr`Affiche l’identité, la zone, la date, les recettes et les tailles telles que le support les affirme. N’exige aucune configuration si le dossier est nommé ; sans lui, montre le stockage de la configuration (storage.root). Ne lit que la première ligne de media.jsonl et ne modifie rien. Personne n’a signé cette ligne : svc media verify vérifie le contenu et les signatures.`,
      ],
      [
        'Exit code: 0 success, 1 failure, 4 the folder has no manifest, or one that cannot be read.',
        fr`Code de sortie : 0 succès, 1 échec, 4 le dossier n’a pas de manifeste, ou un manifeste illisible.`,
      ],
    ],
    examples: [
      [['What is on this disk', fr`Ce que contient ce disque`], 'svc media show /media/usb/store'],
      [
        ['Its recipes for a script', fr`Ses recettes pour un script`],
        "svc media show /media/usb/store --output json | jq '.recipes'",
      ],
    ],
  };

  folder: string | undefined = argument.optional(['directory', fr`dossier`], 'folder');

  async run(): Promise<number> {
    if (this.folder !== undefined && this.storageRoot !== undefined)
      throw new CommandLineError([
        'a folder and --storage-root are given: name one of them',
        fr`un dossier et --storage-root sont donnés : nommez l’un des deux`,
      ]);
    if (this.folder !== undefined) await refuseFile(this.folder);
    const { showMedium } = await import('../../src/view/medium.ts');
    const view = await showMedium(this.folder ?? (await this.#readRoot()));
    if (this.format === 'json') await this.printDocument(view);
    else {
      const { renderMedium } = await import('./render-show.ts');
      this.context.stdout.write(
        renderMedium(view, { language: this.language, width: getWidth(this.context) }),
      );
    }
    return 0;
  }
  /** The store of the configuration. @throws SVC-CFG-001 */
  async #readRoot(): Promise<string> {
    const { config } = await this.loadConfig('show-store');
    return config.storage.root;
  }
}
