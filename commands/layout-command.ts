import { Option } from 'clipanion';
import { fr } from '../src/text/language.ts';
import type { FlagValues } from './cli/base-command.ts';
import { CommandLineError } from './cli/command-line-error.ts';
import { TaskCommand } from './task-command.ts';

/** Base class of the commands that export and import layouts. */
export abstract class LayoutCommand extends TaskCommand {
  static override values: Readonly<Record<string, FlagValues>> = {
    '--format': ['oci-layout'],
    '': 'file',
  };

  layout: string = Option.String({ required: true, name: 'path' });
  layoutFormat: string | undefined = Option.String('--format', {
    description: 'format of the layout (oci-layout)',
  });

  /** @throws CommandLineError for an unknown format */
  protected requireFormat(): void {
    if (this.layoutFormat !== undefined && this.layoutFormat !== 'oci-layout')
      throw new CommandLineError([
        `unknown format '${this.layoutFormat}'; must be oci-layout`,
        fr`format « ${this.layoutFormat} » inconnu ; doit être oci-layout`,
      ]);
  }
}
