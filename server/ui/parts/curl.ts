import type { PageCall } from '../ui-route.ts';

/** The path below which the API answers. */
export const apiBase = '/api/v1';

/** The address of this instance by the name that its configuration gives, never by the `Host` of a request. */
export function instanceUrl({ certificate, names, exchange }: PageCall): string {
  const scheme = certificate === undefined ? 'http' : 'https';
  return `${scheme}://${names[0] ?? `localhost:${exchange.req.socket.localPort}`}`;
}

/**
 * A command that calls a route of the API.
 *
 * @param path below `/api/v1`, with its query
 * @param body JSON that the route takes
 */
export function curlCommand(call: PageCall, method: string, path: string, body?: string): string {
  const data = body === undefined ? '' : ` \\\n  -H 'Content-Type: application/json' -d '${body}'`;
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  return `curl${verb} -H "Authorization: Bearer $SVC_API_TOKEN"${data} \\\n  '${instanceUrl(call)}${apiBase}${path}'`;
}
