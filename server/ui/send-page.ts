import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { constants, gzip as gzipCallback } from 'node:zlib';
import { hasRole } from '../../src/account/model.ts';
import { catalogue } from '../../src/base/catalogue.ts';
import type { Conceal } from '../conceal.ts';
import type { Exchange } from '../exchange.ts';
import { type Html, html, renderHtml, tokenMark } from './html.ts';
import type { Assets } from './load-assets.ts';
import { pageHeaders } from './parts/error.ts';
import { type BarePage, type ShellParts, titleOf, toBareShell, toSection, toShell } from './parts/shell.ts';
import { toTitle } from './parts/text.ts';
import { policyHeaders } from './policy.ts';
import { selectEncoding } from './send-asset.ts';
import type { Visitor, Visitors } from './session.ts';
import type { Page, PageCall, UiParts, UiRoute } from './ui-route.ts';

const gzip = promisify(gzipCallback);
/** Bytes below which compressing a page costs more than it saves. */
const smallest = 1024;

interface SendOptions {
  readonly assets: Assets;
  readonly routes: readonly UiRoute[];
  readonly visitors: Pick<Visitors, 'issueToken'>;
  readonly parts: UiParts;
}

interface SendPage {
  /** Sends a page, or the one section of it that is asked for, or 304 when that has not changed. */
  page(call: PageCall, visitor: Visitor, page: Page): Promise<void>;
  /** Sends a page without navigation, to somebody unknown. */
  bare(exchange: Exchange, page: BarePage): void;
}

/** The section that htmx asks for: its target is `section#walk`. */
function selectSection(exchange: Exchange, page: Page): Page['sections'][number] | undefined {
  const { headers } = exchange.req;
  if (headers['hx-request'] !== 'true') return undefined;
  const [, id] = /^section#(.+)$/.exec(String(headers['hx-target'] ?? '')) ?? [];
  return page.sections.find((section) => section.id === id);
}

const vary = 'accept-language, cookie, accept-encoding';

export function createSendPage({ assets, routes, visitors, parts }: SendOptions): SendPage {
  const shellParts: ShellParts = { assets, routes, hasOverride: parts.settings.themeOverride !== undefined };

  /** Each copy of a token is a new one. */
  const withTokens = (text: string, visitor: Visitor): string =>
    text.replaceAll(tokenMark, () => visitors.issueToken(visitor));

  const concealOf = ({ identity, signedIn }: PageCall): Conceal | undefined =>
    signedIn && hasRole(identity.role, 'admin') ? undefined : parts.conceal;

  const headersOf = (language: string, exchange: Exchange): Record<string, string> => ({
    ...policyHeaders(exchange),
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
    'content-language': language,
    'x-request-id': exchange.correlationId,
    vary,
  });

  const sendText = async (
    { req, res }: Exchange,
    status: number,
    text: string,
    own: OutgoingHttpHeaders,
  ): Promise<void> => {
    const plain = Buffer.from(text);
    const isSmall = plain.length < smallest;
    const isGzip =
      !isSmall && selectEncoding(req.headers['accept-encoding']?.replace(/\bbr\b/g, '')) === 'gzip';
    const bytes = isGzip ? await gzip(plain, { level: constants.Z_BEST_SPEED + 4 }) : plain;
    if (res.destroyed) return;
    res.writeHead(status, {
      ...own,
      'content-length': bytes.length,
      ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
    });
    res.end(req.method === 'HEAD' ? undefined : bytes);
  };

  const sendSection = async (
    call: PageCall,
    visitor: Visitor,
    page: Page,
    section: Page['sections'][number],
  ) => {
    const { exchange, words } = call;
    const inside: Html = html`<title>${toTitle(page.title)}</title>${section.html}`;
    const own = headersOf(words.language, exchange);
    const tag = toTag(renderHtml(inside, concealOf(call)), section.every);
    own['hx-ptag'] = tag;
    if (exchange.req.headers['hx-ptag'] === tag) {
      exchange.res.writeHead(304, own);
      exchange.res.end();
      return;
    }
    const text = renderHtml(
      html`<title>${titleOf(call, page)}</title>${toSection(call, section, tag)}`,
      concealOf(call),
    );
    await sendText(exchange, 200, withTokens(text, visitor), own);
  };

  return {
    page: async (call, visitor, page) => {
      const { exchange, words } = call;
      const section = selectSection(exchange, page);
      if (section !== undefined) return sendSection(call, visitor, page, section);
      const conceal = concealOf(call);
      const tagOf = ({ html: inside, every }: Page['sections'][number]): string =>
        toTag(renderHtml(html`<title>${toTitle(page.title)}</title>${inside}`, conceal), every);
      const text = renderHtml(await toShell(shellParts, call, page, tagOf), conceal);
      const error = call.posted?.error;
      const status = page.status ?? (error === undefined ? 200 : catalogue[error.code].status);
      const cookies = visitor.cookies.length === 0 ? {} : { 'set-cookie': [...visitor.cookies] };
      const required = error === undefined ? page.headers : pageHeaders(error, exchange);
      const own = { ...headersOf(words.language, exchange), ...cookies, ...required };
      await sendText(exchange, status, withTokens(text, visitor), own);
    },
    bare: (exchange, page) => {
      const text = renderHtml(toBareShell(shellParts, page), parts.conceal);
      const own = { ...headersOf(page.language, exchange), ...page.headers };
      void sendText(exchange, page.status, text, own);
    },
  };
}

/** What a section is known by while it does not change: the same section, asked for again as often. */
function toTag(rendered: string, every: number | undefined): string {
  return createHash('sha256')
    .update(`${every ?? 0}\0${rendered}`)
    .digest('base64url')
    .slice(0, 22);
}
