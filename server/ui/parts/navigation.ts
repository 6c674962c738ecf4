import { shell } from '../../../src/text/words/shell.ts';
import type { Sentence } from '../../../src/text/words/words.ts';
import { keepsReceipts } from '../../views/delivering.ts';
import { takesMedia } from '../../views/media.ts';
import { hasZones } from '../../views/zones.ts';
import { attr, type Html, html } from '../html.ts';
import { sideOf } from '../side.ts';
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
  { path: '/recipes', text: shell.recipes, icon: 'recipes' },
  { path: '/content', text: shell.content, icon: 'content' },
  { path: '/tasks', text: shell.tasks, icon: 'tasks' },
  { path: '/filesets', text: shell.filesets, icon: 'filesets' },
  { path: '/clients', text: shell.clients, icon: 'terminal' },
  { path: '/history', text: shell.history, icon: 'pending' },
  { path: '/admin', text: shell.administration, icon: 'admin' },
  { path: '/help', text: shell.help, icon: 'help' },
];
/** Entries that lead to several pages. */
const groups: Readonly<Record<string, readonly Omit<Entry, 'icon'>[]>> = {
  '/media': [
    { path: '/media', text: shell.thisMedium },
    { path: '/deliver', text: shell.deliver },
    { path: '/receipts', text: shell.receipts },
    { path: '/zones', text: shell.zones },
    { path: '/deliveries', text: shell.deliveries },
    { path: '/deliver/proof', text: shell.proof },
  ],
  '/admin': [
    { path: '/admin/store', text: shell.store },
    { path: '/admin/accounts', text: shell.accounts },
    { path: '/admin/retriever', text: shell.retriever },
    { path: '/admin/network', text: shell.network },
    { path: '/admin/oci-layout', text: shell.layout },
  ],
  '/history': [
    { path: '/history', text: shell.history },
    { path: '/evidence', text: shell.evidence },
  ],
};
/** At a source that names its zones, they lead the pages of deliveries, for all roles; its own medium comes last. */
const ofZones: Omit<Entry, 'icon'>[] = [
  '/zones',
  '/deliver',
  '/receipts',
  '/deliveries',
  '/deliver/proof',
  '/media',
].map((path) => groups['/media']!.find((page) => page.path === path)!);

/** The pages that an entry of the navigation leads to. */
function toGroups(
  call: PageCall,
): readonly (Entry & { readonly group?: readonly Omit<Entry, 'icon'>[] | undefined })[] {
  const isSource = hasZones(call) && sideOf(call).role === 'source';
  return entries.map((entry) =>
    isSource && entry.path === '/media'
      ? { path: '/zones', text: shell.zones, icon: entry.icon, group: ofZones }
      : { ...entry, group: groups[entry.path] },
  );
}

/** Pages whose records are in the state folder. */
const needsState: ReadonlySet<string> = new Set([
  '/deliver',
  '/deliveries',
  '/receipts',
  '/history',
  '/evidence',
]);
/** Shown as text where `ui.showUpcoming` is set. */
const upcoming: readonly Sentence[] = [shell.singleSignOn];

const isBelow = (path: string, entry: string): boolean =>
  path === entry || (entry !== '/' && path.startsWith(`${entry}/`));

const isBelowAny = (path: string, pages: readonly Pick<Entry, 'path'>[]): boolean =>
  pages.some((page) => isBelow(path, page.path));

/** The name of a page in the navigation. */
export const navigationTitle = (path: string): Sentence | undefined =>
  [...Object.values(groups).flat(), ...entries].find((entry) => entry.path === path)?.text;

/** Whether the instance has a page, and the role may open it. */
export function mayOpen(call: PageCall, routes: readonly UiRoute[], path: string): boolean {
  const route = routes.find((each) => each.method === 'GET' && each.path === path);
  if (route === undefined) return false;
  if (path === '/media' && !takesMedia(call)) return false;
  if (path === '/zones' && !hasZones(call)) return false;
  if (path === '/evidence' && !call.instance.context.config.custody.enabled) return false;
  if (needsState.has(path) && !keepsReceipts(call)) return false;
  return route.floor === 'public' || call.can(route.floor);
}

/** The main navigation, with the pages that the role may open. */
export function navigation(call: PageCall, routes: readonly UiRoute[]): Html {
  const { say } = call.words;
  const current = call.here.split('?', 1)[0]!;
  const open = toGroups(call).flatMap((entry) => {
    const { group } = entry;
    const pages = (group ?? [entry]).filter(({ path }) => mayOpen(call, routes, path));
    // a viewer may not open the page of the medium: the first of the others names them
    const { text } = pages.length > 0 && !call.can('operator') ? pages[0]! : entry;
    return pages.length === 0
      ? []
      : [{ ...entry, text, pages, isCurrent: isBelowAny(current, group ?? [entry]) }];
  });
  const planned = call.settings.showUpcoming ? upcoming : [];
  const here = open.find(({ isCurrent }) => isCurrent);
  // narrow windows fold the entries below the name of the current one
  return html`<div class="navs"><nav class="nav" aria-label="${say(shell.navigation)}"><details class="menu nav-fold"><summary>${icon('menu')} ${say(here?.text ?? shell.menu)}</summary><ul>
${open.map(
  ({ pages, isCurrent, text, icon: name }) =>
    html`<li><a href="${pages[0]!.path}" ${attr('aria-current', isCurrent ? 'page' : undefined)}>${icon(name)}<span>${say(text)}</span></a></li>\n`,
)}
${planned.map((text) => html`<li class="nav-planned"><span>${say(text)} <em>${say(shell.planned)}</em></span></li>`)}
</ul></details></nav>
${here?.group !== undefined && here.pages.length > 1 ? subNavigation(call, here, current) : ''}</div>`;
}

function subNavigation(
  { words: { say } }: PageCall,
  { text: label, pages }: Pick<Entry, 'text'> & { readonly pages: readonly Omit<Entry, 'icon'>[] },
  current: string,
): Html {
  // the page itself, and not one above it
  const shown = pages.filter(({ path }) => isBelow(current, path)).at(-1);
  return html`<nav class="nav nav-sub" aria-label="${say(label)}"><ul>
${pages.map(
  (page) =>
    html`<li><a href="${page.path}" ${attr('aria-current', page === shown ? 'page' : undefined)}>${say(page.text)}</a></li>`,
)}
</ul></nav>`;
}
