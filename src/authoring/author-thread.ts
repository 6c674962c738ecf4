import { answerDocuments } from '../recipe/answer-documents.ts';
import { type DocumentJob, runDocumentJob } from '../recipe/document-job.ts';
import { judgeDocument } from './lint/judge-document.ts';
import type { LintJob } from './lint/lint-document.ts';
import { editRecipe } from './pin/edit-document.ts';
import type { EditJob } from './pin/open-draft.ts';

answerDocuments((job: DocumentJob | EditJob | LintJob, bytes, file) => {
  if (job.do === 'edit') return editRecipe(bytes, job.edits, file);
  return job.do === 'lint' ? judgeDocument(bytes, file, job, job) : runDocumentJob(job, bytes, file);
});
