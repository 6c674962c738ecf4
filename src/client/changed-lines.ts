import { escapeText } from '../text/escape.ts';
import { withSections } from './sections.ts';

/** Lines of one section of a file that a new file does not have, and lines that it adds. */
export interface ChangedSection {
  /** As it is written; '' before the first one. */
  readonly section: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Hides the text after the word `password`. */
const conceal = (line: string): string => line.replace(/(\bpassword\s*[=: ]\s*)\S.*$/i, '$1REDACTED');

/**
 * Compares a file that is there with the one that takes its place, line by line in each section. The heading, which names the
 * revision, is left out. Order does not count. Secrets are concealed.
 */
export function listChangedLines(present: string, made: string): readonly ChangedSection[] {
  const sections = new Map<string, { removed: string[]; added: string[] }>();
  const known = toLines(present);
  const wanted = toLines(made);
  const note = (from: typeof known, other: typeof known, side: 'removed' | 'added'): void => {
    const left = new Map<string, number>();
    const keyOf = ({ section, line }: (typeof known)[number]): string => `${section}\n${line}`;
    for (const each of other) left.set(keyOf(each), (left.get(keyOf(each)) ?? 0) + 1);
    for (const each of from) {
      const count = left.get(keyOf(each)) ?? 0;
      left.set(keyOf(each), count - 1);
      if (count > 0) continue;
      const entry = sections.get(each.section) ?? { removed: [], added: [] };
      sections.set(each.section, entry);
      entry[side].push(escapeText(conceal(each.line)));
    }
  };
  note(known, wanted, 'removed');
  note(wanted, known, 'added');
  return [...sections].map(([section, entry]) => ({ section: escapeText(section), ...entry }));
}

function toLines(text: string): readonly { readonly section: string; readonly line: string }[] {
  return withSections(text)
    .slice(1)
    .filter(({ section, line }) => line.trim() !== '' && line !== section);
}
