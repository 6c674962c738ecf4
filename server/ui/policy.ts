import type { Exchange } from '../exchange.ts';

/** The content security policy of a page. Nothing inline, nothing from elsewhere; script sinks take no text. */
export const contentPolicy: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
].join('; ');

const common = {
  'content-security-policy': contentPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const overTls = { ...common, 'cross-origin-opener-policy': 'same-origin' } as const;

/**
 * Headers of every answer of the interface. Over plain HTTP browsers ignore the opener policy, and say so on the console, so
 * it depends on the scheme that the browser uses. There is no HSTS: it would lock out the users of an instance with a
 * certificate of its own.
 */
export function policyHeaders({ scheme }: Pick<Exchange, 'scheme'>): Readonly<Record<string, string>> {
  return scheme === 'https' ? overTls : common;
}
