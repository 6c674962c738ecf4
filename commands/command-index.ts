import type { CommandClass } from 'clipanion';
import type { CommandContext } from './command-context.ts';
import type { Area } from './render-overview.ts';

export interface CommandEntry {
  readonly path: readonly string[];
  readonly area: Area;
  /** One line of the overview. */
  readonly summary: string;
  readonly load: () => Promise<CommandClass<CommandContext>>;
}

/** Every command, by its path. A command's module is loaded only when it is asked for. */
export const commandIndex: readonly CommandEntry[] = [
  {
    path: ['quickstart'],
    area: 'start',
    summary: 'Set up an instance: store, state, first administrator, configuration',
    load: async () => (await import('./quickstart.ts')).QuickstartCommand,
  },
  {
    path: ['serve'],
    area: 'start',
    summary: 'Run the instance',
    load: async () => (await import('./serve.ts')).ServeCommand,
  },
  {
    path: ['sync'],
    area: 'fill',
    summary: 'Synchronize a running instance, or plan it with --dry-run',
    load: async () => (await import('./sync.ts')).SyncCommand,
  },
  {
    path: ['media', 'verify'],
    area: 'carry',
    summary: 'Verify a carried store without changing anything',
    load: async () => (await import('./media/verify.ts')).MediaVerifyCommand,
  },
  {
    path: ['media', 'import'],
    area: 'carry',
    summary: 'Verify a carried store and push what is cleared into the zone',
    load: async () => (await import('./media/import.ts')).MediaImportCommand,
  },
  {
    path: ['store', 'check'],
    summary: 'Check a whole store from its bytes',
    load: async () => (await import('./store/check.ts')).StoreCheckCommand,
  },
  {
    path: ['recipe', 'push'],
    area: 'publish',
    summary: 'Publish a cooked recipe into a cookbook',
    load: async () => (await import('./recipe/push.ts')).RecipePushCommand,
  },
  {
    path: ['user', 'add'],
    area: 'start',
    summary: 'Create an account',
    load: async () => (await import('./user/add.ts')).UserAddCommand,
  },
  {
    path: ['user', 'list'],
    area: 'start',
    summary: 'List the accounts',
    load: async () => (await import('./user/list.ts')).UserListCommand,
  },
  {
    path: ['user', 'passwd'],
    area: 'start',
    summary: 'Set the password of an account',
    load: async () => (await import('./user/passwd.ts')).UserPasswdCommand,
  },
  {
    path: ['config', 'dump'],
    area: 'look',
    summary: 'Show the merged configuration, secrets redacted',
    load: async () => (await import('./config/dump.ts')).ConfigDumpCommand,
  },
  {
    path: ['version'],
    area: 'look',
    summary: 'Show version, commit, build date and runtime',
    load: async () => (await import('./version.ts')).VersionCommand,
  },
  {
    path: ['completion'],
    area: 'look',
    summary: 'Print the completion script of a shell',
    load: async () => (await import('./completion.ts')).CompletionCommand,
  },
];
