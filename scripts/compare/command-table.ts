import type { CommandShape, Flag } from './command-tree.ts';

/** A command line of the table, and whether it is compared in every language and format or in one. */
export interface TableLine {
  readonly args: readonly string[];
  readonly isBrief?: true;
}

/** Files beside which each line is run, by name. No instance and no store is there. */
export const tableFiles: Readonly<Record<string, string>> = {
  'svc.yaml':
    'storage: { root: ./store }\nstate: { root: ./state }\nserver: { addr: "127.0.0.1:1" }\nsync: { retries: 0 }\n',
  'mirror.yaml':
    'mode: mirror\nstorage: { root: ./store }\nstate: { root: ./state }\nserver: { addr: "127.0.0.1:1" }\nsync: { retries: 0 }\n',
  'broken.yaml': 'mode: mirror\nstorage: [\n',
  'wrong.yaml': 'mode: neither\nstorrage: { root: 7 }\nsync: { interval: soon, parallelism: -1 }\n',
  'empty.yaml': '',
  'recipe.yaml': toDocument('Recipe', 'shop', '7.31.0'),
  'other.yaml': toDocument('Recipe', 'shop', '7.32.0').replace(/a{64}/, 'b'.repeat(64)),
  'draft.yaml': toDocument('Recipe', 'shop', '7.31.0').replace(
    /version: "7[^\n]*\n *digest[^\n]*/,
    'version: ^7.1',
  ),
  'retriever.yaml':
    'apiVersion: recipe.tobby.dev/v1alpha1\nkind: Retriever\nmetadata: { name: zone-b }\nspec: { cookbook: 127.0.0.1:1/cookbook, recipes: [{ name: shop, version: ^7.1 }, { name: shop, version: soon }] }\n',
  'key.pub':
    '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt\n6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==\n-----END PUBLIC KEY-----\n',
};

function toDocument(kind: string, name: string, version: string): string {
  return `apiVersion: recipe.tobby.dev/v1alpha1
kind: ${kind}
metadata: { name: ${name}, version: ${version} }
spec:
  ingredients:
    - name: web
      kind: ContainerImage
      ref: 127.0.0.1:1/shop/web
      version: "${version}"
      digest: sha256:${'a'.repeat(64)}
`;
}

/** A value for a required argument that gets past its first check and finds nothing. */
function toArgument(name: string): string {
  if (/path|file|folder|dir|prefix|output/i.test(name)) return 'no-such-folder/file';
  if (/reference/.test(name)) return '127.0.0.1:1/shop/web:7.31.0';
  if (/name:version/.test(name)) return 'manuals:7.31.0';
  if (/task/.test(name)) return 'tsk_000000000000';
  if (/code/.test(name)) return 'SVC-MED-012';
  if (/shell/.test(name)) return 'bash';
  return 'no-such-name';
}

/** A mistake in a flag: a value where there is none, one that does not fit, or none. */
function toMistake({ name, value }: Flag): readonly string[] {
  if (value === undefined) return [`${name}=maybe`];
  if (/path|dir/.test(value)) return [name, 'no-such-folder/file'];
  return /\||duration|number|url|host/.test(value) ? [name, 'no such value'] : [name];
}

/** Command lines with a mistake, or for which something is missing, of one command. */
function* listMistakes({ path, arguments: required, flags }: CommandShape): Generator<TableLine> {
  const given = [...path, ...required.map(toArgument)];
  yield { args: path };
  for (const more of [
    [],
    ['--no-such-flag'],
    ['one', 'more', 'than', 'it', 'takes'],
    ['--config', 'no-such-file.yaml'],
    ['--config', 'wrong.yaml'],
    flags.filter(({ value, name }) => value === undefined && name !== '--help').map(({ name }) => name),
  ])
    yield { args: [...given, ...more] };
  for (const more of [
    ['--output', 'yaml'],
    ['--output'],
    ['--config', 'broken.yaml'],
    ...flags.filter(({ name }) => name !== '--help').map(toMistake),
  ])
    yield { args: [...given, ...more], isBrief: true };
}

/** Command lines that are right, or wrong in a name that they use. */
const further: readonly string[] = [
  '',
  '--help',
  '--version',
  'help',
  'no-such-command',
  'verson',
  'recipe',
  'recipe no-such-command',
  'version --config no-such-file.yaml',
  'explain',
  'explain MED-012',
  'explain no-such-code',
  'completion bash',
  'completion zsh',
  'completion fish',
  'completion powershell',
  'completion no-such-shell',
  'config schema',
  'config dump --config empty.yaml',
  'config dump --config mirror.yaml',
  'config dump --mode passthrough --log-level debug --shutdown-grace-period 5s',
  'config dump --mode neither',
  'config dump --log-level loud',
  'config dump --shutdown-grace-period soon',
  'config dump --server-addr nowhere',
  'config dump --proxy-url no-url',
  'config dump --tls-cert-file key.pub',
  'serve --mode mirror --storage-root no-such-folder/store --server-addr nowhere',
  'recipe lint recipe.yaml',
  'recipe lint draft.yaml',
  'recipe lint retriever.yaml',
  'recipe lint svc.yaml',
  'recipe lint recipe.yaml no-such-file.yaml',
  'recipe show recipe.yaml',
  'recipe show draft.yaml',
  'recipe show shop@7.31.0',
  'recipe mapping recipe.yaml',
  'recipe diff recipe.yaml other.yaml',
  'recipe diff recipe.yaml recipe.yaml',
  'recipe diff recipe.yaml key.pub',
  'recipe pin draft.yaml',
  'recipe push recipe.yaml 127.0.0.1:1/cookbook/shop:7.31.0',
  'recipe push draft.yaml 127.0.0.1:1/cookbook/shop:7.31.0',
  'recipe init --from recipe.yaml',
  'retriever lint retriever.yaml',
  'retriever lint recipe.yaml',
  'retriever init',
  'retriever resolve retriever.yaml',
  'key show key.pub',
  'key show svc.yaml',
  'trust fingerprint key.pub',
  'trust fingerprint svc.yaml',
  'trust show --config mirror.yaml',
  'user list --config mirror.yaml',
  'token list --config mirror.yaml',
  'status --config mirror.yaml',
  'content list --config mirror.yaml',
  'store check --config mirror.yaml',
  'media show --config mirror.yaml',
  'media verify --config mirror.yaml --zone zone-b',
  'sync --dry-run --config mirror.yaml',
  'client config no-such-client',
  'client config containerd --config mirror.yaml',
  'import svc.yaml --config mirror.yaml',
  'export out.tar --config mirror.yaml',
  'fileset pack . manuals:7.31.0 --config mirror.yaml --check',
];

/** Every command line of the table, made from the commands and written by hand. */
export function listTableLines(commands: readonly CommandShape[]): readonly TableLine[] {
  const lines = [
    ...commands.flatMap((command) => [...listMistakes(command)]),
    ...further.map((line): TableLine => ({ args: line.split(' ').filter(Boolean) })),
  ];
  return [...new Map(lines.map((line) => [line.args.join('\0'), line])).values()];
}
