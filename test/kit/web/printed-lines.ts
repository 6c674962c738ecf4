import { uiRoutes } from '../../../server/ui/routes.ts';

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const decode = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!);

/** The commands that a page prints. */
export function listPrinted(markup: string): readonly string[] {
  return [...markup.matchAll(/<div class="command"><pre[^>]*><code>([\s\S]*?)<\/code>/g)].map(([, text]) =>
    decode(text!),
  );
}

/** A pattern for the paths that fit a template; `{repo}` has slashes. */
const toPattern = (path: string): string =>
  path
    .split(/(\{[a-z]+\})/)
    .map((part) =>
      part === '{repo}'
        ? '[^?]+'
        : part.startsWith('{')
          ? '[^/?]+'
          : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('');

/** Names the operation of a form: `POST /sync`. */
export const nameMirror = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path}`;

/** The operation of a form of a page: `POST /sync`; undefined for those of the interface alone. */
function mirrorOf(action: string): string | undefined {
  const found = uiRoutes.find(
    ({ method, path }) => method === 'POST' && new RegExp(`^${toPattern(path)}$`).test(action),
  );
  return found !== undefined && 'mirror' in found ? nameMirror(found.mirror) : undefined;
}

/** The routes of the API that the forms of a page become requests of. */
export function listMirrored(markup: string): ReadonlySet<string> {
  const actions = [
    ...markup.matchAll(/<form [^>]*method="post" action="([^"]+)"|<button [^>]*formaction="([^"]+)"/g),
  ].map(([, own, other]) => decode((own ?? other)!));
  return new Set(actions.flatMap((action) => mirrorOf(action) ?? []));
}

/** Commands that do all that a form does, where no request is printed. */
const commands: Readonly<Record<string, string>> = {
  'POST /accounts': 'svc user add ',
  'POST /evidence': 'svc evidence pack ',
  'POST /filesets/pack': 'svc fileset pack ',
  'POST /recipes/publish': 'svc recipe push ',
};

/** The forms of a page beside which no line stands that does the same, by their routes of the API. */
export function listUnprinted(markup: string): readonly string[] {
  const printed = listPrinted(markup);
  return [...listMirrored(markup)].filter((mirror) => {
    const [method = '', path = ''] = mirror.split(' ');
    const url = new RegExp(`/api/v1${toPattern(path)}(?:\\?[^']*)?'$`);
    const verb = method === 'GET' ? /\bcurl -H/ : new RegExp(`\\bcurl -X ${method} `);
    const command = commands[mirror];
    return !printed.some(
      (line) => (verb.test(line) && url.test(line)) || (command !== undefined && line.startsWith(command)),
    );
  });
}
