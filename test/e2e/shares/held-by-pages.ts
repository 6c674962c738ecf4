import assert from 'node:assert/strict';
import { resources } from '../../../src/base/shares/resources.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';
import type { BrowserSession } from '../../kit/web/browser-session.ts';

const checkPage = { page: '/recipes/check' };

/** Keeps a result of a page. @returns the page that shows it */
export async function keepResult(session: BrowserSession, document: string): Promise<string> {
  const answer = await session.post('/recipes/check', { document }, checkPage);
  assert.equal(answer.status, 303, await answer.text());
  return answer.headers.get('location')!;
}

/** Whether a page still has its result. */
export async function isKept(session: BrowserSession, location: string): Promise<boolean> {
  const answer = await session.get(location);
  assert.equal(answer.status, 200);
  return !(await answer.text()).includes('This result is not kept any more');
}

/** Keeps as many results as an account may have, and some more: the oldest of them give way. */
export async function fillResults(session: BrowserSession): Promise<void> {
  const { account } = resources.results.share;
  const kept: string[] = [];
  for (let n = 0; n < account + 3; n += 1) kept.push(await keepResult(session, `name: ${n}`));
  assert.deepEqual(
    await Promise.all(kept.map((location) => isKept(session, location))),
    kept.map((_, n) => n >= 3),
  );
}

/** Keeps results of nearly the largest documents until their bytes, and not their number, make the oldest give way. */
export async function fillResultBytes(session: BrowserSession): Promise<void> {
  const bytes = 4_000_000;
  const fit = Math.floor(resources.resultBytes.share.account / bytes);
  assert.ok(fit + 1 < resources.results.share.account, 'their number is no limit');
  const kept: string[] = [];
  for (let n = 0; n <= fit; n += 1)
    kept.push(await keepResult(session, `name: ${n}\n#${'a'.repeat(bytes)}\n`));
  const last = await isKept(session, kept.at(-1)!);
  assert.deepEqual([await isKept(session, kept[0]!), last], [false, true]);
}

const pair = { certificate: tlsPair.cert, key: tlsPair.key };

/** Previews a certificate, which then waits for its confirmation. @returns the name of the pair */
export async function previewPair(session: BrowserSession): Promise<string> {
  const answer = await session.post('/admin/network/preview', pair, { page: '/admin/network' });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return /name="_pair" value="([^"]+)"/.exec(text)![1]!;
}

/** Confirms a preview. @returns whether its pair had waited for that: a listener without TLS has no use for it */
async function confirmPair(session: BrowserSession, name: string): Promise<boolean> {
  const fields = { _pair: name, fingerprint: 'none' };
  const answer = await session.post('/admin/network/certificate', fields, { page: '/admin/network' });
  const code = /SVC-[A-Z]+-\d+/.exec(await answer.text())?.[0] ?? '';
  assert.ok(['SVC-CFG-001', 'SVC-SRV-007'].includes(code), `${answer.status} ${code}`);
  return code === 'SVC-CFG-001';
}

/** One administrator holds all pairs that it may: its own oldest gives way, and that of another one waits on. */
export async function fillPairs(session: BrowserSession, other: BrowserSession): Promise<void> {
  const own = await previewPair(other);
  const names: string[] = [];
  for (let n = 0; n <= resources.pairs.share.admin; n += 1) names.push(await previewPair(session));
  assert.equal(await confirmPair(session, names[0]!), false);
  assert.equal(await confirmPair(other, own), true);
}

/** Creates a token with the form. @returns the page that shows its secret */
export async function createToken(session: BrowserSession, name: string): Promise<string> {
  const form = '/admin/accounts/-/token';
  const answer = await session.post(form, { name, role: 'viewer' }, { page: form });
  assert.equal(answer.status, 303, await answer.text());
  return answer.headers.get('location')!;
}

/** Whether a page shows a secret. */
export async function showsSecret(session: BrowserSession, location: string): Promise<boolean> {
  return /svc_[A-Za-z0-9_-]{20}/.test(await (await session.get(location)).text());
}

/** As `fillPairs`, with secrets of new tokens. */
export async function fillSecrets(session: BrowserSession, other: BrowserSession): Promise<void> {
  const own = await createToken(other, 'of-another');
  const pages: string[] = [];
  for (let n = 0; n <= resources.secrets.share.admin; n += 1)
    pages.push(await createToken(session, `filling-${n}`));
  assert.deepEqual(await Promise.all([pages[0]!, pages[1]!].map((page) => showsSecret(session, page))), [
    false,
    true,
  ]);
  assert.equal(await showsSecret(other, own), true);
}

const forbidden = {
  pairs: { path: '/admin/network/preview', fields: pair },
  secrets: { path: '/admin/accounts/-/token', fields: { name: 'stolen', role: 'admin' } },
} as const;

/** Tries, with a form that is valid in all else, an action for administrators only. */
export async function refuseForm(
  name: keyof typeof forbidden,
  session: BrowserSession,
  { page, status }: { readonly page: string; readonly status: number },
): Promise<void> {
  const token = await session.tokenOf(page);
  const { path, fields } = forbidden[name];
  for (let n = 0; n <= resources[name].share.admin; n += 1)
    assert.equal((await session.post(path, fields, { token })).status, status, path);
}
