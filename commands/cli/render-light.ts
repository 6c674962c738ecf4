import type { CommandContext } from './command-context.ts';

/**
 * Renders the pages that are asked for most often, and need no parser: the overview of all commands and the version.
 *
 * @param args of the program
 * @returns undefined for any other command
 */
export async function renderLight(
  args: readonly string[],
  env: CommandContext['env'],
): Promise<string | undefined> {
  const [first, ...others] = args;
  const isHelp = (arg: string | undefined): boolean => arg === '--help' || arg === '-h';
  if ((isHelp(first) || first === 'help') && others.every(isHelp)) {
    const { renderOverview } = await import('../render/overview.ts');
    const { commandIndex } = await import('../command-index.ts');
    const { selectLanguage } = await import('../../src/text/language.ts');
    return renderOverview(commandIndex, selectLanguage(env));
  }
  if (others.length === 0 && (first === 'version' || first === '--version' || first === '-v')) {
    const { getVersionDocument, renderVersion } = await import('../version-document.ts');
    return renderVersion(getVersionDocument());
  }
  return undefined;
}
