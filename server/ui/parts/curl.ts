import { toReached } from '../../views/reached.ts';
import type { PageCall } from '../ui-route.ts';

/** The path below which the API answers. */
export const apiBase = '/api/v1';

/** The address of this instance by the name that its configuration gives, never by the `Host` of a request. */
export function instanceUrl(call: PageCall): string {
  const { scheme, host } = toReached(call);
  return `${scheme}://${host}`;
}

/** Quotes a URL for a shell: a path may have an apostrophe (RFC 3986, section 2.2), which would end the quotes. */
export function quoteUrl(url: string): string {
  return `'${url.replaceAll("'", '%27')}'`;
}

const withToken = '-H "Authorization: Bearer $SVC_API_TOKEN"';

/**
 * A command that calls a route of the API.
 *
 * @param path below `/api/v1`, with its query
 * @param body JSON that the route takes, or `@` and the name of the file that has it (curl(1), `--data`)
 * @param credential the option that signs in
 */
export function curlCommand(
  call: PageCall,
  method: string,
  path: string,
  body?: string,
  credential = withToken,
): string {
  const data =
    body === undefined
      ? ''
      : ` \\\n  -H 'Content-Type: application/json' -d '${body.replaceAll("'", "'\\''")}'`;
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  const url = quoteUrl(`${instanceUrl(call)}${apiBase}${path}`);
  return `curl${verb} ${credential}${data} \\\n  ${url}`;
}
