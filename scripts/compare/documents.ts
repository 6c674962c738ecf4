import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceKnown } from './placeholders.ts';
import { runLine } from './run-line.ts';
import type { Side } from './side.ts';
import type { Subject, Subjects } from './subject.ts';

const folders = ['man', 'completions'];
const pages = ['commands.md', 'configuration.md', 'errors.md', 'metrics.md'].map((name) => `docs/${name}`);

/** Schemas that the program prints, with the writer of the documents that they describe. */
const schemas = [
  { args: ['config', 'schema'], form: 'request-schema' },
  { args: ['version', '--schema'], form: 'answer-schema' },
] as const;

/** Reads the generated documents in the sources of a side, and those that its program prints. */
export async function readDocuments(side: Side): Promise<Subjects> {
  const { sources, placeholders, folder } = side;
  const listed = folders.flatMap((folder) => {
    const path = join(sources, folder);
    return existsSync(path) ? readdirSync(path).map((name) => `${folder}/${name}`) : [];
  });
  const documents = new Map<string, Subject>();
  for (const path of [...listed.sort(), ...pages]) {
    const file = join(sources, path);
    if (!existsSync(file)) continue;
    const body = replaceKnown(readFileSync(file, 'utf8'), placeholders);
    documents.set(path, { head: '', body, form: 'text' });
  }
  for (const { args, form } of schemas) {
    const { status, stdout } = await runLine(side, { args, language: 'en', cwd: folder });
    const body = replaceKnown(stdout, placeholders);
    documents.set(`svc ${args.join(' ')}`, { head: `exit ${status}\n`, body, form });
  }
  return documents;
}
