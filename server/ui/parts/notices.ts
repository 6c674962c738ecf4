import type { LoweredRecipe } from '../../../src/contract/common.ts';
import type { Notice } from '../../../src/contract/status.ts';
import { shell } from '../../../src/text/words/shell.ts';
import type { Counted, Sentence, WordParams, Words } from '../../../src/text/words/words.ts';
import { isLast, sayStanding } from '../../../src/view/medium-standing.ts';
import { listBlocked } from '../../views/blocked.ts';
import { showMediumDelivery } from '../../views/media.ts';
import { describeOccupancy, describeRetriever } from '../../views/retriever.ts';
import { listLowered, listNotices, listPublicNotices } from '../../views/status.ts';
import { type Html, html } from '../html.ts';
import { isPage, type PageCall, type UiParts, type UiRoute } from '../ui-route.ts';
import { icon } from './icons.ts';

/** On the overview notices beyond this number fold, unless they are pinned. */
const shown = 3;
/** Recipes in one notice. */
const namedRecipes = 5;
/** On the overview always in sight. */
const pinned: ReadonlySet<Notice> = new Set([
  'draining',
  'store-away',
  'state-away',
  'store-new',
  'authentication-disabled',
  'occupancy-exceeded',
  'anonymous-filesets',
  'relaxed-scopes',
  'filesets-unserved',
  'gate-closed',
  'link-damaged',
  'store-full',
  'state-full',
  'certificate-early',
  'certificate-expired',
]);

/** In full on every page: while they apply, next to nothing works, or everybody may do everything. */
const urgent: ReadonlySet<Notice> = new Set([
  'draining',
  'store-away',
  'state-away',
  'store-new',
  'authentication-disabled',
  'gate-closed',
]);

/** The name of each other notice in a line of several. */
const shortWords: Partial<Readonly<Record<Notice, Sentence>>> = {
  'occupancy-exceeded': shell.shortOccupancy,
  'anonymous-filesets': shell.weakFilesets,
  'relaxed-scopes': shell.weakScopes,
  'recipes-blocked': shell.shortBlocked,
  'recipes-lowered': shell.shortLowered,
  'filesets-unserved': shell.shortUnserved,
  'store-foreign': shell.shortForeign,
  'store-read-only': shell.shortReadOnly,
  'link-damaged': shell.shortLink,
  'store-full': shell.shortStoreFull,
  'state-full': shell.shortStateFull,
  'certificate-early': shell.shortCertificateEarly,
  'certificate-expired': shell.shortCertificateExpired,
  'preflight-disabled': shell.weakPreflight,
};

/** Settings that weaken the instance. Nothing is wrong when they are set. */
const weakening: ReadonlySet<Notice> = new Set([
  'anonymous-filesets',
  'relaxed-scopes',
  'preflight-disabled',
]);

interface Said {
  /** A text is said already. */
  readonly text: Sentence | Counted | string;
  readonly params?: WordParams;
  /** Where more is found. */
  readonly link?: readonly [text: Sentence, path: string];
}

const publicSentences = {
  draining: shell.draining,
  'store-away': shell.storeAway,
  'state-away': shell.stateAway,
} as const;

const gateWords = {
  'SVC-MED-030': shell.gateClosed,
  'SVC-MED-032': shell.gateRefused,
  'SVC-MED-033': shell.gateReplaced,
} as const;

/** Why no content of the medium is served, in one or two sentences; undefined while content is served. */
export async function whyWithheld(call: PageCall): Promise<string | undefined> {
  const { words, gate } = call;
  const refusal = gate.refusal();
  if (refusal === undefined) return undefined;
  const { code, awaits } = refusal;
  if (awaits === undefined) return words.say(gateWords[code]);
  const delivery = await showMediumDelivery(call);
  const standing = sayStanding(words, { awaits, delivery });
  if (delivery?.imported && delivery.overtakenBy !== undefined) return `${standing}.`;
  if (delivery?.complete) return `${standing}. ${words.say(shell.gateDelivered)}`;
  return `${standing}. ${words.say(isLast({ awaits, delivery }) ? shell.gateLast : shell.gateElsewhere)}`;
}

/** A sentence of a page whose content is withheld, with the reason; empty while content is served. */
export async function withheldLine(call: PageCall, sentence: Sentence): Promise<string> {
  const reason = await whyWithheld(call);
  return reason === undefined ? '' : `${call.words.say(sentence)} ${reason}`;
}

