import type { Exchange } from '../exchange.ts';

/**
 * Headers that are the same in every answer of the registry. The stored content comes from others: browsers must not guess its
 * type, and must not run, load or frame anything of it (Content Security Policy). No cache stores an answer, unless a
 * handler says otherwise: whether something may be read is decided for each request.
 */
export const commonHeaders = {
  'docker-distribution-api-version': 'registry/2.0',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
} as const;

/** Headers of every answer of the registry. */
export function baseHeaders(call: { readonly exchange: Exchange }): Record<string, string | number> {
  return { ...commonHeaders, 'x-request-id': call.exchange.correlationId };
}
