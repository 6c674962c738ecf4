import { svcError } from '../../base/error.ts';
import { Collector } from './collector.ts';
import { readImageName } from './image-name.ts';
import type { SourceContents, SourceDocument } from './model.ts';

/** The line without its comment and its ends. */
function toEntry(line: string): string {
  const comment = /(?:^|[ \t])#/.exec(line);
  return (comment ? line.slice(0, comment.index) : line).trim();
}

/** Returns whether a text looks like a list of images: each line is one word, and no word is the key of a YAML map. */
export function isImageList(text: string): boolean {
  let entries = 0;
  for (const line of text.split('\n')) {
    const entry = toEntry(line);
    if (entry === '') continue;
    if (/\s/.test(entry) || entry.endsWith(':') || /^(?:---|\.\.\.|[[{}\]<])/.test(entry)) return false;
    entries += 1;
  }
  return entries > 0;
}

/**
 * Reads a list of images, one on each line, with comments after `#`.
 *
 * @throws SVC-VAL-001 with the line of a name that is no image
 */
export function readImageList({ text, file }: SourceDocument): SourceContents {
  const found = new Collector(file);
  for (const [i, line] of text.split('\n').entries()) {
    const entry = toEntry(line);
    if (entry === '') continue;
    const name = readImageName(entry);
    if ('rule' in name) throw svcError('SVC-VAL-001', { file: `${file}:${i + 1}`, rule: name.rule });
    found.image(entry, `:${i + 1}`);
  }
  return found.contents;
}
