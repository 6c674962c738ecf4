import type { Outcome } from './compare.ts';
import type { Spread } from './statistics.ts';

function toText(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  return size >= 100 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : value.toFixed(size >= 1 ? 2 : 3);
}

const toRange = ({ median, min, max }: Spread): string =>
  `${toText(median)} [${toText(min)} – ${toText(max)}]`;

/** One comparison as lines of text: contender, measure, the median with its spread, and the ratio. */
export function toTable(outcome: Outcome): string {
  const rows = outcome.figures.map(({ contender, measure, unit, spread, ratio }) => [
    `${measure}, ${unit}`,
    contender,
    toRange(spread),
    ratio === undefined ? '' : `× ${toRange(ratio)}`,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
  const bound = (at: { atLeast?: number; atMost?: number }): string =>
    [
      ...(at.atLeast === undefined ? [] : [`at least ${at.atLeast}`]),
      ...(at.atMost === undefined ? [] : [`at most ${at.atMost}`]),
    ].join(', ');
  return [
    `${outcome.workload} ${outcome.title} (${outcome.rounds} rounds; others used ${(outcome.foreignLoad * 100).toFixed(0)} % of the machine)`,
    ...lines,
    ...(outcome.ceiling === undefined
      ? []
      : [
          `  the load client against a server that only writes zeros: ${toText(outcome.ceiling)} ${outcome.figures[0]?.unit ?? ''}`,
        ]),
    ...outcome.verdicts.map(
      (verdict) =>
        `  ${verdict.met ? 'met   ' : 'MISSED'} ${verdict.measure}${verdict.peer === undefined ? '' : ` ÷ ${verdict.peer}`}: ${toRange(verdict.value)}, wanted ${bound(verdict)}`,
    ),
    ...(outcome.missing.length === 0 ? [] : [`  not installed, not compared: ${outcome.missing.join(', ')}`]),
  ].join('\n');
}
