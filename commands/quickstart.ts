import { join, resolve } from 'node:path';
import { Command, Option, type Usage } from 'clipanion';
import { fr, type Sentence, say } from '../src/base/language.ts';
import { requireSetting } from '../src/base/require-setting.ts';
import { BaseCommand } from './cli/base-command.ts';
import { CommandLineError } from './cli/command-line-error.ts';
import { parseArgument } from './cli/parse-argument.ts';
import type { OutputFormat } from './cli/print.ts';
import {
  type QuickstartAnswers,
  quoteWord,
  renderEquivalentCommands,
} from './quickstart/equivalent-commands.ts';
import type { Answers, Question } from './quickstart/question.ts';
import { readAdminPassword } from './quickstart/read-admin-password.ts';
import { refuseTaken } from './quickstart/refuse-taken.ts';

const defaults = {
  config: './svc.yaml',
  'storage.root': './storage',
  'state.root': './state',
  admin: 'admin',
};

export class QuickstartCommand extends BaseCommand {
  static override paths: string[][] = [['quickstart']];
  static override formats: readonly OutputFormat[] = ['text'];
  static override usage: Usage = Command.Usage({
    description: 'Set up an instance: store, state, first administrator, configuration',
    details: `
      On a terminal, asks for every setting that no flag gives. Without a terminal, --mode and --password-stdin
      are required and the other settings take their defaults. Files are written only after every answer was
      checked; an existing configuration is never overwritten. Common flags become part of the configuration.

      The path of the configuration is printed on stdout; with --serve, the instance is then started.

      Exit code: 0 success, 1 failure, 2 an answer is missing or not valid, or the configuration already exists.
    `,
    examples: [
      ['Interactive', 'svc quickstart'],
      [
        'Set up and start without a terminal',
        'svc quickstart --mode mirror --password-stdin --serve < password-file',
      ],
    ],
  });

  override configPath: string | undefined = Option.String('--config', {
    description: 'configuration file to write (./svc.yaml); must not exist',
  });
  override storageRoot: string | undefined = Option.String('--storage-root', {
    description: 'store folder (./storage)',
  });
  override stateRoot: string | undefined = Option.String('--state-root', {
    description: 'state folder (./state)',
  });
  admin: string | undefined = Option.String('--admin', {
    description: 'name of the first administrator (admin)',
  });
  passwordStdin: boolean = Option.Boolean('--password-stdin', false, {
    description: 'read the password of the administrator from the first line of stdin; do not prompt',
  });
  serve: boolean = Option.Boolean('--serve', false, { description: 'start the instance afterwards' });

  #answers: Answers = {};

  protected override get flags(): Record<string, string | undefined> {
    const { mode, 'storage.root': storage, 'state.root': state } = this.#answers;
    const flags = super.flags;
    return {
      ...flags,
      mode: flags.mode ?? mode,
      'storage.root': flags['storage.root'] ?? storage,
      'state.root': flags['state.root'] ?? state,
    };
  }

  async run(): Promise<number> {
    const { signal, stdout } = this.context;
    const path = resolve(this.configPath ?? defaults.config);
    await refuseTaken(path);
    const open = await this.#selectOpen();
    if (this.admin !== undefined) {
      const { parseName } = await import('../src/account/credential-rules.ts');
      await parseArgument(['a user name', fr`un nom d’utilisateur`], this.admin, parseName);
    }
    const isAsking = !this.passwordStdin && this.#canAsk;
    if (isAsking) await this.#ask(open);
    else await this.#settle(open);
    signal.throwIfAborted();

    const { loaded, violations } = await this.#judge();
    await this.refuse(violations);
    const { config } = loaded;
    const storageRoot = requireSetting('storage.root', config.storage.root);
    const stateRoot = requireSetting('state.root', config.state.root);
    refuseControlCharacters({ '--config': path, '--storage-root': storageRoot, '--state-root': stateRoot });
    await refuseFolders({ 'storage.root': storageRoot, 'state.root': stateRoot });
    const name = this.admin ?? this.#answers.admin ?? defaults.admin;
    const hasAccounts = await this.#hasAccounts(stateRoot);
    const password = hasAccounts ? undefined : await readAdminPassword(this.context, name, isAsking);
    signal.throwIfAborted();

    if (password === undefined)
      this.printLine([
        `svc: ${stateRoot} already has accounts; no account was added`,
        fr`svc: ${stateRoot} contient déjà des comptes ; aucun compte n’a été ajouté`,
      ]);
    const { setUpInstance } = await import('./quickstart/set-up-instance.ts');
    await setUpInstance({
      path,
      loaded,
      administrator: password === undefined ? undefined : { name, password },
      actor: this.actor,
      report: await this.openReport(),
      language: this.language,
    });
    stdout.write(`${path}\n`);
    if (!(this.serve || this.#answers.serve === 'yes')) {
      const command = `svc serve --config ${quoteWord(path)}`;
      this.printLine([
        `svc: ready; start it with: ${command}`,
        fr`svc: l’instance est prête ; démarrez-la avec : ${command}`,
      ]);
      return 0;
    }
    signal.throwIfAborted();
    return this.context.run(['serve', '--config', path]);
  }

  /** Whether stdin and stderr are terminals that can show a dialog. */
  get #canAsk(): boolean {
    const { stdin, stderr, env } = this.context;
    return stdin.isTTY === true && stderr.isTTY === true && env.TERM !== 'dumb';
  }

