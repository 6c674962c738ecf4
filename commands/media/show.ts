import { Command, Option, type Usage } from 'clipanion';
import { BaseCommand, type FlagValues } from '../cli/base-command.ts';
import { getWidth } from '../render/width.ts';

export class MediaShowCommand extends BaseCommand {
  static override paths: string[][] = [['media', 'show']];
  static override values: Readonly<Record<string, FlagValues>> = { '': 'folder' };
  static override usage: Usage = Command.Usage({
    description: 'Show what is on a carried disk, without verifying it',
    details: `
      Shows identity, zone, time, recipes and sizes as the medium claims them. Needs no configuration, reads the
      first line of media.jsonl only, and changes nothing. Nobody has signed that line: svc media verify checks the
      content and the signatures.

      Exit code: 0 success, 1 failure, 4 the folder has no manifest, or one that cannot be read.
    `,
    examples: [
      ['What is on this disk', 'svc media show /media/usb/store'],
      ['Its recipes for a script', "svc media show /media/usb/store --output json | jq '.recipes'"],
    ],
  });

  folder: string = Option.String({ name: 'directory' });

  async run(): Promise<number> {
    const { showMedium } = await import('../../src/view/medium.ts');
    const view = await showMedium(this.folder);
    if (this.format === 'json') await this.printDocument(view);
    else {
      const { renderMedium } = await import('./render-show.ts');
      this.context.stdout.write(
        renderMedium(view, { language: this.language, width: getWidth(this.context) }),
      );
    }
    return 0;
  }
}
