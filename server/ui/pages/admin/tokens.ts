import { parseName } from '../../../../src/account/credential-rules.ts';
import { createToken, revokeToken } from '../../../../src/contract/operations/access.ts';
import { accounts, roleWords } from '../../../../src/text/words/accounts.ts';
import { done } from '../../../../src/text/words/done.ts';
import { type Client, toLoginCommand } from '../../../../src/view/pull-commands.ts';
import type { Query } from '../../../api/api-route.ts';
import { listTokens, requireToken } from '../../../views/accounts.ts';
import { toReached } from '../../../views/reached.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { clientList } from '../../parts/client-list.ts';
import { copyable } from '../../parts/copy.ts';
import { curlCommand } from '../../parts/curl.ts';
import { fingerprintField } from '../../parts/fingerprint.ts';
import { form, selectField, submit, textField } from '../../parts/form.ts';
import { historyLink } from '../../parts/history-link.ts';
import { icon } from '../../parts/icons.ts';
import { facts } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { toPath } from '../../to-href.ts';
import { action, type Page, type PageCall, page, type UiRoute } from '../../ui-route.ts';
import { roleOptions } from './accounts.ts';

/** Registry clients that sign in with a token. */
const clients: readonly Client[] = ['docker', 'podman', 'skopeo', 'crane', 'helm', 'oras'];

/** The page `/admin/accounts/-/token`. */
async function showNewToken(call: PageCall): Promise<Page> {
  const { say } = call.words;
  await listTokens(call);
  return {
    title: say(accounts.newToken),
    crumbs: [[say(accounts.title), '/admin/accounts']],
    sections: [
      {
        id: 'new',
        html: form(
          '/admin/accounts/-/token',
          html`${textField(call, { name: 'name', label: say(accounts.name), hint: `${say(accounts.tokenHint)} ${say(accounts.nameHint)}`, required: true })}
${selectField(call, { name: 'role', label: say(accounts.role), value: 'viewer', options: roleOptions(call.words) })}
${submit(say(accounts.createToken))}`,
        ),
      },
      {
        id: 'terminal',
        html: terminal(call.words, [
          'svc token create pipeline --role operator',
          curlCommand(call, 'POST', '/tokens', JSON.stringify({ name: 'pipeline', role: 'operator' })),
        ]),
      },
    ],
  };
}

/** Parameter that names a new token. */
const madeName = 'made';

/** Shows the secret of a new token for a minute, and never again. A lost answer or a choice of the language loses nothing. */
function showSecret(call: PageCall): Page {
  const { words } = call;
  const { say } = words;
  const made = call.secrets.look(call.holder, call.search.get(madeName) ?? '');
  if (made === undefined)
    return {
      title: say(accounts.newToken),
      crumbs: [[say(accounts.title), '/admin/accounts']],
      sections: [
        {
          id: 'secret',
          html: html`<div class="note">${icon('info')}<p>${say(accounts.secretGone)}</p></div>
<p><a class="button button-primary" href="/admin/accounts">${say(accounts.done)}</a></p>`,
        },
      ],
    };
  const { name, role, secret } = made;
  const base = toReached(call);
  return {
    title: say(accounts.createdTitle, { name }),
    crumbs: [[say(accounts.title), '/admin/accounts']],
    sections: [
      {
        id: 'secret',
        html: html`<div class="note" role="status">${icon('key')}<p>${say(accounts.once)}</p></div>
${facts([
  [say(accounts.role), html`<span class="badge">${role}</span>`],
  [say(accounts.secret), copyable(words, secret, say(accounts.secret))],
])}`,
      },
      {
        id: 'login',
        html: html`<h2>${say(accounts.login)}</h2><p>${say(accounts.loginLine)}</p>
${clientList(
  call,
  clients.map((client) => [client, toLoginCommand(client, base, name)] as const),
)}
<p><a class="button button-primary" href="/admin/accounts">${say(accounts.done)}</a></p>`,
      },
    ],
  };
}

type TokenCall = PageCall<Query, { readonly name: string }>;
type ShownToken = Awaited<ReturnType<typeof requireToken>>;

