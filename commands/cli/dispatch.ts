import type { CommandContext } from './command-context.ts';
import { renderLight } from './render-light.ts';

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
    const page = await renderLight(args, context.env);
    if (page !== undefined) {
      context.stdout.write(page);
      return 0;
    }
    if (first === '--version' || first === '-v')
      return await dispatch(['version', ...args.slice(1)], context);
    if (first === '__complete') {
      // called by the completion scripts: errors must not appear on the command line of the user
      const { complete } = await import('./complete.ts');
      return await complete(args.slice(1), context);
    }
    const { selectCommand } = await import('./select-command.ts');
    const { selectLanguage } = await import('../../src/text/language.ts');
    const found = await selectCommand(args, selectLanguage(context.env));
    if (typeof found === 'string') {
      context.stdout.write(found);
      return 0;
    }
    const thread = await found.startThread?.();
    const { runCommand } = await import('./run-command.ts');
    return await runCommand(found, args, thread ? { ...context, thread } : context);
  } catch (error) {
    const { selectsJson, writeError } = await import('./error-door.ts');
    if (selectsJson(args)) await (await import('./error-document.ts')).printError(error, context);
    return writeError(error, { stderr: context.stderr, env: context.env });
  }
}
