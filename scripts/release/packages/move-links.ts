import { dirname, join, relative } from 'node:path';

/**
 * Moves the links of a document with the files that they lead to.
 *
 * @param from path of the document below the root of the sources
 * @param places installed paths of files by their paths in the sources, that of the document among them
 * @throws Error for a link to a file that is not installed
 */
export function moveLinks(text: string, from: string, places: ReadonlyMap<string, string>): string {
  const folder = dirname(places.get(from)!);
  return text.replace(/\]\(([^)\s#]+)(#[^)\s]*)?\)/g, (whole, target: string, anchor: string = '') => {
    if (/^[a-z]+:/.test(target)) return whole;
    const place = places.get(join(dirname(from), target));
    if (place === undefined) throw new Error(`${from} has a link to ${target}, which no package installs`);
    return `](${relative(folder, place)}${anchor})`;
  });
}

/**
 * Removes the lines of a table of files that are not beside the document.
 *
 * @param isBeside whether a file, named in the first column, is there
 */
export function keepRows(text: string, isBeside: (name: string) => boolean): string {
  const isKept = (line: string): boolean => {
    const [, name] = /^\| `([^`]+)` \|/.exec(line) ?? [];
    return name === undefined || isBeside(name);
  };
  return text.split('\n').filter(isKept).join('\n');
}
