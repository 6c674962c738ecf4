import process from 'node:process';
import { fr } from '../../../src/text/language.ts';
import { rule } from '../../../src/text/rule.ts';
import type { CommandContext } from '../command-context.ts';

/**
 * Reports a command that has not ended when the event loop runs empty. Its awaited event cannot happen any more, and the
 * process would end without a word. The exit code is that of a failure, which the program sets at its start.
 *
 * @returns a function that ends the watch, once the command has ended
 */
export function watchUnfinished(
  args: readonly string[],
  context: Pick<CommandContext, 'env' | 'stdout' | 'stderr'>,
): () => void {
  const tell = async (): Promise<void> => {
    const { svcError } = await import('../../../src/text/error.ts');
    const { selectsJson, writeError } = await import('../error-door.ts');
    const error = svcError(
      'SVC-SRV-001',
      {},
      {
        detail: rule([
          'nothing is left that could end this command',
          fr`il ne reste rien qui puisse terminer cette commande`,
        ]),
      },
    );
    if (selectsJson(args)) await (await import('../error-document.ts')).printError(error, context);
    process.exitCode = await writeError(error, context);
  };
  const onEmpty = (): void => void tell();
  process.once('beforeExit', onEmpty);
  return () => process.off('beforeExit', onEmpty);
}
