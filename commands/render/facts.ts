import { escapeText } from '../../src/text/escape.ts';
import { wrap } from './wrap.ts';

/** A line of a description: its label and its value. A value of several lines continues below itself. */
export type Fact = readonly [label: string, value: string | readonly string[]];

/**
 * Renders a description: a label and a value on each line. Values are escaped, and wrapped at their spaces. A longer
 * word, such as a digest, has a line of its own and is never broken, so that it can be copied.
 *
 * @param width columns
 */
export function renderFacts(facts: readonly Fact[], width: number): string {
  const indent = Math.max(...facts.map(([label]) => label.length)) + 2;
  const lines = facts.flatMap(([label, value]) => {
    const values = [value].flat().map(escapeText);
    const room = Math.max(20, width - indent);
    // a value that does not fit beside its label stands below it, where it has more room
    const isBelow = values.some((each) => each.split(' ').some((word) => word.length > room));
    const wrapped = values.flatMap((each) => wrap(each, isBelow ? width - 4 : room));
    if (isBelow) return [label, ...wrapped.map((line) => `    ${line}`)];
    return wrapped.map((line, i) => `${(i === 0 ? label : '').padEnd(indent)}${line}`);
  });
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
