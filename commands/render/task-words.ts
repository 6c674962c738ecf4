import type { ItemStatus, TaskStatus, TaskType } from '../../src/contract/common.ts';
import type { Task } from '../../src/contract/task.ts';
import type { Language } from '../../src/text/language.ts';
import { tasks as taskWords } from '../../src/text/words/tasks.ts';
import { type Sentence, words } from '../../src/text/words/words.ts';
import { partlyOf } from '../../src/view/task-state.ts';

const typeWords = {
  sync: taskWords.sync,
  import: taskWords.import,
  'media-import': taskWords.mediaImport,
  'media-write': taskWords.mediaWrite,
  'layout-export': taskWords.layoutExport,
  'layout-import': taskWords.layoutImport,
  'fileset-pack': taskWords.filesetPack,
} as const satisfies Record<TaskType, unknown>;

/** The word for a type of task; the type of a newer instance is shown as it is. */
export function toTypeWord(type: TaskType, language: Language): string {
  return Object.hasOwn(typeWords, type) ? words[language].say(typeWords[type]) : type;
}

const itemWords: Readonly<Partial<Record<ItemStatus, Sentence>>> = {
  done: taskWords.itemDone,
  failed: taskWords.itemFailed,
};

/**
 * The word for the state of a task; that of a newer instance is shown as it is.
 *
 * @param counts of its items, where they are known: a part of them may be done
 */
export function toStatusWord(status: TaskStatus, language: Language, counts?: Task['counts']): string {
  const partly = counts && partlyOf({ status, counts });
  return partly === undefined ? toWord(status, language) : words[language].say(partly);
}

/** The word for the state of an item, which is masculine in French. */
export function toItemWord(status: ItemStatus, language: Language): string {
  const own = itemWords[status];
  return own === undefined ? toWord(status, language) : words[language].say(own);
}

function toWord(status: ItemStatus | TaskStatus, language: Language): string {
  return Object.hasOwn(taskWords, status) ? words[language].say(taskWords[status]) : status;
}
