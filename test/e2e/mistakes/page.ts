import type { SvcResult } from '../../kit/program/svc.ts';
import type { Mistake, MistakeWorld, Typed } from './mistake.ts';

/** One section of a page below `docs/troubleshooting`. */
export interface PageSection {
  readonly title: string;
  /** Lines below the title, the first one empty. */
  readonly lines: readonly string[];
}

type Printed = Pick<SvcResult, 'stdout' | 'stderr'>;

const parts = { why: /^ *Probable cause: (.+)$/m, todo: /^ *What to do: (.+)$/m };

/** Makes a section of the output of a command: the symptom, the cause, the remedy. */
export function toSection(
  { title, situation }: Mistake,
  world: MistakeWorld,
  typed: Typed,
  printed: Printed,
): PageSection {
  const text = toStable(`${printed.stdout}${printed.stderr}`, world, typed);
  const take = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';
  const seen = text
    .split('\n')
    // log records, and the parts printed below
    .filter((line) => !/^\{"ts":|^svc: warning: no import is recorded/.test(line))
    .filter((line) => !Object.values(parts).some((pattern) => pattern.test(line)))
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  const typedLine = ['svc', ...typed.args].map((word) => toStable(word, world, typed)).join(' ');
  const [why, todo] = [take(parts.why), take(parts.todo)];
  const lines = ['', situation, '', '```text', `$ ${typedLine}`, seen, '```'];
  if (why !== '') lines.push('', `**Why.** ${why}`);
  if (todo !== '') lines.push('', `**What to do.** ${todo}`);
  return { title, lines };
}

/** Returns a section as it stands in a page: of a mistake that this machine cannot make. */
export function keepSection({ title }: Mistake, page: string): PageSection {
  const [, after] = page.split(`\n## ${title}\n`);
  if (after === undefined) throw new Error(`${title}: this section was never written`);
  return {
    title,
    lines: after
      .split(/\n\n## /)[0]!
      .trimEnd()
      .split('\n'),
  };
}

/** Replaces texts that differ from run to run: folders, ports, digests, identifiers, times, processes. */
function toStable(given: string, { rehearsal }: MistakeWorld, { args, shown = [] }: Typed): string {
  const out = args.find((word) => word.endsWith('/shop.tar'));
  const text = shown.reduce((before, [own, name]) => before.replaceAll(own, name), given);
  return text
    .replaceAll(out ?? '\0', '/tmp/shop.tar')
    .replaceAll(rehearsal.path('zone-side', 'config.yaml'), 'zone.yaml')
    .replaceAll(rehearsal.path('publisher', 'config.yaml'), 'publisher.yaml')
    .replaceAll(rehearsal.path('disk'), '/mnt/disk')
    .replaceAll(rehearsal.path('var'), '/var')
    .replaceAll(rehearsal.folder, '/srv')
    .replaceAll(/127\.0\.0\.1:(?!9\b)\d+/g, 'registry.example:5000')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '8e219079-f6a8-40f2-820a-c123f8f51db6')
    .replaceAll(/[0-9a-f]{64}/g, '4f5c…')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '2026-11-22T03:12:45Z')
    .replaceAll(/\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d:\d\d UTC/g, '22 Nov 2026, 03:12:45 UTC')
    .replaceAll(/[0-9a-f]{12}-\d+$/gm, '83418dff5161-1')
    .replaceAll(/\(process \d+\)/g, '(process 812)')
    .replaceAll(/\.[0-9a-f]{12}\.tmp/g, '.7ebd9a15fea2.tmp')
    .replaceAll(/by svc \S+/g, 'by svc 0.1.0');
}

/** A page below `docs/troubleshooting`. */
export interface MistakePage {
  /** The name of its file without `.md`. */
  readonly name: string;
  readonly title: string;
  readonly sections: readonly PageSection[];
}

/** Renders the page of some mistakes. */
export function renderPage({ title, sections }: MistakePage): string {
  const lines = [
    `# ${title}`,
    '',
    'The output of the program after each mistake, its cause and its remedy. [Troubleshooting](../troubleshooting.md)',
    'lists the other mistakes.',
  ];
  for (const section of sections) lines.push('', `## ${section.title}`, ...section.lines);
  return `${lines.join('\n')}\n`;
}

/** Renders `docs/troubleshooting.md`, which lists the mistakes of all pages by their code. */
export function renderIndex(pages: readonly MistakePage[]): string {
  const lines = [
    '# Troubleshooting',
    '',
    'Common mistakes, with the code that the program prints. Each link leads to the output, the cause and the remedy.',
    '`svc explain CODE` prints the meaning of any code, and [errors](errors.md) lists all codes. The output in French has',
    'the same parts. With `--output json`, a program reads them ([exit codes](exit-codes.md)).',
  ];
  for (const { name, title, sections } of pages) {
    lines.push('', `## ${title}`, '', '| mistake | code |', '|---|---|');
    for (const section of sections) {
      const [code] = /\bSVC-[A-Z]+-\d{3}\b/.exec(section.lines.join('\n')) ?? [];
      const anchor = section.title
        .toLowerCase()
        .replaceAll(/[^a-z -]/g, '')
        .replaceAll(' ', '-');
      const shown = code === undefined ? '' : `\`${code}\``;
      lines.push(`| [${section.title}](troubleshooting/${name}.md#${anchor}) | ${shown} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}
