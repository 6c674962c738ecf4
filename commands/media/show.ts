import { Command, Option, type Usage } from 'clipanion';
import { fr } from '../../src/text/language.ts';
import { BaseCommand, type FlagValues } from '../cli/base-command.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { getWidth } from '../render/width.ts';

export class MediaShowCommand extends BaseCommand {
  static override paths: string[][] = [['media', 'show']];
  static override values: Readonly<Record<string, FlagValues>> = { '': 'folder' };
  static override usage: Usage = Command.Usage({
    description: 'Show what is on a carried disk, without verifying it',
    details: `
      Shows identity, zone, time, recipes and sizes as the medium claims them. Needs no configuration where the folder
      is named; without it, shows the store of the configuration (storage.root). Reads the first line of media.jsonl only,
      and changes nothing. Nobody has signed that line: svc media verify checks the
      content and the signatures.

      Exit code: 0 success, 1 failure, 4 the folder has no manifest, or one that cannot be read.
    `,
    examples: [
      ['What is on this disk', 'svc media show /media/usb/store'],
      ['Its recipes for a script', "svc media show /media/usb/store --output json | jq '.recipes'"],
    ],
  });

  folder: string | undefined = Option.String({ name: 'directory', required: false });

  async run(): Promise<number> {
    if (this.folder !== undefined && this.storageRoot !== undefined)
      throw new CommandLineError([
        'a folder and --storage-root are given: name one of them',
        fr`un dossier et --storage-root sont donnés : nommez l’un des deux`,
      ]);
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
