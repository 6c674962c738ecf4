import { shell } from '../../../src/text/words/shell.ts';
import type { Sentence } from '../../../src/text/words/words.ts';
import { keepsReceipts } from '../../views/delivering.ts';
import { takesMedia } from '../../views/media.ts';
import { attr, type Html, html } from '../html.ts';
import type { PageCall, UiRoute } from '../ui-route.ts';
import { type IconName, icon } from './icons.ts';

interface Entry {
  readonly path: string;
  readonly text: Sentence;
  readonly icon: IconName;
}

/** In the order in which they are shown. An entry is shown when its page exists and the role may open it. */
const entries: readonly Entry[] = [
  { path: '/', text: shell.overview, icon: 'overview' },
  { path: '/media', text: shell.medium, icon: 'medium' },
  { path: '/receipts', text: shell.receipts, icon: 'receipt' },
  { path: '/recipes', text: shell.recipes, icon: 'recipes' },
  { path: '/content', text: shell.content, icon: 'content' },
  { path: '/tasks', text: shell.tasks, icon: 'tasks' },
  { path: '/filesets', text: shell.filesets, icon: 'filesets' },
  { path: '/clients', text: shell.clients, icon: 'terminal' },
  { path: '/admin', text: shell.administration, icon: 'admin' },
  { path: '/help', text: shell.help, icon: 'help' },
];
const administration: readonly Omit<Entry, 'icon'>[] = [
  { path: '/admin/store', text: shell.store },
  { path: '/admin/accounts', text: shell.accounts },
  { path: '/admin/retriever', text: shell.retriever },
  { path: '/admin/network', text: shell.network },
  { path: '/admin/oci-layout', text: shell.layout },
];
/** Shown as text where `ui.showUpcoming` is set. */
const upcoming: readonly Sentence[] = [shell.singleSignOn];

const isBelow = (path: string, entry: string): boolean =>
  path === entry || (entry !== '/' && path.startsWith(`${entry}/`));

function mayOpen(call: PageCall, routes: readonly UiRoute[], path: string): boolean {
  const route = routes.find((each) => each.method === 'GET' && each.path === path);
  if (route === undefined) return false;
  if (path === '/media' && !takesMedia(call)) return false;
  if (path === '/receipts' && !keepsReceipts(call)) return false;
  return route.floor === 'public' || call.can(route.floor);
}

/** The main navigation, with the pages that the role may open. */
export function navigation(call: PageCall, routes: readonly UiRoute[]): Html {
  const { say } = call.words;
  const current = call.here.split('?', 1)[0]!;
  const admin = administration.filter(({ path }) => mayOpen(call, routes, path));
  const open = entries.flatMap((entry) => {
    if (entry.path !== '/admin')
      return mayOpen(call, routes, entry.path) ? [{ ...entry, target: entry.path }] : [];
    return admin.length === 0 ? [] : [{ ...entry, target: admin[0]!.path }];
  });
  const planned = call.settings.showUpcoming ? upcoming : [];
  return html`<nav class="nav" aria-label="${say(shell.navigation)}"><ul>
${open.map(
  ({ path, target, text, icon: name }) =>
    html`<li><a href="${target}" ${attr('aria-current', isBelow(current, path) ? 'page' : undefined)}>${icon(name)}<span>${say(text)}</span></a></li>\n`,
)}
${planned.map((text) => html`<li class="nav-planned"><span>${say(text)} <em>${say(shell.planned)}</em></span></li>`)}
</ul></nav>
${isBelow(current, '/admin') && admin.length > 0 ? subNavigation(call, admin, current) : ''}`;
}

function subNavigation({ words: { say } }: PageCall, admin: typeof administration, current: string): Html {
  return html`<nav class="nav nav-sub" aria-label="${say(shell.administration)}"><ul>
${admin.map(
  ({ path, text }) =>
    html`<li><a href="${path}" ${attr('aria-current', isBelow(current, path) ? 'page' : undefined)}>${say(text)}</a></li>`,
)}
</ul></nav>`;
}
