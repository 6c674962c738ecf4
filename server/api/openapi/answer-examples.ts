import { authoringExamples } from './examples/authoring.ts';
import { contentExamples } from './examples/content.ts';
import { instanceExamples } from './examples/instance.ts';
import { layoutExamples } from './examples/layout.ts';
import { mediaExamples } from './examples/media.ts';
import { planExamples } from './examples/plan.ts';
import { taskExamples } from './examples/task.ts';

/** An example of the answer of each operation that has one in JSON, by identifier of the operation. */
export const answerExamples: Readonly<Record<string, unknown>> = {
  ...instanceExamples,
  ...contentExamples,
  ...authoringExamples,
  ...taskExamples,
  ...planExamples,
  ...mediaExamples,
  ...layoutExamples,
};
