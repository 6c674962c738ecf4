import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from '../../disk/is-absent.ts';
import { toNamedFileError } from '../../disk/named-file-error.ts';
import { listStrangers } from '../../store/opening/require-unused.ts';
import { readMediumHeader } from '../../store/rest/media-manifest.ts';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';

/** What a medium becomes. */
export interface PartIdentity {
  readonly delivery: string;
  /** From 1. */
  readonly part: number;
  readonly parts: number;
}

/** Names the delivery of an unfinished part, relative to its root. */
export const identityPath = '_svc/delivery.json';

export function formatIdentity({ delivery, part, parts }: PartIdentity): string {
  return `${JSON.stringify({ delivery, part, parts })}\n`;
}

const isSame = (a: Partial<PartIdentity>, b: PartIdentity): boolean =>
  a.delivery === b.delivery && a.part === b.part && a.parts === b.parts;

/**
 * Looks at the folder of a part: it must be absent, empty, or the same part, unfinished or complete.
 *
 * @throws SVC-MED-045 for any other folder, SVC-MED-002 when it is a medium that cannot be read, SVC-FIL-005
 */
export async function inspectTarget(
  path: string,
  identity: PartIdentity,
): Promise<'new' | 'unfinished' | 'complete'> {
  const { delivery, part } = identity;
  const refuse = (detail: Rule): SvcError => svcError('SVC-MED-045', { path, delivery, part, detail });
  try {
    if (!(await stat(path)).isDirectory())
      throw refuse(rule(['it is not a folder', fr`ce n’est pas un dossier`]));
    const names = new Set(await readdir(path));
    // records and the passport would be written through it, outside the disk
    if (names.has('_svc') && !(await lstat(join(path, '_svc'))).isDirectory())
      throw refuse(rule(['its _svc is not a folder', fr`son _svc n’est pas un dossier`]));
    if (names.has('media.jsonl')) {
      const { delivery: found } = await readMediumHeader(path);
      if (found !== undefined && isSame({ ...found, delivery: found.id }, identity)) return 'complete';
      throw refuse(
        found === undefined
          ? rule(['it is another medium', fr`c’est un autre support`])
          : rule(
              [
                'it is part {part} of {parts} of delivery {id}',
                fr`c’est la partie {part} sur {parts} de la livraison {id}`,
              ],
              { id: found.id, part: found.part, parts: found.parts },
            ),
      );
    }
    const begun = await readIdentity(path);
    if (begun !== undefined) {
      if (isSame(begun, identity)) return 'unfinished';
      throw refuse(
        rule(
          [
            'it is an unfinished part of delivery {begun}',
            fr`c’est une partie inachevée de la livraison {begun}`,
          ],
          { begun: String(begun.delivery) },
        ),
      );
    }
    const own = ['blobs', 'ledger', 'segments'].filter((name) => names.has(name));
    const [stranger] = [...own, ...(await listStrangers(path))];
    if (stranger !== undefined)
      throw refuse(
        rule(['it is not empty: it has {stranger}', fr`il n’est pas vide : il contient {stranger}`], {
          stranger,
        }),
      );
    return 'new';
  } catch (error) {
    if (isAbsent(error)) return 'new';
    throw isSvcError(error) ? error : toNamedFileError(error, path);
  }
}

/** @returns undefined when there is none; an empty identity when it is unreadable */
async function readIdentity(path: string): Promise<Partial<PartIdentity> | undefined> {
  let text: string;
  try {
    text = await readFile(join(path, identityPath), 'utf8');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
