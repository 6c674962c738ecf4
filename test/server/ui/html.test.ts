import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attr, type Html, html, renderHtml, tokenMark } from '../../../server/ui/html.ts';
import { untrusted } from '../../../server/ui/parts/text.ts';
import { isLocal, toPath } from '../../../server/ui/to-href.ts';
import { isolate } from '../../../src/text/words/isolate.ts';

const hostile = `<script>alert(1)</script>"'&\0`;

test('values are escaped in text and in attributes, and nothing passes as the mark of a token', () => {
  const markup = renderHtml(html`<p title="${hostile}">${hostile}</p>`);
  const escaped = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\ufffd';
  assert.equal(markup, `<p title="${escaped}">${escaped}</p>`);
  assert.ok(!renderHtml(html`<p>${tokenMark}</p>`).includes(tokenMark));
});

test('control characters become replacement characters; spaces and line ends stay', () => {
  const markup = renderHtml(
    html`<p title="${'a\u001b[2J'}" ${attr('lang', '\u0085')}>${'\u0000\u0007\u007f\u009b \t\r\n'}</p>`,
  );
  assert.equal(markup, '<p title="a\ufffd[2J" lang="\ufffd">\ufffd\ufffd\ufffd\ufffd \t\r\n</p>');
});

test('markup, lists and numbers stand in text', () => {
  const items = [1, 'b', html`<i>c</i>`];
  assert.equal(
    renderHtml(html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`),
    '<ul><li>1</li><li>b</li><li><i>c</i></li></ul>',
  );
});

test('what has no text does not stand in a page', () => {
  for (const value of [undefined, null, true, false, Number.NaN, {}, () => '', [undefined], Symbol('x')])
    assert.throws(() => html`<p>${value as string}</p>`, TypeError, String(value));
  assert.throws(() => html`<p title="${html`<i>x</i>` as unknown as string}">x</p>`, TypeError);
});

test('a value stands in no place where escaping does not help', () => {
  const value = 'x';
  const places: readonly (() => Html)[] = [
    () => html`<p class=${value}>x</p>`,
    () => html`<p class='${value}'>x</p>`,
    () => html`<${value}>x</p>`,
    () => html`<p ${value}>x</p>`,
    () => html`<p data-${value}="x">x</p>`,
    () => html`<script>${value}</script>`,
    () => html`<style>${value}</style>`,
    () => html`<!-- ${value} -->`,
    () => html`<p title="${value}`,
    () => html`<p onclick="${value}">x</p>`,
    () => html`<p style="${value}">x</p>`,
    () => html`<p hx-on="${value}">x</p>`,
    () => html`<p hx-put="/x">${value}</p>`,
    () => html`<p>1 < ${value}</p>`,
    () => html`<p>${attr('title', 'x') as unknown as string}</p>`,
  ];
  for (const [index, place] of places.entries()) assert.throws(place, TypeError, `place ${index}`);
  assert.throws(() => attr('onclick', 'x'), TypeError);
  assert.throws(() => attr('a b', 'x'), TypeError);
});

test('a link leads to this instance only', () => {
  const targets = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    ' /x',
    '/x\ny',
    'x',
  ];
  for (const target of targets) {
    assert.throws(() => html`<a href="${target}">x</a>`, TypeError, target);
    assert.throws(() => attr('href', target), TypeError, target);
    assert.equal(isLocal(target), false, target);
  }
  for (const target of ['/x?y=1#z', '#z', '?y=1', ''])
    assert.equal(renderHtml(html`<a href="${target}">x</a>`), `<a href="${target}">x</a>`);
});

test('an attribute that is absent leaves nothing behind', () => {
  assert.equal(
    renderHtml(
      html`<input ${attr('checked', true)} ${attr('title', undefined)} ${attr('max', 3)} ${attr('hidden', false)}>`,
    ),
    '<input checked max="3">',
  );
});

test('what a reader may not know is concealed in texts, and never in links', () => {
  const conceal = (text: string) => text.replaceAll('/content', 'storage.root');
  const page = html`<a href="${'/content'}" title="${'/content'}">${'/content/x'}</a>`;
  assert.equal(renderHtml(page, conceal), '<a href="/content" title="storage.root">storage.root/x</a>');
});

test('paths are made of encoded parameters; the slashes of a repository stay', () => {
  assert.equal(
    toPath(
      '/content/{repo}/-/tags/{tag}',
      { repo: 'a.example:5000/b c/d', tag: 'v1?#' },
      { q: 'x&y', page: 2, no: undefined },
    ),
    '/content/a.example:5000/b%20c/d/-/tags/v1%3F%23?q=x%26y&page=2',
  );
  assert.throws(() => toPath('/tasks/{id}'), TypeError);
});

test('a text of others inside a sentence becomes an element of its own, and only its characters where no element may stand', () => {
  const sentence = `from ${isolate('a <b> \ufdd1\ufdd0')} to ${isolate('/srv/in')}, ${isolate('')}`;
  const conceal = (text: string): string => (text === '/srv/in' ? '(a folder)' : text);
  const plain = 'from a &lt;b&gt;  to /srv/in, ';
  assert.equal(
    renderHtml(html`<p title="${sentence}">${sentence}</p>`, conceal),
    `<p title="${plain}">from <bdi translate="no">a &lt;b&gt; </bdi> to <bdi translate="no">(a folder)</bdi>, </p>`,
  );
  assert.equal(renderHtml(html`<title>${html`${sentence}`}</title>`), `<title>${plain}</title>`);
  assert.equal(renderHtml(html`<p ${attr('title', sentence)}>\ufdd0</p>`), `<p title="${plain}">\ufdd0</p>`);
  assert.equal(renderHtml(html`<p>${'\ufdd1 b \ufdd0'}</p>`), '<p> b </p>');
});

test('a digest, a path, a reference and an address in a sentence are in the type of code, a name and a time are not', () => {
  const isCode = (text: string): boolean =>
    renderHtml(html`<p>${`of ${isolate(text)}.`}</p>`).includes('<bdi translate="no" class="id');
  for (const text of [
    'blobs/sha256/e13d',
    '/srv/in',
    'registry.example/shop/web:1.4.2',
    'sha256:e13d4e75…9bc2',
    '127.0.0.1:5000',
    'ab'.repeat(32).slice(0, 40),
  ])
    assert.equal(isCode(text), true, text);
  for (const text of [
    'shop@1.4.0',
    'zone-b',
    'token:ci',
    'shop/web and shop/api',
    '30 Nov 2026, 21:50:11 UTC',
  ])
    assert.equal(isCode(text), false, text);
  // also in a sentence that is isolated as a whole, and has a name that is not broken
  const markup = renderHtml(html`<p>${untrusted(`Import ${isolate('a.example/b-c')} into zone-b.`)}</p>`);
  assert.ok(markup.includes('<bdi translate="no" class="id">a.example/b-c</bdi>'), markup);
  assert.ok(markup.includes('<span class="unbroken">zone-b.</span>'), markup);
});
