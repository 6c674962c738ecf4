import { Worker } from 'node:worker_threads';
import { type Digest, hashBytes } from '../base/digest.ts';
import { formatDuration } from '../base/duration.ts';
import { toStartError } from '../disk/threads/start-error.ts';
import { type ErrorRecord, fromErrorRecord, isSvcError, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { joinResult } from './answer-parts.ts';
import { parseRecipe } from './document.ts';
import { type DocumentJob, type JobResults, runDocumentJob } from './document-job.ts';
import { documentThreadUrl } from './document-thread-url.ts';
import { FairTurns } from './fair-turns.ts';
import { findLine } from './find-line.ts';
import type { Ingredient, Recipe, Retriever } from './model.ts';
import type { WantedValue } from './pick-value.ts';
import { type YamlValue, yamlLimits } from './read-yaml.ts';

/** Limits of a document that is read on the event loop, which takes less than ten milliseconds. */
const inline = { bytes: 4096, indicators: 1024 };
/** Milliseconds after which an unused thread ends and releases its memory. */
const idle = 5000;
/** Mebibytes; a document at every limit needs about half of them. */
const memory = 768;
/** Milliseconds for one document; one at every limit takes about two seconds of a processor, which may be busy. */
const longest = 60_000;

/** The caller that waits for a document. */
export interface DocumentCaller {
  /** Callers take turns at the thread; default: the program itself. */
  readonly actor?: string | undefined;
  /** Ends the wait and the reading of a large document. */
  readonly signal?: AbortSignal | undefined;
}

/** A kind of work on documents. */
export interface DocumentWork<J, R> {
  /** Code of a thread that does this work and the jobs of this module. */
  readonly thread: URL;
  /** Does the work here. @param file name of the document in errors @throws SVC-VAL-001, SVC-VAL-002 */
  run(job: J, bytes: Uint8Array, file: string): R;
}

const ownWork: DocumentWork<DocumentJob, JobResults[keyof JobResults]> = {
  thread: documentThreadUrl,
  run: runDocumentJob,
};

export interface DocumentRequest<J = unknown> {
  readonly id: number;
  readonly job: J;
  readonly bytes: Uint8Array;
  readonly file: string;
}

/** Asks for the next part of the result. */
export interface NextPart {
  readonly id: number;
}

export type DocumentAnswer =
  | { readonly id: number; readonly part: readonly Ingredient[] }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: ErrorRecord };

/** Small recipes that were read last: a disk of a delivery is planned, verified and imported with the same ones. */
const recent = new Map<Digest, Recipe>();
const mostRecent = 64;

/** Reads one document at a time: the nodes of a large document take a hundred times its bytes. */
const turns = new FairTurns();
let thread: Worker | undefined;
/** Its code. */
let threadUrl = documentThreadUrl;
/** Threads that have answered: the others have not started yet. */
const answering = new WeakSet<Worker>();
let ending: NodeJS.Timeout | undefined;
let requests = 0;

/** @throws SVC-STO-014 */
function start(url: URL, file: string): Worker {
  let started: Worker;
  try {
    started = new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: memory } });
  } catch (error) {
    throw toStartError(error, file);
  }
  started.once('exit', () => {
    if (thread === started) thread = undefined;
  });
  thread = started;
  threadUrl = url;
  return started;
}

/** Ends a thread, which is reading; the next document gets another. */
async function end(worker: Worker): Promise<void> {
  if (thread === worker) thread = undefined;
  await worker.terminate();
}

/** Whether a document is small. Its time depends on its indicators (YAML 1.2.2, section 5.3) more than on its bytes. */
export function isSmallDocument(bytes: Uint8Array): boolean {
  if (bytes.length > inline.bytes) return false;
  let indicators = 0;
  for (const byte of bytes) if (isIndicator(byte)) indicators += 1;
  return indicators <= inline.indicators;
}

/** Neither a letter, a digit, a blank nor beyond ASCII. */
function isIndicator(byte: number): boolean {
  const isWord = (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte < 123);
  return !isWord && byte !== 32 && byte < 128;
}

