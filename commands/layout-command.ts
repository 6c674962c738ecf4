import { Option } from 'clipanion';
import { BaseCommand, type FlagValues } from './cli/base-command.ts';
import { CommandLineError } from './cli/command-line-error.ts';

/** What export and import of layouts have in common. */
export abstract class LayoutCommand extends BaseCommand {
  static override values: Readonly<Record<string, FlagValues>> = {
    '--format': ['oci-layout'],
    '': 'file',
  };

  layout: string = Option.String({ required: true, name: 'path' });
  layoutFormat: string | undefined = Option.String('--format', {
    description: 'format of the layout (oci-layout)',
  });

  /** @throws CommandLineError for a format that does not exist */
  protected requireFormat(): void {
    if (this.layoutFormat !== undefined && this.layoutFormat !== 'oci-layout')
      throw new CommandLineError(`unknown format '${this.layoutFormat}'; must be oci-layout`);
  }
}
