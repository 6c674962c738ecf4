import { roles } from '../../src/account/model.ts';
import { fr } from '../../src/text/language.ts';
import { CommandLineError } from '../cli/command-line-error.ts';

/** Refuses a word that is no role. @throws CommandLineError which names the roles */
export function checkRole(word: string): void {
  if (roles.some((role) => role === word)) return;
  const known = roles.join(', ');
  throw new CommandLineError([
    `unknown role '${word}'; must be one of ${known}`,
    fr`rôle « ${word} » inconnu ; doit être l’un de : ${known}`,
  ]);
}
