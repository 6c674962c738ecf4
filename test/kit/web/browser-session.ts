import type { Role } from '../../../src/account/model.ts';
import type { TestServer } from '../instance/server.ts';

/** A visitor of the web interface with a cookie jar, as a browser sends requests; redirects are not followed. */
export interface BrowserSession {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Posts the fields with the token of a page and, where its form for this path shows a preview, its fingerprint. */
  post(
    path: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
    options?: {
      readonly page?: string;
      readonly token?: string;
      readonly headers?: Readonly<Record<string, string>>;
    },
  ): Promise<Response>;
  /** As `post`, then opens the result that it leads to. */
  postAndOpen: BrowserSession['post'];
  /** Signs in; fails when that does not lead on. */
  signIn(name: string, password: string): Promise<void>;
  /** A form token of a page. */
  tokenOf(page: string): Promise<string>;
}

/** The fingerprint in the form of a page that posts to a path. */
export function fingerprintOf(markup: string, action: string): string | undefined {
  for (const [form] of markup.matchAll(/<form[^>]*>[\s\S]*?<\/form>/g))
    if (form.slice(0, form.indexOf('>')).includes(`action="${action}"`))
      return /name="fingerprint" value="([^"]+)"/.exec(form)?.[1];
  return undefined;
}

export function openBrowserSession(server: Pick<TestServer, 'url'>): BrowserSession {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (cookies.size > 0) headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '));
    if (!headers.has('accept')) headers.set('accept', 'text/html,application/xhtml+xml,*/*;q=0.8');
    const response = await fetch(`${server.url}${path}`, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '' || /;\s*max-age=0/i.test(line)) cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    return response;
  };
  const get: BrowserSession['get'] = (path, headers = {}) => send(path, { headers });
  const tokenOf = async (page: string): Promise<string> => {
    const text = await (await get(page)).text();
    return /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  };
  const post: BrowserSession['post'] = async (
    path,
    fields,
    { page = '/login', token, headers = {} } = {},
  ) => {
    const text = token === undefined ? await (await get(page)).text() : '';
    const csrf = token ?? /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const fingerprint = fingerprintOf(text, path);
    const body = new URLSearchParams({
      csrf,
      ...(fingerprint === undefined ? {} : { fingerprint }),
    });
    for (const [name, values] of Object.entries(fields)) {
      body.delete(name);
      for (const value of [values].flat()) body.append(name, value);
    }
    return send(path, { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin', ...headers } });
  };
  return {
    cookies,
    get,
    post,
    postAndOpen: async (path, fields, options = {}) => {
      const answer = await post(path, fields, options);
      const location = answer.headers.get('location') ?? '';
      return /[?&]result=/.test(location) ? get(location, options.headers ?? {}) : answer;
    },
    tokenOf,
    signIn: async (name, password) => {
      const response = await post('/login', { name, password });
      if (response.status !== 303) throw new Error(`no sign-in: ${response.status} ${await response.text()}`);
    },
  };
}

/** Creates an account, and signs a visitor in with it. */
export async function signInAs(
  server: Pick<TestServer, 'url' | 'accounts'>,
  role: Role,
  name: string,
): Promise<BrowserSession> {
  const session = openBrowserSession(server);
  const password = 'a good password';
  await server.accounts.create({ name, role, password });
  await session.signIn(name, password);
  return session;
}