  /**
   * Lists the settings that flags and environment do not give, in the order of the questions. @throws the
   * errors of invalid flags and variables
   */
  async #selectOpen(): Promise<string[]> {
    const { loaded, violations } = await this.#judge();
    await this.refuse(violations.filter(({ origin }) => origin.layer !== 'default'));
    const keys = ['mode', 'storage.root', 'state.root'].filter(
      (key) => loaded.originOf(key).layer === 'default',
    );
    return this.admin === undefined ? [...keys, 'admin'] : keys;
  }

  /** Loads the configuration that would be written, and validates it as an instance does. */
  async #judge(given: Readonly<Record<string, string | undefined>> = this.flags) {
    const { loadConfig } = await import('../src/config/load-config.ts');
    const { validateConfig } = await import('../src/config/validate-config.ts');
    // the document does not exist yet, and the default one of the machine is not for the new instance
    const configPath = resolve(this.configPath ?? defaults.config);
    const loaded = await loadConfig({ flags: given, env: this.context.env, configPath, explicit: false });
    return { loaded, violations: await validateConfig(loaded, 'serve') };
  }

  async #hasAccounts(stateRoot: string): Promise<boolean> {
    const { openAccounts } = await import('../src/account/accounts.ts');
    await using accounts = openAccounts({ stateRoot });
    return !(await accounts.isEmpty());
  }

  /**
   * Uses the defaults. @throws CommandLineError listing settings without a default, with the equivalent
   * commands
   */
  async #settle(open: readonly string[]): Promise<void> {
    this.#answers = Object.fromEntries(open.flatMap((key) => (isFolder(key) ? [[key, defaults[key]]] : [])));
    const needsPassword = !this.passwordStdin && !(await this.#hasAccounts(await this.#stateRoot()));
    const missing = [
      ...(open.includes('mode') ? ['--mode'] : []),
      ...(needsPassword ? ['--password-stdin'] : []),
    ];
    if (missing.length === 0) return;
    const given: QuickstartAnswers = {
      config: this.configPath ?? defaults.config,
      mode: this.mode,
      storageRoot: this.storageRoot ?? defaults['storage.root'],
      stateRoot: this.stateRoot ?? defaults['state.root'],
      admin: this.admin ?? defaults.admin,
    };
    const [none, isAlone] = [this.passwordStdin, missing.length === 1];
    throw new CommandLineError(
      [
        `${none ? '' : 'there is no terminal to ask on, and '}${missing.join(' and ')} ${isAlone ? 'was' : 'were'} not given`,
        fr`${none ? '' : fr`pas de terminal pour poser les questions ; `}il manque ${missing.join(' et ')}`,
      ],
      renderEquivalentCommands(given, this.language),
    );
  }

  /** Asks for the missing settings. @throws CommandLineError when the user cancels */
  async #ask(open: readonly string[]): Promise<void> {
    const { runDialogue } = await import('./quickstart/dialogue.ts');
    const { createQuestions } = await import('./quickstart/questions.ts');
    const { language } = this;
    const questions = createQuestions(language);
    const { stdin, stderr, signal, interrupt } = this.context;
    const asked = this.serve ? open : [...open, 'serve'];
    const next = async (answers: Answers): Promise<Question | undefined> => {
      for (const key of asked) {
        if (answers[key] !== undefined) continue;
        if (key === 'admin' && (await this.#hasAccounts(await this.#stateRoot(answers)))) continue;
        return questions[key];
      }
      return undefined;
    };
    const answers = await runDialogue({
      stdin,
      stderr,
      title: say(title, language),
      keys: say(keyLine, language),
      next,
      check: async (key, answer, before) => {
        const problem = await this.#check(key, answer, before);
        return problem && say(problem, language);
      },
      signal,
      onInterrupt: () => interrupt('SIGINT'),
    });
    signal.throwIfAborted();
    if (answers === undefined)
      throw new CommandLineError(['cancelled; nothing was written', fr`annulé ; rien n’a été écrit`]);
    this.#answers = Object.fromEntries(
      Object.entries(answers).map(([key, answer]) => [key, this.#expand(answer)]),
    );
  }

  /** Checks an answer. @returns what is wrong with it, undefined when it is valid */
  async #check(key: string, answer: string, before: Answers): Promise<Sentence | undefined> {
    if (key === 'admin') {
      const { isSvcError } = await import('../src/base/error.ts');
      try {
        const { parseName } = await import('../src/account/credential-rules.ts');
        parseName(answer);
        return undefined;
      } catch (error) {
        if (isSvcError(error, 'SVC-AUTH-008')) return toRuleSentence(String(error.params.rule));
        throw error;
      }
    }
    if (!isFolder(key)) return undefined;
    if (answer.trim() === '') return ['a folder is required', fr`un dossier est obligatoire`];
    const answers = { ...before, [key]: this.#expand(answer) };
    const { violations } = await this.#judge({ ...this.flags, ...answers });
    const wrong = violations.find((violation) => answers[violation.key] !== undefined);
    return wrong === undefined ? checkFolderLazily(key, answers[key]!) : toRuleSentence(wrong.rule);
  }

  /** Returns the state root according to the answers so far. */
  async #stateRoot(answers: Answers = {}): Promise<string> {
    const given = answers['state.root'];
    if (given !== undefined) return resolve(this.#expand(given));
    const { loaded } = await this.#judge();
    return requireSetting('state.root', loaded.config.state.root);
  }

  /** Expands `~` to the home folder, as a shell does. */
  #expand(answer: string): string {
    const home = this.context.env.HOME;
    return home !== undefined && /^~(?=\/|$)/.test(answer) ? join(home, answer.slice(1)) : answer;
  }
}

