import { svcError } from '../base/error.ts';
import { escapeText } from '../base/escape.ts';
import type { ClientConfig, ClientFile, ClientKind } from './model.ts';
import { madeBy } from './render-client-config.ts';

/** Files of a configuration, and characters of all of them. */
export const configLimits = { files: 4096, characters: 33_554_432 } as const;

/** Names of files and folders as `renderClientConfig` makes them: hosts with ports among them. */
const safeName = /^[A-Za-z0-9_[][A-Za-z0-9._+:~[\]-]{0,254}$/;

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a terminal shows a text, line breaks and tabs aside, as it is: without controls and marks of direction. */
const isPlain = (text: string): boolean => {
  const line = text.replace(/[\n\t]/g, '');
  return escapeText(line) === line;
};

/**
 * Requires that an answer is a configuration of a client as an instance makes it: it goes to a terminal, or into files
 * that another program reads. The instance may be anybody.
 *
 * @param from names the instance in errors
 * @throws SVC-VAL-001, SVC-VAL-002 for more than `configLimits`
 */
export function requireClientConfig(answer: unknown, client: ClientKind, from: string): ClientConfig {
  const refuse = (path: string, rule: string) => svcError('SVC-VAL-001', { file: from, path, rule });
  if (!isObject(answer)) throw refuse('', 'must be an object');
  const { directory, zone, revision, files } = answer;
  if (answer.client !== client) throw refuse('client', `must be ${client}`);
  for (const [name, value] of Object.entries({ directory, revision, zone: zone ?? '' }))
    if (typeof value !== 'string' || value.length > 256 || /\s/.test(value) || !isPlain(value))
      throw refuse(name, 'must be one line of printable characters');
  if (!Array.isArray(files)) throw refuse('files', 'must be a list');
  if (files.length > configLimits.files)
    throw svcError('SVC-VAL-002', { limit: `${configLimits.files} files`, file: from });
  let characters = 0;
  const seen = new Set<string>();
  const read = files.map((file: unknown, i): ClientFile => {
    const at = `files[${i}]`;
    if (!isObject(file)) throw refuse(at, 'must be an object');
    const { path, content, mode } = file;
    if (
      typeof path !== 'string' ||
      path.length > 1024 ||
      !path.split('/').every((name) => safeName.test(name))
    )
      throw refuse(`${at}.path`, 'must be a path of plain names below the folder');
    if (seen.has(path)) throw refuse(`${at}.path`, 'is given twice');
    seen.add(path);
    if (typeof content !== 'string' || !content.startsWith(madeBy))
      throw refuse(`${at}.content`, 'must begin with the heading of a generated file');
    characters += content.length;
    if (characters > configLimits.characters)
      throw svcError('SVC-VAL-002', { limit: configLimits.characters, file: from });
    if (!isPlain(content)) throw refuse(`${at}.content`, 'must have printable characters only');
    if (mode !== undefined && mode !== '0600') throw refuse(`${at}.mode`, 'must be 0600');
    return { path, content, ...(mode === undefined ? {} : { mode }) };
  });
  for (const path of seen)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
      if (seen.has(path.slice(0, at))) throw refuse('files', 'must not name a file as a folder too');
  return {
    client,
    directory: directory as string,
    ...(zone === undefined ? {} : { zone: zone as string }),
    revision: revision as string,
    files: read,
  };
}
