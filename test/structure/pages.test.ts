import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { listPackageFiles } from '../../scripts/release/packages/package-files.ts';

const root = join(import.meta.dirname, '..', '..');
const pages = [...globSync('{README.md,docs/**/*.md,deploy/**/*.md}', { cwd: root })];

/** The anchors of the headings of a page, as GitHub makes them. */
function listAnchors(page: string): string[] {
  const text = page.replaceAll(/^```.*?^```$/gms, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every link of a page leads to a file and a heading that exist', () => {
  const broken: string[] = [];
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8');
    for (const [link, target, anchor] of text.matchAll(/\]\(([^)\s#]*)(?:#([^)\s]+))?\)/g)) {
      if (/^[a-z]+:/.test(target!)) continue;
      const place = target === '' ? page : relative(root, join(root, dirname(page), target!));
      const [found] = globSync(place, { cwd: root });
      const isHeading = () => listAnchors(readFileSync(join(root, place), 'utf8')).includes(anchor!);
      if (found === undefined || (anchor !== undefined && !isHeading())) broken.push(`${page}: ${link}`);
    }
  }
  assert.deepEqual(broken, []);
});

test('every link of a page leads to a file that the packages install too', () => {
  listPackageFiles(root, { zsh: 'usr/share/zsh' }, Buffer.alloc(0));
});

test('the list of pages names every page once', () => {
  const text = readFileSync(join(root, 'docs/README.md'), 'utf8');
  const named = [...text.matchAll(/^\| \[[^\]]+\]\(([^)#]+)\)/gm)].map(([, target]) => `docs/${target}`);
  const others = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md');
  assert.deepEqual(named.sort(), others.sort());
});

test('a folder of pages holds at most thirty files', () => {
  for (const folder of new Set(pages.map((page) => dirname(page)))) {
    const names = globSync('*.*', { cwd: join(root, folder) });
    assert.ok(names.length <= 30, `${folder}: ${names.length}`);
  }
});
