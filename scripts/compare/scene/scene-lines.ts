/**
 * A command line of the scene. `{origin}` is the registry that it synchronizes from, `{stored}` its folder in the store,
 * `{task}` the synchronization.
 */
export interface SceneLine {
  readonly line: string;
  /** It changes something: it is run in one format only. */
  readonly isOnce?: true;
}

const once = (...lines: readonly string[]): SceneLine[] => lines.map((line) => ({ line, isOnce: true }));
const each = (...lines: readonly string[]): SceneLine[] => lines.map((line) => ({ line }));

/** Before the instance runs. */
export const linesBefore: readonly SceneLine[] = [
  ...once(
    'user add alice --password-file password',
    'user add olga --role operator --password-file password',
    'user add vera --role viewer --password-file password',
    'user add vera --role viewer --password-file password',
    'token create admin --role admin',
    'token create operator --role operator',
    'token create viewer --role viewer',
    'token create unused --role viewer',
    'token revoke unused',
    'fileset pack manuals manuals:7.31.0',
  ),
  ...each('user list', 'token list', 'user role nobody viewer', 'config dump', 'trust show'),
];

/** While the instance runs and has synchronized. */
export const linesOfInstance: readonly SceneLine[] = each(
  'sync --dry-run',
  'status',
  'content list',
  'content list --all --sort size',
  'content list --folders',
  'content list --search web --kind ContainerImage',
  'content show {stored}/shop/web',
  'content show {stored}/shop/web:7.31.0',
  'content show {stored}/shop/web:7.99.0',
  'content show no/such/repository',
  'task list',
  'task list --status failed',
  'task show {task}',
  'task show tsk_000000000000',
  'task log {task}',
  'task wait {task}',
  'recipe show shop@7.31.0',
  'recipe show {origin}/cookbook/shop:7.31.0 --verify',
  'recipe show {origin}/cookbook/unsigned:7.31.0 --verify',
  'recipe mapping shop',
  'recipe mapping shop@7.99.0',
  'retriever resolve retriever.yaml',
  'client config containerd',
  'client config docker',
  'client config apt',
  'client config no-such-client',
  'export out.tar --dry-run',
  'media show',
  'store check',
);

/** When the instance has ended. */
export const linesAfter: readonly SceneLine[] = [
  ...each('store check', 'content list', 'status', 'export no-such-folder/out.tar', 'media verify'),
  ...once('export out.tar', 'export out.tar', 'import out.tar', 'import password'),
];