/** What a token is, and what it did. */
function tokenFacts(call: TokenCall, token: ShownToken): Html {
  const { say, format } = call.words;
  const { name, role, createdAt, lastUsedOn, revokedAt } = token;
  const state =
    revokedAt === undefined
      ? badge('ok', say(accounts.valid))
      : say(accounts.revokedAt, { time: format.time(revokedAt) });
  return html`${facts([
    [say(accounts.role), html`<span class="badge">${say(roleWords[role])}</span>`],
    [say(accounts.created), format.time(createdAt)],
    [say(accounts.lastUsed), lastUsedOn === undefined ? say(accounts.never) : format.day(lastUsedOn)],
    [say(accounts.state), state],
  ])}${historyLink(call, name, { actor: `token:${name}` })}`;
}

/** The form that revokes a token, with the effect. */
function revokeForm(call: TokenCall, { name, fingerprint }: ShownToken): Html {
  const { say } = call.words;
  return html`<p>${say(accounts.revokeGoes)}</p><p>${say(accounts.revokeStays)}</p>
${form(toPath('/admin/accounts/-/tokens/{name}/revoke', { name }), html`${fingerprintField(fingerprint)}<div class="buttons">${submit(say(accounts.revokeSubmit), { kind: 'danger' })}<a class="button button-plain" href="/admin/accounts">${say(accounts.cancel)}</a></div>`)}`;
}

function revokeTerminal(call: TokenCall, { name, fingerprint }: ShownToken): Html {
  const path = toPath('/tokens/{name}/revoke', { name });
  return terminal(call.words, [
    `svc token revoke ${name}`,
    curlCommand(call, 'POST', path, JSON.stringify({ fingerprint })),
  ]);
}

/** The page `/admin/accounts/-/tokens/{name}`: the token, then the way to revoke it. */
async function showToken(call: TokenCall): Promise<Page> {
  const { say } = call.words;
  const token = await requireToken(call, call.path.name);
  const { name, revokedAt } = token;
  return {
    title: say(accounts.tokenNamed, { name }),
    crumbs: [[say(accounts.title), '/admin/accounts']],
    sections: [
      { id: 'token', html: tokenFacts(call, token) },
      ...(revokedAt === undefined
        ? [
            { id: 'revoke', html: html`<h2>${say(accounts.revoke)}</h2>${revokeForm(call, token)}` },
            { id: 'terminal', html: revokeTerminal(call, token) },
          ]
        : []),
    ],
  };
}

/** The page `/admin/accounts/-/tokens/{name}/revoke`. */
async function showRevoke(call: TokenCall): Promise<Page> {
  const { say } = call.words;
  const token = await requireToken(call, call.path.name);
  return {
    title: say(accounts.revokeNamed, { name: token.name }),
    crumbs: [[say(accounts.title), '/admin/accounts']],
    sections: [
      { id: 'preview', html: html`${tokenFacts(call, token)}${revokeForm(call, token)}` },
      { id: 'terminal', html: revokeTerminal(call, token) },
    ],
  };
}

export const tokenPages: readonly UiRoute[] = [
  {
    method: 'GET',
    path: '/admin/accounts/-/token',
    floor: 'admin',
    title: accounts.newToken,
    page: showNewToken,
  },
  {
    method: 'GET',
    path: '/admin/accounts/-/token/made',
    floor: 'admin',
    title: accounts.newToken,
    page: showSecret,
  },
  action(createToken, {
    path: '/admin/accounts/-/token',
    page: '/admin/accounts/-/token',
    faulty: { 'SVC-AUTH-008': 'name', 'SVC-AUTH-009': 'name' },
    checks: () => ({ name: parseName }),
    done: (call, answer) => {
      const { token } = answer;
      const name = call.secrets.hold(call.holder, token);
      return { location: toPath('/admin/accounts/-/token/made', {}, { [madeName]: name }) };
    },
  }),
  page({
    method: 'GET',
    path: '/admin/accounts/-/tokens/{name}',
    floor: 'admin',
    title: accounts.tokens,
    page: showToken,
  }),
  page({
    method: 'GET',
    path: '/admin/accounts/-/tokens/{name}/revoke',
    floor: 'admin',
    title: accounts.revoke,
    page: showRevoke,
  }),
  action(revokeToken, {
    path: '/admin/accounts/-/tokens/{name}/revoke',
    page: '/admin/accounts/-/tokens/{name}/revoke',
    needsPreview: true,
    done: ({ path }) => ({
      location: '/admin/accounts',
      said: { text: done.tokenRevoked, params: { name: path.name! } },
    }),
  }),
];
