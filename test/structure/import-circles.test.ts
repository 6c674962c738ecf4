import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..', '..');
const files = globSync('{src,commands,server}/**/*.ts', { cwd: root });

/** Imports at the start of a module. Node erases a statement that begins with `import type` or `export type`, and no other. */
const statement = /^(?:import|export) (type )?[^;'"]*?from '(\.[^']+)';|^import '(\.[^']+)';/gm;

/** The modules that each module imports. @param withTypes whether imports of types count */
function readImports(withTypes: boolean): ReadonlyMap<string, readonly string[]> {
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const found = [...text.matchAll(statement)].filter(([, type]) => withTypes || type === undefined);
      const targets = found.map(([, , from, bare]) =>
        relative(root, join(root, dirname(file), (from ?? bare)!)),
      );
      return [file, targets.filter((target) => files.includes(target))];
    }),
  );
}

/** Groups of modules of which each imports each other, directly or through others (Tarjan). */
function findCircles(imports: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): void => {
    const number = numbers.size;
    numbers.set(file, number);
    lowest.set(file, number);
    stack.push(file);
    for (const target of imports.get(file)!) {
      if (!numbers.has(target)) visit(target);
      if (stack.includes(target)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!));
    }
    if (lowest.get(file) !== number) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const file of imports.keys()) if (!numbers.has(file)) visit(file);
  return circles;
}

test('the search finds each circle, and nothing else', () => {
  const imports = { a: ['b'], b: ['c', 'd'], c: ['a'], d: ['e'], e: [] };
  assert.deepEqual(findCircles(new Map(Object.entries(imports))), [['a', 'b', 'c']]);
});

test('no modules import each other in a circle', () => {
  assert.deepEqual(findCircles(readImports(false)), []);
});

test('at most five circles are made by imports of types', () => {
  const circles = findCircles(readImports(true));
  assert.ok(circles.length <= 5, circles.map((circle) => circle.join(' ')).join('\n'));
});
