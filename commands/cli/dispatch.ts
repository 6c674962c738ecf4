import type { CommandContext } from './command-context.ts';

/**
 * Finds the command that the first arguments name, loads only that command, and runs it.
 *
 * @returns the exit code
 */
export async function dispatch(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    const first = args[0];
    const isHelp = first === '--help' || first === '-h' || first === 'help';
    const named = args.slice(1).filter((each) => each !== '--help' && each !== '-h');
    if (isHelp && named.length > 0) return await dispatch([...named, '--help'], context);
    if (isHelp) {
      const { getOverviewWords, renderOverview } = await import('../render/overview.ts');
      const { commandIndex } = await import('../command-index.ts');
      const { selectLanguage } = await import('../../src/base/language.ts');
      const words = await getOverviewWords(selectLanguage(context.env));
      context.stdout.write(renderOverview(commandIndex, words));
      return 0;
    }
    if (first === '--version' || first === '-v')
      return await dispatch(['version', ...args.slice(1)], context);
    if (first === 'version' && args.length === 1) {
      // scripts call this most often, so it starts without the parser
      const { getVersionDocument, renderVersion } = await import('../version-document.ts');
      context.stdout.write(renderVersion(getVersionDocument()));
      return 0;
    }
    if (first === '__complete') {
      // called by the completion scripts: errors must not appear on the command line of the user
      const { complete } = await import('./complete.ts');
      return await complete(args.slice(1), context);
    }
    const { selectCommand } = await import('./select-command.ts');
    const { selectLanguage } = await import('../../src/base/language.ts');
    const found = await selectCommand(args, selectLanguage(context.env));
    if (typeof found === 'string') {
      context.stdout.write(found);
      return 0;
    }
    const thread = await found.startThread?.();
    const { runCommand } = await import('./run-command.ts');
    return await runCommand(found, args, { ...context, ...(thread && { thread }) });
  } catch (error) {
    const { selectsJson, writeError } = await import('./error-door.ts');
    if (selectsJson(args)) await (await import('./error-document.ts')).printError(error, context);
    return writeError(error, { stderr: context.stderr, env: context.env });
  }
}
