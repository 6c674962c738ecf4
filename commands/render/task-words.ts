import type { Language } from '../../src/base/language.ts';
import { tasks as taskWords } from '../../src/base/words/tasks.ts';
import { words } from '../../src/base/words/words.ts';
import type { ItemStatus, TaskType } from '../../src/task/model.ts';

const typeWords = {
  sync: taskWords.sync,
  import: taskWords.import,
  'media-import': taskWords.mediaImport,
  'layout-export': taskWords.layoutExport,
  'layout-import': taskWords.layoutImport,
} as const satisfies Record<TaskType, unknown>;

/** The word for a type of task; the type of a newer instance is shown as it is. */
export function toTypeWord(type: TaskType, language: Language): string {
  return Object.hasOwn(typeWords, type) ? words[language].say(typeWords[type]) : type;
}

/** The word for the state of a task or an item. */
export function toStatusWord(status: ItemStatus, language: Language): string {
  return Object.hasOwn(taskWords, status) ? words[language].say(taskWords[status]) : status;
}
