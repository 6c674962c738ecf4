import { fr } from '../../src/text/language.ts';
import { CommandLineError } from '../cli/command-line-error.ts';

export const isTaskId = (text: string): boolean => /^tsk_[0-9a-f]{12}$/.test(text);

/** Checks an identifier of a task, before an instance is asked. @throws CommandLineError */
export function requireTaskId(text: string): string {
  if (isTaskId(text)) return text;
  const shown = text.slice(0, 64);
  throw new CommandLineError([
    `'${shown}' is no identifier of a task, such as tsk_0123456789ab; svc task list shows them`,
    fr`« ${shown} » n’est pas un identifiant de tâche tel que tsk_0123456789ab ; svc task list les affiche`,
  ]);
}
