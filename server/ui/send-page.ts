import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { constants, gzip as gzipCallback } from 'node:zlib';
import { hasRole } from '../../src/account/model.ts';
import { errorKinds } from '../../src/text/errors/codes.ts';
import { lingerAfterRefusal } from '../body.ts';
import type { Conceal } from '../conceal.ts';
import type { Exchange } from '../exchange.ts';
import { FixedBodies, type FixedBody, gzipAround } from './fixed-body.ts';
import { fixedMark, html, renderHtml, renderOnce, tokenMark } from './html.ts';
import type { Assets } from './load-assets.ts';
import { pageHeaders } from './parts/error.ts';
import { refusalOf, type ShellParts, titleOf, toBareShell, toSection, toShell } from './parts/shell.ts';
import { policyHeaders } from './policy.ts';
import { selectEncoding } from './send-asset.ts';
import type { Visitor, Visitors } from './session.ts';
import type { BarePage, Page, PageCall, UiParts, UiRoute } from './ui-route.ts';

const gzip = promisify(gzipCallback);
/** Bytes below which compressing a page costs more than it saves. */
const smallest = 1024;
const level = constants.Z_BEST_SPEED + 4;
/** A window of 16 KiB and small tables: 96 KiB of memory for each page, in place of 256 KiB. */
const options = { level, windowBits: 14, memLevel: 6 };

interface SendOptions {
  readonly assets: Assets;
  readonly routes: readonly UiRoute[];
  readonly visitors: Pick<Visitors, 'tokensFor'>;
  readonly parts: UiParts;
}

interface SendPage {
  /** Sends a page, or the one section of it that is asked for, or 304 when that has not changed. */
  page(call: PageCall, visitor: Visitor, page: Page): Promise<void>;
  /** Sends a page without navigation, to an unknown visitor. */
  bare(exchange: Exchange, page: BarePage): void;
}

type Section = Page['sections'][number];

/** The section that htmx asks for: its target is `section#walk`. */
function askedSection({ req: { headers } }: Exchange): string | undefined {
  if (headers['hx-request'] !== 'true') return undefined;
  return /^section#(.+)$/.exec(String(headers['hx-target'] ?? ''))?.[1];
}

const vary = 'accept-language, cookie, accept-encoding';

export function createSendPage({ assets, routes, visitors, parts }: SendOptions): SendPage {
  const fixed = new FixedBodies();
  const shellParts: ShellParts = { assets, routes, hasOverride: parts.settings.themeOverride !== undefined };

  /** Each copy of a token is a new one. */
  const withTokens = (text: string, visitor: Visitor): string =>
    text.replaceAll(tokenMark, visitors.tokensFor(visitor));

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
    body?: FixedBody,
  ): Promise<void> => {
    const [plain, tail] = text.split(fixedMark).map((part) => Buffer.from(part)) as [Buffer, Buffer?];
    const isLarge = body !== undefined || plain.length >= smallest;
    const isGzip =
      isLarge && selectEncoding(req.headers['accept-encoding']?.replace(/\bbr\b/g, '')) === 'gzip';
    let bytes = plain;
    if (body === undefined) bytes = isGzip ? await gzip(plain, options) : plain;
    else {
      const around = { head: plain, body, tail: tail! };
      bytes = isGzip ? await gzipAround(around, options) : Buffer.concat([plain, body.plain, tail!]);
    }
    if (res.destroyed) return;
    lingerAfterRefusal(req, res);
    res.writeHead(status, {
      ...own,
      'content-length': bytes.length,
      ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
    });
    res.end(req.method === 'HEAD' ? undefined : bytes);
  };

  const sendUnchanged = ({ exchange, words }: PageCall, tag: string): void => {
    exchange.res.writeHead(304, { ...headersOf(words.language, exchange), 'hx-ptag': tag });
    exchange.res.end();
  };

  /** Renders a live section, once for its tag and for the page. */
  const settle = (call: PageCall, page: Page, section: Section) => {
    const inside = renderOnce(section.html, concealOf(call));
    const tag = toTag([titleOf(call, page), call.here, section, inside.text]);
    return { section: { ...section, html: inside.html }, tag };
  };

  const sendSection = async (call: PageCall, visitor: Visitor, page: Page, asked: Section) => {
    const { exchange, words } = call;
    const { section, tag } = settle(call, page, asked);
    if (exchange.req.headers['hx-ptag'] === tag) return sendUnchanged(call, tag);
    const text = renderHtml(
      html`<title>${titleOf(call, page)}</title>${toSection(call, section, tag)}`,
      concealOf(call),
    );
    const own = { ...headersOf(words.language, exchange), 'hx-ptag': tag };
    await sendText(exchange, 200, withTokens(text, visitor), own);
  };

  return {
    page: async (call, visitor, page) => {
      const { exchange, words } = call;
      const asked = askedSection(exchange);
      const polled = page.sections.find(({ id }) => id === asked);
      if (polled !== undefined) return sendSection(call, visitor, page, polled);
      const tags = new Map<string, string>();
      const sections = page.sections.map((each) => {
        if (each.every === undefined) return each;
        const { section, tag } = settle(call, page, each);
        tags.set(section.id, tag);
        return section;
      });
      const tagOf = ({ id }: Section): string => tags.get(id)!;
      const text = renderHtml(await toShell(shellParts, call, { ...page, sections }, tagOf), concealOf(call));
      const { error } = refusalOf(call, page);
      const status = page.status ?? (error === undefined ? 200 : errorKinds[error.code].status);
      const cookies = visitor.cookies.length === 0 ? {} : { 'set-cookie': [...visitor.cookies] };
      const required = error === undefined ? page.headers : pageHeaders(error, exchange);
      const own = { ...headersOf(words.language, exchange), ...cookies, ...required };
      const body = page.isFixed ? await fixed.of(call, page, concealOf(call)) : undefined;
      await sendText(exchange, status, withTokens(text, visitor), own, body);
    },
    bare: (exchange, page) => {
      const text = renderHtml(toBareShell(shellParts, page), parts.conceal);
      const own = { ...headersOf(page.language, exchange), ...page.headers };
      void sendText(exchange, page.status, text, own);
    },
  };
}

/** The tag of a section, made from all of its sent parts: it stays the same while the section does not change. */
function toTag([title, here, { id, every, label, status }, inside]: readonly [
  title: string,
  here: string,
  section: Section,
  inside: string,
]): string {
  return createHash('sha256')
    .update(JSON.stringify([title, here, id, every, label, status]))
    .update(inside)
    .digest('base64url')
    .slice(0, 22);
}
