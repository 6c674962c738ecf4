import { fr } from '../src/text/language.ts';
import { argument, flag } from './cli/inputs.ts';
import { TaskCommand } from './task-command.ts';

/** Base class of the commands that export and import layouts. */
export abstract class LayoutCommand extends TaskCommand {
  layout: string = argument.text(['path', fr`chemin`], 'file');
  layoutFormat: 'oci-layout' | undefined = flag.choice(
    '--format',
    ['oci-layout'],
    ['format of the layout (oci-layout)', fr`format de la disposition (oci-layout)`],
  );
}
