import type { SvcError } from '../../../src/text/error.ts';
import { escapeText } from '../../../src/text/escape.ts';
import type { Language } from '../../../src/text/message.ts';
import { shell } from '../../../src/text/words/shell.ts';
import { toReached } from '../../views/reached.ts';
import { siteName } from '../../views/side.ts';
import { attr, fixedPlace, type Html, html } from '../html.ts';
import type { Assets } from '../load-assets.ts';
import { paperFoot, paperHead, signLine } from '../paper.ts';
import { saidBlock } from '../said.ts';
import { overridePath } from '../send-asset.ts';
import { bandOf, sideLine, sideOf, siteTitle } from '../side.ts';
import type { BarePage, Page, PageCall, Posted, RowHeight, Section, Theme, UiRoute } from '../ui-route.ts';
import { errorBlock } from './error.ts';
import { accountMenu, languageForm, searchForm, themeMenu } from './header.ts';
import { mediumPage } from './history-link.ts';
import { icon } from './icons.ts';
import { navigation } from './navigation.ts';
import { noticeStrip } from './notices.ts';
import { toTitle, untrusted } from './text.ts';

export interface ShellParts {
  readonly assets: Assets;
  readonly routes: readonly UiRoute[];
  readonly hasOverride: boolean;
}

/** The configuration of htmx: no style of its own, no evaluation, and an open `details` stays open over a swap. */
const htmxConfig = JSON.stringify({
  includeIndicatorCSS: false,
  morphIgnore: ['data-htmx-powered', 'open', 'hidden'],
  defaultTimeout: 30_000,
  extensions: 'ptag',
});

const end = html`<div id="end" hidden></div>`;

interface HeadOptions {
  readonly language: Language;
  readonly title: string;
  readonly theme: Theme;
  readonly rowHeight?: RowHeight;
  readonly reload?: number | undefined;
  /** Printed at the foot of each sheet. */
  readonly foot?: string | undefined;
  /** Absent where nobody knows whose page it is. */
  readonly band?: ReturnType<typeof bandOf>;
}

