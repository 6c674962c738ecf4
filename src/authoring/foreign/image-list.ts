import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { withoutUrlSecrets } from '../../text/secrets/url-secrets.ts';
import { Collector } from './collector.ts';
import { readImageName } from './image-name.ts';
import type { SourceContents, SourceDocument } from './model.ts';

/** Characters of a line in an error. */
const shown = 80;

/** The line without its comment and its ends. */
function toEntry(line: string): string {
  const comment = /(?:^|[ \t])#/.exec(line);
  return (comment ? line.slice(0, comment.index) : line).trim();
}

const toEntries = (text: string): readonly string[] =>
  text
    .split('\n')
    .map(toEntry)
    .filter((entry) => entry !== '');

/** Returns whether a text has nothing but spaces and comments after `#`. */
export function isEmptyText(text: string): boolean {
  return toEntries(text).length === 0;
}

/** Returns whether a text looks like a list of images: each line is one word, and no word is the key of a YAML map. */
export function isImageList(text: string): boolean {
  const entries = toEntries(text);
  return (
    entries.length > 0 &&
    entries.every(
      (entry) => !/\s/.test(entry) && !entry.endsWith(':') && !/^(?:---|\.\.\.|[[{}\]<])/.test(entry),
    )
  );
}

/** Returns whether the name of a file says that it is a list of images: `images.txt`, `image-list`. */
export function isImageListName(name: string): boolean {
  const base = name.slice(name.lastIndexOf('/') + 1);
  return /image/i.test(base) && !/\.(?:ya?ml|json)$/i.test(base);
}

/** Returns whether most lines of a text contain the name of an image with a tag, a digest or a path. */
export function namesMostlyImages(text: string): boolean {
  const entries = toEntries(text);
  return entries.filter(namesImage).length * 2 > entries.length;
}

function namesImage(entry: string): boolean {
  return entry
    .slice(0, 4096)
    .split(/[\s,;"']+/)
    .some((word) => /[/:@]/.test(word) && 'reference' in readImageName(word));
}

/**
 * Reads a list of images, one on each line, with comments after `#`.
 *
 * @throws SVC-VAL-001 with the line and the text that is no image
 */
export function readImageList({ text, file }: SourceDocument): SourceContents {
  const found = new Collector(file);
  for (const [i, line] of text.split('\n').entries()) {
    const entry = toEntry(line);
    if (entry === '') continue;
    const name = readImageName(entry);
    if ('rule' in name)
      throw svcError('SVC-VAL-001', {
        file: `${file}:${i + 1}`,
        rule: toLineRule(entry, name.rule),
        problem: 'list',
      });
    found.image(entry, `:${i + 1}`);
  }
  return found.contents;
}

function toLineRule(given: string, broken: Rule): Rule {
  // before it is cut: the end of a password tells that it is one
  const entry = withoutUrlSecrets(given);
  const text = entry.length > shown ? `${entry.slice(0, shown)}…` : entry;
  const why = /\s/.test(entry)
    ? rule([
        'a list has one name on each line, and nothing else',
        fr`une liste a un nom par ligne, et rien d’autre`,
      ])
    : broken;
  return rule(
    ["'{text}' is not the name of an image: {why}", fr`« {text} » n’est pas le nom d’une image : {why}`],
    { text, why },
  );
}
