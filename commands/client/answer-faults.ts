import type { PageOf, PageQuery } from '../../src/base/page.ts';
import type { Repository, Tag } from '../../src/contract/content.ts';
import type { Task } from '../../src/contract/task.ts';
import { isTag } from '../../src/oci/reference.ts';
import { fr } from '../../src/text/language.ts';
import { type Rule, rule } from '../../src/text/rule.ts';
import { isTaskId } from '../task/task-id.ts';

/*
 * Faults of answers that their schema does not have. An instance is untrusted, and people and scripts run commands and write
 * files that are made of its values.
 */

/** Things that an answer is about. */
const things = {
  digest: rule(['another digest', fr`une autre empreinte`]),
  recipe: rule(['another recipe', fr`une autre recette`]),
  repository: rule(['another repository', fr`un autre dépôt`]),
  tag: rule(['another tag', fr`une autre étiquette`]),
  task: rule(['another task', fr`une autre tâche`]),
} as const;

/** The fault of an answer about another thing than the requested one. */
export function findOther(thing: keyof typeof things, asked: string, answered: string): Rule | undefined {
  if (asked === answered) return undefined;
  return rule(['it answered with {other} than {asked}', fr`elle a répondu par {other} que {asked}`], {
    other: things[thing],
    asked,
  });
}

/** The fault of a member with a value that no instance gives it. */
export const toOddValue = (path: string, value: string): Rule =>
  rule(['{path} must not be {value}', fr`{path} ne doit pas être {value}`], {
    path,
    value: value.slice(0, 128),
  });

/**
 * The fault of a task: another one, a state that is no word, or one that is done although something failed. A newer instance
 * may have more states.
 */
export function findTaskFault(
  { id, type, status, error, counts, items }: Task,
  asked: { readonly id?: string; readonly type?: Task['type'] },
): Rule | undefined {
  const other = findOther('task', asked.id ?? id, id);
  if (other !== undefined) return other;
  if (!isTaskId(id)) return toOddValue('/task/id', id);
  if (type !== (asked.type ?? type)) return toOddValue('/task/type', type);
  if (!/^[a-z]+(?:[-_][a-z]+)*$/.test(status)) return toOddValue('/task/status', status);
  const hasFailed =
    error !== undefined ||
    counts.failed > 0 ||
    items.some((item) => item.status === 'failed' || item.error !== undefined);
  if (status !== 'done' || !hasFailed) return undefined;
  return rule([
    '/task/status must not be done where something failed',
    fr`/task/status ne doit pas être done quand quelque chose a échoué`,
  ]);
}

/** The fault of a page of a list: it must be the requested one, with the number of entries that its totals demand. */
export function findPageFault<T extends PageOf>(
  answer: T,
  member: keyof T & string,
  { page = 1, pageSize = 25 }: PageQuery,
): Rule | undefined {
  const entries = answer[member] as readonly unknown[];
  const { total } = answer;
  const left = Math.min(pageSize, Math.max(0, total - (page - 1) * pageSize));
  const isSound =
    answer.page === page && answer.totalPages === Math.ceil(total / pageSize) && entries.length === left;
  if (isSound) return undefined;
  return rule(
    [
      '/{member}: {found} entries do not fit page {page} of a list of {total}',
      fr`/{member} : {found} entrées ne correspondent pas à la page {page} d’une liste de {total}`,
    ],
    { member, found: entries.length, page, total },
  );
}

/** The fault of a version that is not the requested one. */
export function findVersionFault(
  { repository, tag, digest }: Tag,
  asked: { readonly repository: string; readonly tag: string; readonly digest?: string | undefined },
): Rule | undefined {
  return (
    findOther('repository', asked.repository, repository) ??
    findOther('tag', asked.tag, tag) ??
    findOther('digest', asked.digest ?? digest, digest)
  );
}

/** The fault of a repository: another one, or tags that are none. */
export function findRepositoryFault({ name, tags }: Repository, asked: string): Rule | undefined {
  const other = findOther('repository', asked, name);
  const odd = tags.find(({ tag }) => !isTag(tag))?.tag;
  if (other !== undefined || odd === undefined) return other;
  return rule(['/tags must not contain {tag}', fr`/tags ne doit pas contenir {tag}`], {
    tag: odd.slice(0, 128),
  });
}
