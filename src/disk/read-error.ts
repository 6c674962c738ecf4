import { isSvcError, type SvcError, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, RuleError, rule } from '../text/rule.ts';
import { isShortage, isTransientCode } from '../text/transient-code.ts';
import { toShownPath } from './place/shown-path.ts';
import { isSpecialFile, notRegular } from './special-file.ts';
import { getUserName, isDenied, toSystemCode } from './system-code.ts';

/** A file of the state has a format that this version does not know yet. `toReadError` makes it a coded error. */
class LaterFormatError extends RuleError {
  override name = 'LaterFormatError';

  /** @param supported the latest format that this version reads */
  constructor(found: number, supported: number) {
    super(
      rule(
        [
          'it has format {found}, and this version of svc reads {supported}',
          fr`il a le format {found}, et cette version de svc lit le format {supported}`,
        ],
        { found, supported },
      ),
    );
  }
}

/** @throws LaterFormatError for a number above the format that this version reads */
export function requireKnownFormat(found: unknown, supported: number): void {
  if (typeof found === 'number' && found > supported) throw new LaterFormatError(found, supported);
}

/**
 * Converts a failed read to a coded error: SVC-STO-014 when the same read can succeed later, otherwise SVC-STO-001. Coded
 * errors are returned unchanged.
 */
export function toReadError(error: unknown, at: string, detail?: Rule | string): SvcError {
  if (isSvcError(error)) return error;
  const path = toShownPath(at);
  if (error instanceof LaterFormatError)
    return svcError('SVC-STO-001', { path, detail: error.rule, problem: 'later' }, { cause: error });
  // without the cause, which other code would read as an unavailable device
  if (isSpecialFile(error)) return svcError('SVC-STO-001', { path, detail: notRegular });
  if (isTransientCode(toSystemCode(error)))
    return svcError('SVC-STO-014', { path, detail }, { cause: error });
  // another user, not a failing disk
  const whom = isDenied(error) ? { problem: 'denied', user: getUserName(), root: path } : {};
  return svcError('SVC-STO-001', { path, detail, ...whom }, { cause: error });
}

/** Returns whether a read failed for a transient reason, which says nothing about the content of the file. */
export function isTransient(error: unknown): boolean {
  if (isSvcError(error)) return error.code === 'SVC-STO-014' || error.code === 'SVC-STO-019';
  return isTransientCode(toSystemCode(error)) && !isSpecialFile(error);
}

/** Returns whether the operating system refused this user a read. */
function isRefusedRead(error: unknown): boolean {
  return isDenied(isSvcError(error) ? error.cause : error);
}

/**
 * Returns whether a failed read says nothing about the content of the file: it is transient, or this user has no
 * permission. No verdict on the file may follow from it.
 */
export function isInconclusive(error: unknown): boolean {
  return isTransient(error) || isRefusedRead(error);
}

/**
 * Handles a failed read that means "there is no file": `read.catch(toNothing)`.
 *
 * @throws the error itself when it is inconclusive
 */
export function toNothing(error: unknown): undefined {
  if (isInconclusive(error)) throw error;
  return undefined;
}

/** Returns whether a read failed because descriptors, memory or another resource ran out. */
export function isOutOfResources(error: unknown): boolean {
  return isShortage(toSystemCode(isSvcError(error) ? error.cause : error));
}

/** Returns whether the cause of a failed read is this process or its user, and not the disk. */
export function isOwnFault(error: unknown): boolean {
  return isOutOfResources(error) || isRefusedRead(error);
}

/**
 * Throws when a thread could not read a file because of this process or its user, and not because of the disk.
 *
 * @param reason report of the thread: the system code, or a rule that the file breaks
 * @throws SVC-STO-014 when descriptors, memory or another resource ran out; SVC-STO-001 without permission
 */
export function requireAble(reason: string | Rule, path: string): void {
  const code = String(reason);
  const error = Object.assign(new Error(code), { code });
  if (isOwnFault(error)) throw toReadError(error, path, code);
}
