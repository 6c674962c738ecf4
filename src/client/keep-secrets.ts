import { secretPlaceholder } from './model.ts';
import { withSections } from './sections.ts';

/**
 * Copies the secrets of an existing file into a newly made one: for each line of the same section with the same text
 * before the secret.
 *
 * @param present present text of the file; undefined: there is none
 */
export function keepSecrets(made: string, present: string | undefined): string {
  if (present === undefined || !made.includes(secretPlaceholder)) return made;
  const known = new Map<string, string>();
  for (const { section, line } of withSections(present)) {
    const before = /^(.*?\bpassword(?: |=|: ))\S/.exec(line)?.[1];
    if (before !== undefined) known.set(`${section}\n${before}`, line.slice(before.length));
  }
  return withSections(made)
    .map(({ section, line }) => {
      if (!line.endsWith(secretPlaceholder)) return line;
      const before = line.slice(0, -secretPlaceholder.length);
      return before + (known.get(`${section}\n${before}`) ?? secretPlaceholder);
    })
    .join('\n');
}