/** @throws the reason of the signal; SVC-VAL-001 when it takes too long, SVC-VAL-002 for want of memory, SVC-STO-014 */
async function ask(
  url: URL,
  request: DocumentRequest,
  signal: AbortSignal | undefined,
  time: number,
): Promise<Exclude<DocumentAnswer, { readonly part: unknown }>> {
  clearTimeout(ending);
  // every thread does the jobs of this module; the memory of one is free before another starts
  if (thread !== undefined && url !== ownWork.thread && url !== threadUrl) await end(thread);
  const worker = thread ?? start(url, request.file);
  worker.ref();
  const parts: (readonly Ingredient[])[] = [];
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      worker.off('message', take).off('error', fail).off('exit', exited);
      worker.unref();
      ending = setTimeout(() => void end(worker), idle).unref();
    };
    /** The thread has ended, and its memory is free, before the next document is read. */
    const giveUp = (reason: unknown) => {
      settle();
      void end(worker).finally(() => reject(reason as Error));
    };
    const abort = () => giveUp(signal!.reason);
    const timer = setTimeout(() => {
      const { file } = request;
      const broken = rule(
        [
          'takes more than {time} to read: make it smaller or simpler',
          fr`prend plus de {time} à lire ; rendez-le plus petit ou plus simple`,
        ],
        { time: formatDuration(time) },
      );
      giveUp(svcError('SVC-VAL-001', { file, path: '', rule: broken }));
    }, time);
    const take = (answer: DocumentAnswer) => {
      answering.add(worker);
      if (answer.id !== request.id) return;
      if ('part' in answer) {
        parts.push(answer.part);
        const next: NextPart = { id: request.id };
        worker.postMessage(next);
        return;
      }
      settle();
      if ('error' in answer) resolve(answer);
      else resolve({ ...answer, result: joinResult({ result: answer.result, parts }) });
    };
    const fail = (error: NodeJS.ErrnoException) => {
      if (thread === worker) thread = undefined;
      settle();
      const { file } = request;
      reject(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? svcError('SVC-VAL-002', { limit: yamlLimits.bytes, file }, { cause: error })
          : answering.has(worker)
            ? error
            : toStartError(error, file),
      );
    };
    const exited = () => fail(new Error('the thread that reads documents has ended'));
    worker.on('message', take).on('error', fail).on('exit', exited);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    else worker.postMessage(request);
  });
}

/**
 * Does work on a document: here when the document is small, otherwise in the thread.
 *
 * @param file name of the document in errors
 * @param time milliseconds for a large document
 * @throws errors of the work; SVC-VAL-001 when it takes too long, SVC-VAL-002, SVC-STO-014; the reason of the signal
 */
export async function runDocumentWork<J, R>(
  work: DocumentWork<J, R>,
  job: J,
  bytes: Uint8Array,
  file: string,
  { actor = '', signal }: DocumentCaller = {},
  time = longest,
): Promise<R> {
  if (isSmallDocument(bytes)) return work.run(job, bytes, file);
  if (bytes.length > yamlLimits.bytes) throw svcError('SVC-VAL-002', { limit: yamlLimits.bytes, file });
  const answer = await turns.run(actor, signal, () => {
    requests += 1;
    return ask(work.thread, { id: requests, job, bytes, file }, signal, time);
  });
  if ('result' in answer) return answer.result as R;
  throw fromErrorRecord(answer.error);
}

const run = <J extends DocumentJob>(
  job: J,
  ...rest: [Uint8Array, string, DocumentCaller, number?]
): Promise<JobResults[J['do']]> => runDocumentWork(ownWork, job, ...rest) as Promise<JobResults[J['do']]>;

/**
 * As `parseRecipe`, but reads a large document in a thread, one at a time, so that the event loop is not blocked.
 *
 * @param time milliseconds for a large document
 * @throws SVC-VAL-001, also when it takes too long, SVC-VAL-002; the reason of the signal of the caller
 */
export async function readRecipeDocument(
  bytes: Uint8Array,
  file: string,
  caller: DocumentCaller = {},
  time = longest,
): Promise<Recipe> {
  if (!isSmallDocument(bytes)) return run({ do: 'recipe' }, bytes, file, caller, time);
  const digest = hashBytes(bytes);
  const recipe = recent.get(digest) ?? parseRecipe(bytes, file);
  recent.delete(digest);
  recent.set(digest, recipe);
  if (recent.size > mostRecent) recent.delete(recent.keys().next().value!);
  return recipe;
}

/** As `parseRetriever`, in the same way. @throws SVC-VAL-001, SVC-VAL-002 */
export function readRetrieverDocument(
  bytes: Uint8Array,
  file: string,
  caller: DocumentCaller = {},
): Promise<Retriever> {
  return run({ do: 'retriever' }, bytes, file, caller);
}

/**
 * As `findLines`, in the same way. A large document is not read again for errors of the whole document, since its
 * reading may have been ended by a time limit.
 */
export async function findDocumentLines(
  bytes: Uint8Array,
  paths: readonly string[],
  caller: DocumentCaller = {},
): Promise<readonly (number | undefined)[]> {
  if (!isSmallDocument(bytes) && paths.every((path) => path === '')) return paths.map(() => undefined);
  return run({ do: 'lines', paths }, bytes, '', caller);
}

/**
 * As `findLine`, in the same way, for a document of a form.
 *
 * @throws the reason of the signal of the caller
 */
export async function findDocumentLine(
  text: string,
  path: string,
  caller: DocumentCaller = {},
): Promise<number | undefined> {
  const bytes = Buffer.from(text);
  if (isSmallDocument(bytes)) return findLine(text, path);
  try {
    return (await findDocumentLines(bytes, [path], caller))[0];
  } catch (error) {
    // the line is only a hint: the fault of the document was already reported
    if (isSvcError(error)) return undefined;
    throw error;
  }
}

/**
 * As `pickValue`, in the same way: for the documents of other programs, such as charts.
 *
 * @throws SVC-VAL-001, SVC-VAL-002; the reason of the signal of the caller
 */
export function readDocumentValue(
  bytes: Uint8Array,
  file: string,
  wanted: WantedValue,
  caller: DocumentCaller = {},
): Promise<YamlValue | undefined> {
  return run({ do: 'value', wanted }, bytes, file, caller);
}
