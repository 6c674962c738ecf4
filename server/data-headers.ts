/**
 * Headers of every answer that is data: of the API, of the probes, and of problem documents. A browser that opens one
 * runs and loads nothing in it. No page of another site embeds or frames it (Content Security Policy Level 3:
 * `default-src`, `frame-ancestors`; Fetch: `Cross-Origin-Resource-Policy`). They are the same for every request, so that
 * none has to be worked out.
 */
export const dataHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;
