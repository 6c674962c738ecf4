import { fr } from '../../../src/text/language.ts';
import { CommandLineError } from '../../cli/command-line-error.ts';

/**
 * Refuses paths with control characters, which could not be read back from the configuration.
 *
 * @param paths by the flag that gives them
 * @throws CommandLineError
 */
export function refuseControlCharacters(paths: Readonly<Record<string, string>>): void {
  for (const [flag, path] of Object.entries(paths))
    if (/[\u0000-\u001f\u007f-\u009f]/.test(path))
      throw new CommandLineError([
        `${flag}: ${path} contains control characters`,
        fr`${flag} : ${path} contient des caractères de contrôle`,
      ]);
}
