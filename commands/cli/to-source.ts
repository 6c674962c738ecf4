import { isAbsolute, resolve } from 'node:path';

/** Resolves a Retriever's path given on the command line against the working directory; a URL stays as it is. */
export function toSource<T extends string | undefined>(given: T): T | string {
  if (given === undefined || given === '' || isAbsolute(given) || /^[a-z][a-z0-9+.-]*:\/\//i.test(given))
    return given;
  return resolve(given);
}