function head({ assets, hasOverride }: ShellParts, { title, reload }: HeadOptions): Html {
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="expect" href="#end" blocking="render">
<title>${title}</title>
<link rel="icon" href="${assets.pathOf('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.pathOf('app.css')}">
${hasOverride ? html`<link rel="stylesheet" href="${overridePath}">` : ''}
<meta name="htmx-config" content="${htmxConfig}">
<script src="${assets.pathOf('app.js')}" defer blocking="render"></script>
${reload === undefined ? '' : html`<noscript><meta http-equiv="refresh" content="${reload}"></noscript>`}
</head>`;
}

/**
 * The first paint waits for the element at the end of the body (HTML, "link type expect") and for the script. Otherwise
 * painted parts would move in a page that arrives in pieces, or where the script opens an entry. Other browsers ignore it.
 */
function document(parts: ShellParts, options: HeadOptions, body: Html): Html {
  return html`<!doctype html>
<html lang="${options.language}" data-theme="${options.theme}" ${attr('data-rows', options.rowHeight === 'compact' && options.rowHeight)} ${attr('data-accent', options.band?.accent)} ${attr('data-pattern', options.band?.pattern)} ${attr('data-foot', options.foot)}>
${head(parts, options)}
${body}
</html>
`;
}

/** The input of a form that a page shows again with its error, or the error of a filter. */
export function refusalOf(
  { posted, wrong }: Pick<PageCall, 'posted' | 'wrong'>,
  { refused }: Pick<Page, 'refused'>,
): { readonly posted: Posted | undefined; readonly error: SvcError | undefined } {
  const shown = posted?.error === undefined ? (refused ?? posted) : posted;
  return { posted: shown, error: shown?.error ?? wrong?.values().next().value };
}

/** Text of `<title>`: the thing, and the site whose tab it is. The answer to a form with a wrong value says so first. */
export function titleOf(call: PageCall, page: Pick<Page, 'title' | 'refused'>): string {
  const isRefused = refusalOf(call, page).error !== undefined;
  const title = isRefused ? call.words.say(shell.refusedTitle, { title: page.title }) : page.title;
  return `${toTitle(title)} · ${siteTitle(call)}`;
}

/**
 * A section as the browser polls it, when it does.
 *
 * @param tag sent along by the browser, so that the answer can be that nothing changed
 */
export function toSection(
  { here }: PageCall,
  { id, html: inside, label, every, status }: Section,
  tag: string,
): Html {
  const isLive = every !== undefined;
  return html`<section class="section" id="${id}" ${attr('aria-label', label)} ${attr('hx-get', isLive ? here : undefined)} ${attr('hx-trigger', isLive ? `every ${every}s` : undefined)} ${attr('hx-swap', isLive ? 'outerMorph' : undefined)} ${attr('hx-sync', isLive ? 'drop' : undefined)} ${attr('hx-ptag', isLive ? tag : undefined)}>
${status === undefined ? '' : html`<p class="visually-hidden" data-status="${id}">${status}</p>`}
${inside}
</section>`;
}

/** Beside the heading of a live page: the button that freezes it, and since when there is no contact. Scripts show both. */
function liveBar({ words: { say } }: PageCall, { sections }: Page): Html | string {
  if (sections.every(({ every }) => every === undefined)) return '';
  return html`<div class="live-bar"><span class="live-lost" data-lost="${say(shell.noContact, { time: '{time}' })}" data-stamp="${say(shell.asOfNoContact, { time: '{time}' })}" data-frozen="${say(shell.frozen, { time: '{time}' })}" role="status"></span><button type="button" class="button button-quiet" data-pause data-resume="${say(shell.resume)}">${say(shell.pause)}</button></div>`;
}

/** A live section with the place of the sentence that is read out. */
function withStatus(section: Section, inside: Html): Html {
  if (section.every === undefined) return inside;
  return html`<div class="live" data-live="${section.id}">
<span class="visually-hidden" role="status" data-status-out="${section.id}"></span>
${inside}
</div>`;
}

/** Sections in their order; those with a column together, so that each column has its own height. */
function arrange(sections: readonly Section[], show: (section: Section) => Html): readonly Html[] {
  const start = sections.findIndex(({ column }) => column !== undefined);
  if (start === -1) return sections.map(show);
  const end = sections.findLastIndex(({ column }) => column !== undefined) + 1;
  const columnOf = (wanted: 1 | 2): Html =>
    html`<div>${sections.filter(({ column }) => column === wanted).map(show)}</div>`;
  return [
    ...sections.slice(0, start).map(show),
    html`<div class="sides">${columnOf(1)}${columnOf(2)}</div>`,
    ...sections.slice(end).map(show),
  ];
}

function crumbs({ words: { say } }: PageCall, { crumbs: list = [] }: Page): Html | string {
  if (list.length === 0) return '';
  return html`<nav class="crumbs" aria-label="${say(shell.breadcrumbs)}"><ol>${list.map(([text, path]) => html`<li><a href="${path}">${untrusted(text)}</a></li>`)}</ol></nav>`;
}

function headerOf(parts: ShellParts, call: PageCall): Html {
  const { words, instance, signedIn } = call;
  const { mode } = instance.context.config;
  const hasSearch = parts.routes.some(({ method, path }) => method === 'GET' && path === '/search');
  const name = signedIn
    ? html`<a class="zone" href="/">${untrusted(siteName(call))}</a><span class="badge">${words.say(shell[mode])}</span> ${sideLine(call, sideOf(call))}`
    : html`<span class="zone">${untrusted(siteName(call))}</span>`;
  return html`<header class="header"><div class="header-row">
<div class="header-name">${name}</div>
${signedIn && hasSearch ? searchForm(call) : ''}
<div class="header-tools">${languageForm(call)}${themeMenu(call)}${signedIn ? accountMenu(call) : ''}</div>
</div>${signedIn ? navigation(call, parts.routes) : ''}</header>`;
}

/**
 * The whole page around its sections; those of a fixed page are put in last.
 *
 * @param tagOf gives the tag of a live section, which stays the same while the section does not change
 */
export async function toShell(
  parts: ShellParts,
  call: PageCall,
  page: Page,
  tagOf: (section: Section) => string,
): Promise<Html> {
  const { words, theme, rowHeight, exchange, signedIn } = call;
  const { title, heading, lead, sections, layout = 'normal', reload, showsError } = page;
  const { posted, error: shown } = refusalOf(call, page);
  const error =
    shown === undefined || showsError
      ? ''
      : errorBlock({
          words,
          error: shown,
          hasHelp: signedIn,
          mediumPage: mediumPage(call),
          input: posted ? { of: posted, wrong: posted.wrong } : { of: call.wrong!, wrong: call.wrong! },
          isFilter: posted === undefined,
          correlationId: exchange.correlationId,
        });
  const bar = liveBar(call, page);
  // its heading is hidden
  const isBoard = layout === 'board';
  const body = html`<body class="layout-${layout}">
<a class="skip" href="#main">${words.say(shell.skip)}</a>
${headerOf(parts, call)}
${await noticeStrip(call, parts.routes)}
<main id="main" class="main" tabindex="-1">
${crumbs(call, page)}
<div class="title"><h1>${heading ?? escapeText(title)}</h1>${isBoard ? '' : bar}${lead === undefined ? '' : html`<p class="lead">${lead}</p>`}</div>
${isBoard ? bar : ''}${page.paper === undefined ? '' : paperHead(call, page.paper)}
${error}
${saidBlock(call)}
${page.isFixed ? fixedPlace : arrange(sections, (section) => withStatus(section, toSection(call, section, section.every === undefined ? '' : tagOf(section))))}
${signedIn ? signLine(call) : ''}
</main>
${signedIn ? footer(call) : ''}
${end}</body>`;
  const band = bandOf(call.settings, sideOf(call));
  const [language, foot] = [words.language, paperFoot(call, page)];
  return document(
    parts,
    { language, title: titleOf(call, page), theme, rowHeight, reload, band, foot },
    body,
  );
}

function footer(call: PageCall): Html {
  const { words, version } = call;
  const { say } = words;
  return html`<footer class="footer"><a href="/about">svc ${version}</a><span class="muted">${untrusted(toReached(call).host)}</span><a href="/help">${say(shell.help)}</a><a href="/api-docs">${say(shell.api)}</a></footer>`;
}

/** A page without header and navigation. */
export function toBareShell(
  parts: ShellParts,
  { language, title, theme, notices, html: inside }: BarePage,
): Html {
  const body = html`<body class="layout-plain">${notices}<main id="main" class="main"><div class="title"><h1>${icon('warn')} ${title}</h1></div>
<section class="section">${inside}</section></main>${end}</body>`;
  return document(parts, { language, title, theme }, body);
}