/** The words of a notice for the reader of this call. */
function wordNotice(
  notice: Notice,
  call: PageCall,
  { lowered, withheld }: { readonly lowered: readonly LoweredRecipe[]; readonly withheld: string },
): Said {
  const {
    instance,
    can,
    words: { format },
  } = call;
  switch (notice) {
    case 'draining':
    case 'store-away':
    case 'state-away':
      return { text: publicSentences[notice] };
    case 'store-new':
      return { text: shell.storeNew, ...(can('admin') ? { link: [shell.showStore, '/admin/store'] } : {}) };
    case 'store-foreign':
      return { text: shell.storeForeign, ...(can('operator') ? { link: [shell.showZone, '/media'] } : {}) };
    case 'link-damaged':
      return {
        text: shell.linkDamaged,
        ...(can('admin') ? { link: [shell.showLink, '/admin/network'] } : {}),
      };
    case 'store-full':
      return { text: shell.storeFull, link: [shell.showOccupancy, '/content?sort=size'] };
    case 'state-full':
      return { text: shell.stateFull };
    case 'certificate-early':
    case 'certificate-expired':
      return {
        text: notice === 'certificate-early' ? shell.certificateEarly : shell.certificateExpired,
        ...(can('admin') ? { link: [shell.showCertificate, '/admin/network'] } : {}),
      };
    case 'authentication-disabled':
      return { text: shell.authDisabled };
    case 'occupancy-exceeded': {
      const { bytes, thresholdBytes } = describeOccupancy(call);
      const path = can('admin') ? '/admin/store' : '/content';
      const params = { used: bytes, threshold: thresholdBytes };
      return { text: shell.occupancyExceeded, params, link: [shell.showOccupancy, path] };
    }
    case 'anonymous-filesets': {
      const names = format.list(describeRetriever(call).anonymousFilesets);
      return { text: shell.anonymousFilesets, params: { names }, link: [shell.filesets, '/filesets'] };
    }
    case 'filesets-unserved': {
      const names = format.list(instance.filesets.unserved().map(({ name }) => name));
      return { text: shell.filesetsUnserved, params: { names }, link: [shell.filesets, '/filesets'] };
    }
    case 'relaxed-scopes': {
      const names = format.list(describeRetriever(call).relaxedScopes.map(({ name }) => name));
      const link = can('admin') ? ({ link: [shell.showScopes, '/admin/retriever'] } as const) : {};
      return { text: shell.relaxedScopes, params: { names }, ...link };
    }
    case 'gate-closed': {
      const link = can('operator') ? ({ link: [shell.showVerification, '/media'] } as const) : {};
      return { text: withheld, ...link };
    }
    case 'recipes-blocked': {
      const text = shell.recipesBlocked;
      const params = { count: listBlocked(call).length };
      return { text, params, ...(can('operator') ? { link: [shell.showVerification, '/media'] } : {}) };
    }
    case 'recipes-lowered': {
      const some = lowered
        .slice(0, namedRecipes)
        .map(({ name, resolved, here }) => `${name} ${resolved} < ${here}`);
      const names = format.list(lowered.length > namedRecipes ? [...some, '…'] : some);
      return { text: shell.recipesLowered, params: { names }, link: [shell.showOverview, '/'] };
    }
    case 'store-read-only':
      return { text: shell.readOnly };
    case 'preflight-disabled':
      return { text: shell.preflightDisabled };
  }
}

/** The notices for everybody on every page, signed in or not. */
export async function publicStrip(
  { say }: Words,
  parts: Pick<UiParts, 'conditions'>,
): Promise<Html | string> {
  const notices = await listPublicNotices(parts);
  if (notices.length === 0) return '';
  return html`<aside class="notices" aria-label="${say(shell.notices)}"><ul>${notices.map(
    (notice) => html`<li class="notice">${icon('warn')}<span>${say(publicSentences[notice])}</span></li>`,
  )}</ul></aside>`;
}

/** The notices for the reader: in full on the overview, and one line for most of them on every other page. */
export async function noticeStrip(call: PageCall, routes: readonly UiRoute[]): Promise<Html | string> {
  const { say } = call.words;
  if (!call.signedIn) return publicStrip(call.words, call);
  const [here = ''] = call.here.split('?');
  const all = await listNotices(call, call.identity);
  // the page of FileSets begins with it
  const notices = all.filter((notice) => notice !== 'filesets-unserved' || here !== '/filesets');
  if (notices.length === 0) return '';
  const paths = new Set(routes.filter(isPage).map(({ path }) => path));
  const lowered = notices.includes('recipes-lowered') ? await listLowered(call, call.identity) : [];
  const withheld = notices.includes('gate-closed') ? await whyWithheld(call) : undefined;
  const toItem = (notice: Notice): Html => {
    const known = { lowered, withheld: withheld ?? say(shell.gateClosed) };
    const { text, params, link } = wordNotice(notice, call, known);
    const [linkText, to = ''] = link ?? [];
    const [path = ''] = to.split('?');
    return html`<li class="notice">${icon('warn')} <span>${typeof text === 'string' ? text : say(text, params)}</span>${
      linkText === undefined || path === here || !paths.has(path)
        ? ''
        : html` <a href="${to}">${say(linkText)}</a>`
    }</li>`;
  };
  const listOf = (of: readonly Notice[]): Html | string =>
    of.length === 0 ? '' : html`<ul>${of.map(toItem)}</ul>`;
  const fold = (text: Counted, of: readonly Notice[]): Html | string => {
    if (of.length === 0) return '';
    const which = call.words.format.list(of.map((notice) => say(shortWords[notice]!)));
    return html`<details><summary>${icon('warn')} ${say(text, { count: of.length, which })}</summary>${listOf(of)}</details>`;
  };
  const strip = (inside: Html): Html =>
    html`<aside class="notices" aria-label="${say(shell.notices)}">${inside}</aside>`;
  if (here !== '/') {
    const [full, short] = [true, false].map((is) => notices.filter((notice) => urgent.has(notice) === is));
    return strip(html`${listOf(full!)}${fold(shell.warnings, short!)}`);
  }
  const settings = notices.filter((notice) => weakening.has(notice));
  // one of them takes no more room in full
  const rest = settings.length > 1 ? notices.filter((notice) => !settings.includes(notice)) : notices;
  const open = rest.filter((notice, index) => pinned.has(notice) || index < shown);
  const folded = rest.filter((notice) => !open.includes(notice));
  return strip(
    html`${listOf(open)}${rest === notices ? '' : fold(shell.weakened, settings)}${fold(shell.moreNotices, folded)}`,
  );
}
