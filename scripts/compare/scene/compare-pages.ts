import { uiRoutes } from '../../../server/ui/routes.ts';
import { isPage } from '../../../server/ui/ui-route.ts';
import { type BrowserSession, openBrowserSession } from '../../../test/kit/web/browser-session.ts';
import { toComparable } from '../placeholders.ts';
import { languages } from '../run-line.ts';
import type { Subject, Subjects } from '../subject.ts';
import { accounts, password, roles, type Scene } from './open-scene.ts';
import { toAnswer } from './to-answer.ts';

/** Pages of one path that differ in their query: those that the first links lead to. */
const queries = 3;
const mostPages = 300;

/** Paths of all pages of the working tree, of things that are not there. */
const seeds: readonly string[] = uiRoutes.filter(isPage).map(({ path }) =>
  path
    .replace('{repo}', 'no/such/repository')
    .replace('{id}', 'tsk_000000000000')
    .replace(/\{\w+\}/g, 'no-such-name'),
);

const decode = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'");

/** The targets of the links of a page on this instance. */
function linksOf(markup: string): readonly string[] {
  return [...markup.matchAll(/<a [^>]*?href="(\/(?!\/)[^"#]*)/g)].map(([, path]) => decode(path!));
}

/** Finds pages by following links, as an administrator. @returns paths by their names, which are the same on both sides */
async function findPages({ side }: Scene, session: BrowserSession): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const variants = new Map<string, number>();
  const waiting = [...seeds];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const name = toComparable(path, side.placeholders);
    const bare = name.split('?')[0]!;
    const known = variants.get(bare) ?? 0;
    if (found.has(name) || known >= queries || found.size >= mostPages || /^\/(?:api|files|v2)\//.test(path))
      continue;
    found.set(name, path);
    variants.set(bare, known + 1);
    const response = await session.get(path);
    if (response.headers.get('content-type')?.startsWith('text/html'))
      waiting.push(...linksOf(await response.text()));
  }
  return found;
}

async function visitAll(scene: Scene, stop: AbortSignal): Promise<Subjects> {
  const sessions = new Map([['anonymous', openBrowserSession(scene)]]);
  for (const role of roles) {
    const session = openBrowserSession(scene);
    await session.signIn(accounts[role], password);
    sessions.set(role, session);
  }
  const pages = new Map<string, Subject>();
  for (const [name, path] of await findPages(scene, sessions.get('admin')!))
    for (const [identity, session] of sessions)
      for (const language of languages) {
        stop.throwIfAborted();
        const response = await session.get(path, { 'accept-language': language });
        pages.set(`${name} (${identity}, ${language})`, await toAnswer(scene.side, response));
      }
  return pages;
}

/** Compares the pages of two instances: those of the table of pages, and those that links lead to. */
export async function comparePages(
  [older, newer]: readonly [Scene, Scene],
  stop: AbortSignal,
): Promise<readonly [older: Subjects, newer: Subjects]> {
  return Promise.all([visitAll(older, stop), visitAll(newer, stop)]);
}
