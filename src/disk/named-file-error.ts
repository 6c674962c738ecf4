import { type SvcError, svcError } from '../text/error.ts';
import { fr, type Sentence } from '../text/language.ts';
import { type Rule, RuleError, rule } from '../text/rule.ts';
import { isAbsent } from './is-absent.ts';
import { toReadError } from './read-error.ts';
import { isSpecialFile, notRegular } from './special-file.ts';
import { toSystemCode } from './system-code.ts';

/** A path that the user named is a pipe, a device or a socket. */
export class NotRegularError extends RuleError {
  constructor() {
    super(notRegular);
  }
}

/** A file that the user named exceeds the limit of bytes. */
export class TooLargeError extends RuleError {
  readonly limit: number;

  constructor(limit: number) {
    super(rule(['larger than {limit} bytes', fr`plus de {limit} octets`], { limit }));
    this.limit = limit;
  }
}

/** Why a named file cannot be read. */
type Refusal = 'absent' | 'long' | 'folder' | 'denied' | 'special';

function toRefusal(error: unknown): Refusal | undefined {
  if (isAbsent(error)) return 'absent';
  if (error instanceof NotRegularError || isSpecialFile(error)) return 'special';
  switch (toSystemCode(error)) {
    case 'EISDIR':
      return 'folder';
    case 'ENAMETOOLONG':
      return 'long';
    case 'EACCES':
    case 'EPERM':
      return 'denied';
    default:
      return undefined;
  }
}

/**
 * Converts a failed read of a file that the user named to a coded error. SVC-FIL-005: the path does not exist, is a
 * folder, is not a regular file or is not readable by this user. SVC-VAL-002: it is too large. Others are as of {@link
 * toReadError}. Coded errors are returned unchanged.
 */
export function toNamedFileError(error: unknown, path: string): SvcError {
  if (error instanceof TooLargeError) return svcError('SVC-VAL-002', { limit: error.limit, file: path });
  const refusal = toRefusal(error);
  return refusal === undefined
    ? toReadError(error, path)
    : svcError('SVC-FIL-005', { path, [refusal]: path }, { cause: error, detail: '' });
}

type Forms = readonly [predicate: Sentence, sentence: Sentence];

const refusals: Readonly<Record<Refusal, Forms>> = {
  absent: [
    ['does not exist', fr`n’existe pas`],
    ['it does not exist', fr`il n’existe pas`],
  ],
  long: [
    ['has a longer path than this system reads', fr`a un chemin plus long que ce que ce système lit`],
    ['its path is longer than this system reads', fr`son chemin est plus long que ce que ce système lit`],
  ],
  special: [
    ['is not a regular file', fr`n’est pas un fichier ordinaire`],
    ['it is not a regular file', fr`ce n’est pas un fichier ordinaire`],
  ],
  folder: [
    ['is a folder, not a file', fr`est un dossier, pas un fichier`],
    ['it is a folder, not a file', fr`c’est un dossier, pas un fichier`],
  ],
  denied: [
    ['is not readable for this user', fr`n’est pas lisible par cet utilisateur`],
    ['it is not readable for this user', fr`il n’est pas lisible par cet utilisateur`],
  ],
};
const tooLarge: Forms = [
  ['is larger than {limit} bytes', fr`fait plus de {limit} octets`],
  ['it is larger than {limit} bytes', fr`il fait plus de {limit} octets`],
];
const failed: Forms = [
  ['cannot be read: {code}', fr`est illisible : {code}`],
  ['it cannot be read: {code}', fr`il est illisible : {code}`],
];

function explain(error: unknown, form: 0 | 1): Rule {
  const refusal = toRefusal(error);
  if (refusal !== undefined) return rule(refusals[refusal][form]);
  if (error instanceof TooLargeError) return rule(tooLarge[form], { limit: error.limit });
  return rule(failed[form], {
    code: toSystemCode(error) ?? rule(['unknown reason', fr`raison inconnue`]),
  });
}

/** Says in words why a file that the user named cannot be read, as the predicate of a sentence: `does not exist`. */
export const toUnreadableRule = (error: unknown): Rule => explain(error, 0);

/** The same with a subject: `it does not exist`. */
export const toUnreadable = (error: unknown): Rule => explain(error, 1);

/** The same for a folder: a file in its place is not a missing path. */
export function toUnreadableFolder(error: unknown): Rule {
  return toSystemCode(error) === 'ENOTDIR'
    ? rule(['it is not a folder', fr`ce n’est pas un dossier`])
    : toUnreadable(error);
}

/** Converts a failed read of a key file that a setting names. @returns SVC-CFG-001 */
export const toKeyFileError = (error: unknown, setting: string, keyFile: string): SvcError =>
  svcError(
    'SVC-CFG-001',
    {
      setting,
      detail: rule(['names {keyFile}, which {rule}', fr`nomme {keyFile}, qui {rule}`], {
        keyFile,
        rule: toUnreadableRule(error),
      }),
    },
    { cause: error },
  );
