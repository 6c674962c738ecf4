import { fr } from '../../src/text/language.ts';
import { parseRegistry } from '../../src/view/recipes.ts';
import { parseArgument } from '../cli/parse-argument.ts';

/** Checks the value of `--registry` before anything is asked or opened. @throws CommandLineError */
export async function checkRegistryFlag(registry: string | undefined): Promise<void> {
  if (registry === undefined) return;
  await parseArgument(
    ['[http://|https://]<host>[:<port>]', fr`[http://|https://]<hôte>[:<port>]`],
    registry,
    (text) => parseRegistry(text, 'https'),
  );
}
