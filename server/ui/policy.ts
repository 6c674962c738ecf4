/** What a page may load and do. Nothing inline, nothing from elsewhere; script sinks take no text. */
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

/**
 * Headers of every answer of the interface.
 *
 * @param isTls the listener speaks TLS; browsers ignore the opener policy elsewhere, and say so on the console. There is
 *   no HSTS: it would lock out the users of an instance with a certificate of its own.
 */
export function policyHeaders(isTls: boolean): Readonly<Record<string, string>> {
  return {
    'content-security-policy': contentPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(isTls ? { 'cross-origin-opener-policy': 'same-origin' } : {}),
  };
}
