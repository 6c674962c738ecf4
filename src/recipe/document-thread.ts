import { answerDocuments } from './answer-documents.ts';
import { runDocumentJob } from './document-job.ts';

answerDocuments(runDocumentJob);