const title: Sentence = [
  'svc quickstart: an instance on this machine',
  fr`svc quickstart : une instance sur cette machine`,
];

const keyLine: Sentence = [
  'Enter: accept, Esc: back, Ctrl-C: quit without changes',
  fr`Entrée : valider, Échap : revenir, Ctrl-C : quitter sans rien modifier`,
];

/** Returns a rule in both languages. */
async function toRuleSentence(rule: string): Promise<Sentence> {
  const { translateRule } = await import('../src/base/rules/translate-rule.ts');
  return [rule, fr`${translateRule(rule)}`];
}

type FolderKey = 'storage.root' | 'state.root';

function isFolder(key: string): key is FolderKey {
  return key === 'storage.root' || key === 'state.root';
}

async function checkFolderLazily(key: FolderKey, path: string): Promise<Sentence | undefined> {
  if (key === 'state.root') return (await import('./quickstart/check-folder.ts')).checkFolder(path);
  return (await import('./quickstart/check-store-folder.ts')).checkStoreFolder(path);
}

/**
 * Refuses paths with control characters, which could not be read back from the configuration. @throws
 * CommandLineError
 */
function refuseControlCharacters(paths: Readonly<Record<string, string>>): void {
  for (const [flag, path] of Object.entries(paths))
    if (/[\u0000-\u001f\u007f-\u009f]/.test(path))
      throw new CommandLineError([
        `${flag}: ${path} contains control characters`,
        fr`${flag} : ${path} contient des caractères de contrôle`,
      ]);
}

/** @throws CommandLineError naming the flag of a folder that cannot be used */
async function refuseFolders(folders: Readonly<Record<FolderKey, string>>): Promise<void> {
  for (const [key, flag] of [
    ['storage.root', '--storage-root'],
    ['state.root', '--state-root'],
  ] as const) {
    const problem = await checkFolderLazily(key, folders[key]);
    if (problem !== undefined)
      throw new CommandLineError([`${flag}: ${problem[0]}`, fr`${flag} : ${problem[1]}`]);
  }
}
