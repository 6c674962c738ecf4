import type { Worker } from 'node:worker_threads';
import type { CommandClass } from 'clipanion';
import type { CommandContext } from './cli/command-context.ts';

export interface CommandEntry {
  readonly path: readonly string[];
  /** Summary for the overview, one line. */
  readonly summary: string;
  readonly load: () => Promise<CommandClass<CommandContext>>;
  /**
   * Starts the thread that takes longest to start, while the code of the command is loaded and its arguments
   * are parsed.
   */
  readonly startThread?: () => Promise<Worker>;
}

/** Every command by its path. The module of a command is loaded only when the command is used. */
export const commandIndex: readonly CommandEntry[] = [
  {
    path: ['quickstart'],
    summary: 'Set up an instance: store, state, first administrator, configuration',
    load: async () => (await import('./quickstart.ts')).QuickstartCommand,
  },
  {
    path: ['serve'],
    summary: 'Run the instance',
    load: async () => (await import('./serve.ts')).ServeCommand,
  },
  {
    path: ['sync'],
    summary: 'Synchronize a running instance, or plan it with --dry-run',
    load: async () => (await import('./sync.ts')).SyncCommand,
  },
  {
    path: ['status'],
    summary: 'Show whether an instance or a store has what is wanted, on one screen',
    load: async () => (await import('./status.ts')).StatusCommand,
  },
  {
    path: ['content', 'list'],
    summary: 'List the repositories of an instance or a store',
    load: async () => (await import('./content/list.ts')).ContentListCommand,
  },
  {
    path: ['content', 'show'],
    summary: 'Show a repository or a version, with the commands that pull it',
    load: async () => (await import('./content/show.ts')).ContentShowCommand,
  },
  {
    path: ['task', 'list'],
    summary: 'List the tasks of an instance, newest first',
    load: async () => (await import('./task/list.ts')).TaskListCommand,
  },
  {
    path: ['task', 'show'],
    summary: 'Show a task of an instance',
    load: async () => (await import('./task/show.ts')).TaskShowCommand,
  },
  {
    path: ['task', 'log'],
    summary: 'Print the log of a task of an instance',
    load: async () => (await import('./task/log.ts')).TaskLogCommand,
  },
  {
    path: ['task', 'wait'],
    summary: 'Wait for a task, and exit with the code of its outcome',
    load: async () => (await import('./task/wait.ts')).TaskWaitCommand,
  },
  {
    path: ['export'],
    summary: 'Write the store, or a part of it, as an OCI image layout',
    load: async () => (await import('./export.ts')).ExportCommand,
  },
  {
    path: ['import'],
    summary: 'Import an OCI image layout into the store',
    load: async () => (await import('./import.ts')).ImportCommand,
  },
  {
    path: ['media', 'show'],
    summary: 'Show what is on a carried disk, without verifying it',
    load: async () => (await import('./media/show.ts')).MediaShowCommand,
  },
  {
    path: ['media', 'verify'],
    summary: 'Verify a carried store without changing anything',
    load: async () => (await import('./media/verify.ts')).MediaVerifyCommand,
  },
  {
    path: ['media', 'import'],
    summary: 'Verify a carried store and push what passes to the destination',
    load: async () => (await import('./media/import.ts')).MediaImportCommand,
  },
  {
    path: ['store', 'check'],
    summary: 'Check a store by hashing every blob',
    load: async () => (await import('./store/check.ts')).StoreCheckCommand,
  },
  {
    path: ['fileset', 'pack'],
    summary: 'Pack a folder into the store as a FileSet',
    load: async () => (await import('./fileset/pack.ts')).FilesetPackCommand,
    startThread: async () => (await import('../src/fileset/start-pack-thread.ts')).startPackThread(),
  },
  {
    path: ['recipe', 'init'],
    summary: 'Draft a recipe from charts, manifests, compose files and image lists',
    load: async () => (await import('./recipe/init.ts')).RecipeInitCommand,
  },
  {
    path: ['recipe', 'push'],
    summary: 'Publish a pinned recipe into a cookbook',
    load: async () => (await import('./recipe/push.ts')).RecipePushCommand,
  },
  {
    path: ['recipe', 'pin'],
    summary: 'Pin the constraints and tags of a recipe to digests',
    load: async () => (await import('./recipe/pin.ts')).RecipePinCommand,
  },
  {
    path: ['recipe', 'sign'],
    summary: 'Sign a published recipe',
    load: async () => (await import('./recipe/sign.ts')).RecipeSignCommand,
  },
  {
    path: ['recipe', 'lint'],
    summary: 'Check recipe documents, drafts included',
    load: async () => (await import('./recipe/lint.ts')).RecipeLintCommand,
  },
  {
    path: ['recipe', 'show'],
    summary: 'Show what a recipe is made of, and whether its signature verifies',
    load: async () => (await import('./recipe/show.ts')).RecipeShowCommand,
  },
  {
    path: ['recipe', 'diff'],
    summary: 'Compare two recipes: every member that differs, and the bytes to transfer',
    load: async () => (await import('./recipe/diff.ts')).RecipeDiffCommand,
  },
  {
    path: ['recipe', 'mapping'],
    summary: 'Show where the ingredients of a recipe are, with mirror files for nodes',
    load: async () => (await import('./recipe/mapping.ts')).RecipeMappingCommand,
  },
  {
    path: ['retriever', 'init'],
    summary: 'Print a Retriever: the recipes of a zone',
    load: async () => (await import('./retriever/init.ts')).RetrieverInitCommand,
  },
  {
    path: ['retriever', 'lint'],
    summary: 'Check Retrievers for mistakes, each with its line',
    load: async () => (await import('./retriever/lint.ts')).RetrieverLintCommand,
  },
  {
    path: ['retriever', 'resolve'],
    summary: 'Show what each entry of a Retriever picks today',
    load: async () => (await import('./retriever/resolve.ts')).RetrieverResolveCommand,
  },
  {
    path: ['user', 'add'],
    summary: 'Create an account',
    load: async () => (await import('./user/add.ts')).UserAddCommand,
  },
  {
    path: ['user', 'list'],
    summary: 'List the accounts',
    load: async () => (await import('./user/list.ts')).UserListCommand,
  },
  {
    path: ['user', 'passwd'],
    summary: 'Set the password of an account',
    load: async () => (await import('./user/passwd.ts')).UserPasswdCommand,
  },
  {
    path: ['user', 'role'],
    summary: 'Change the role of an account',
    load: async () => (await import('./user/role.ts')).UserRoleCommand,
  },
  {
    path: ['user', 'remove'],
    summary: 'Delete an account',
    load: async () => (await import('./user/remove.ts')).UserRemoveCommand,
  },
  {
    path: ['token', 'create'],
    summary: 'Create an API token',
    load: async () => (await import('./token/create.ts')).TokenCreateCommand,
  },
  {
    path: ['token', 'list'],
    summary: 'List the API tokens',
    load: async () => (await import('./token/list.ts')).TokenListCommand,
  },
  {
    path: ['token', 'revoke'],
    summary: 'Revoke an API token',
    load: async () => (await import('./token/revoke.ts')).TokenRevokeCommand,
  },
  {
    path: ['client', 'config'],
    summary: 'Print the configuration of a client of the nodes',
    load: async () => (await import('./client-config/config.ts')).ClientConfigCommand,
  },
  {
    path: ['client', 'test'],
    summary: 'Test with the real client that nodes find the content here',
    load: async () => (await import('./client-test/test.ts')).ClientTestCommand,
  },
  {
    path: ['key', 'new'],
    summary: 'Create a key pair for signing',
    load: async () => (await import('./key/new.ts')).KeyNewCommand,
  },
  {
    path: ['key', 'show'],
    summary: 'Show type, fingerprint and public key of a key',
    load: async () => (await import('./key/show.ts')).KeyShowCommand,
  },
  {
    path: ['trust', 'show'],
    summary: 'Show the trust roots, scopes and peers in force',
    load: async () => (await import('./trust/show.ts')).TrustShowCommand,
  },
  {
    path: ['trust', 'fingerprint'],
    summary: 'Show the fingerprint of a public key',
    load: async () => (await import('./trust/fingerprint.ts')).TrustFingerprintCommand,
  },
  {
    path: ['config', 'dump'],
    summary: 'Show the merged configuration, secrets redacted',
    load: async () => (await import('./config/dump.ts')).ConfigDumpCommand,
  },
  {
    path: ['config', 'schema'],
    summary: 'Print the JSON Schema of the configuration file',
    load: async () => (await import('./config/schema.ts')).ConfigSchemaCommand,
  },
  {
    path: ['explain'],
    summary: 'Explain an error code: what it means, why, what to do',
    load: async () => (await import('./explain.ts')).ExplainCommand,
  },
  {
    path: ['version'],
    summary: 'Show version, commit, build date and runtime',
    load: async () => (await import('./version.ts')).VersionCommand,
  },
  {
    path: ['completion'],
    summary: 'Print the completion script of a shell',
    load: async () => (await import('./completion.ts')).CompletionCommand,
  },
];
