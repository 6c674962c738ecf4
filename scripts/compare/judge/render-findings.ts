import type { Group, Subjects } from '../subject.ts';
import type { Finding } from './compare-subjects.ts';

const titles: Readonly<Record<Group, string>> = {
  documents: 'documents',
  help: 'help',
  lines: 'command lines',
  answers: 'answers',
  pages: 'pages',
};

/** Names that are listed of the subjects that differ in the same way. */
const listed = 5;

/** Subjects by their difference: a word that is changed once can be seen in a hundred places. */
function groupAlike(findings: readonly Finding[]): ReadonlyMap<string, readonly string[]> {
  const alike = new Map<string, string[]>();
  for (const { name, difference } of findings) {
    const names = alike.get(difference) ?? [];
    alike.set(difference, names);
    names.push(name);
  }
  return alike;
}

/** Renders the findings of a group, with their number in the first line. */
export function renderFindings(group: Group, older: Subjects, findings: readonly Finding[]): string {
  const of = (kind: Finding['kind']): readonly Finding[] => findings.filter((each) => each.kind === kind);
  const [differing, gone, added] = [of('differs'), of('gone'), of('added')];
  const lines = [
    `${titles[group]}: ${older.size} compared, ${differing.length} differ, ${gone.length} gone, ${added.length} with additions`,
  ];
  for (const { name } of gone) lines.push(`- ${name}`);
  for (const [difference, names] of groupAlike(differing)) {
    const more = names.length - listed;
    lines.push('', ...names.slice(0, listed).map((name) => `! ${name}`));
    if (more > 0) lines.push(`! and ${more} more with the same difference`);
    lines.push(difference);
  }
  const extended = [...differing.filter(({ additions }) => additions.length > 0), ...added];
  if (extended.length > 0) lines.push('');
  for (const { name, additions } of extended)
    lines.push(...(additions.length === 0 ? [`+ ${name}`] : additions.map((place) => `+ ${name}: ${place}`)));
  return `${lines.join('\n')}\n`;
}
