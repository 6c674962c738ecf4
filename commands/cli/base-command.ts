import { Command } from 'clipanion';
import type { LogLevel, Report } from '../../src/base/report.ts';
import type { LoadedConfig } from '../../src/config/load-config.ts';
import type { Config } from '../../src/config/model.ts';
import type { ConfigFor } from '../../src/config/requirements.ts';
import type { Scope } from '../../src/config/scope.ts';
import type { Violation } from '../../src/config/violation.ts';
import type { AuditTrail } from '../../src/log/audit-trail.ts';
import type { ReportOptions } from '../../src/log/create-report.ts';
import { isJournal } from '../../src/log/journal.ts';
import { fr, inBoth, type Language, type Sentence, say, selectLanguage } from '../../src/text/language.ts';
import { type Rule, rule, sayRule } from '../../src/text/rule.ts';
import type { RenderOptions } from '../render/options.ts';
import { getWidth, toWidth } from '../render/width.ts';
import { fitLines } from '../render/wrap.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandHelp } from './command-definition.ts';
import { CommandLineError } from './command-line-error.ts';
import { commonFlags } from './common-flags.ts';
import { writeError } from './error-door.ts';
import { flag } from './inputs.ts';
import { type OutputFormat, printDocument } from './print.ts';
import type { Progress } from './progress.ts';
import { toRuleSentence } from './sentence-error.ts';

const commonFlag = (name: keyof typeof commonFlags) => {
  const { help, values } = commonFlags[name];
  return flag.text(name, help, values);
};

/** Base class of all commands: the common flags, the output format, and the handling of errors. */
export abstract class BaseCommand extends Command<CommandContext> {
  /** Formats of the report; the first one is the default. */
  static readonly formats: readonly OutputFormat[] = ['text', 'json'];
  static readonly help: CommandHelp;

  configPath: string | undefined = commonFlag('--config');
  mode: string | undefined = commonFlag('--mode');
  storageRoot: string | undefined = commonFlag('--storage-root');
  stateRoot: string | undefined = commonFlag('--state-root');
  serverAddr: string | undefined = commonFlag('--server-addr');
  logLevel: string | undefined = commonFlag('--log-level');
  shutdownGracePeriod: string | undefined = commonFlag('--shutdown-grace-period');
  proxyUrl: string | undefined = commonFlag('--proxy-url');
  tlsCertFile: string | undefined = commonFlag('--tls-cert-file');
  tlsKeyFile: string | undefined = commonFlag('--tls-key-file');
  output: string | undefined = commonFlag('--output');

  /** Whether the document was printed on stdout. */
  #hasDocument = false;
  /** Minimum level of the records on stderr. */
  #recordLevel: LogLevel = 'warn';
  /** Store and state of the configuration that was read. */
  #roots: readonly string[] = [];
  /** The configuration that was read. */
  #config: Config | undefined;
  /** The warnings that were printed. */
  readonly #warned = new Set<string>();
  /** The audit records of this command that are kept. */
  #trail: AuditTrail | undefined;

  /** Runs the command. Errors that it throws are written to stderr. @returns the exit code */
  abstract run(): Promise<number>;

  override execute(): Promise<number> {
    return this.run();
  }

  // clipanion's own handling would print errors on stdout, and exit with 0 after a `catch` that returns
  override async validateAndExecute(): Promise<number> {
    try {
      this.format;
      await this.checkFlags();
      return await this.run();
    } catch (thrown) {
      if (this.context.signal.aborted) return await this.#endInterrupted();
      const { nameOwnedRoot } = await import('../../src/disk/name-owned-root.ts');
      const error = nameOwnedRoot(thrown, this.#roots);
      if (this.#owesDocument) await this.#printError(error);
      return await this.fail(error);
    } finally {
      await this.#trail?.flush();
    }
  }

  /** Prints the document of this command on stdout, as JSON or YAML. */
  protected async printDocument(document: unknown): Promise<void> {
    this.#hasDocument = true;
    await printDocument(this.context.stdout, document, this.format === 'yaml' ? 'yaml' : 'json');
  }

  /** Whether stdout must have a JSON document that was not printed yet. */
  get #owesDocument(): boolean {
    const { formats } = this.constructor as typeof BaseCommand;
    return this.output === 'json' && formats.includes('json') && !this.#hasDocument;
  }

  /** Ends after a signal: a document is printed also then, so that its reader does not parse an empty text. */
  async #endInterrupted(): Promise<number> {
    if (!this.#owesDocument) return 1;
    const { SentenceError } = await import('./sentence-error.ts');
    await this.#printError(new SentenceError(['interrupted', fr`interrompu`]));
    return 1;
  }

  async #printError(error: unknown): Promise<void> {
    const { printError } = await import('./error-document.ts');
    await printError(error, this.context);
  }

  /** Writes an error to stderr. @returns its exit code */
  protected fail(error: unknown): Promise<number> {
    const { stderr, env } = this.context;
    return writeError(error, { stderr, env, debug: this.logLevel === 'debug' });
  }

  /** Writes the errors of files that could not be read to stderr. @returns the exit code of the most severe class; 0 without any */
  protected async failEach(unread: readonly { readonly error: unknown }[]): Promise<number> {
    let code = 0;
    for (const { error } of unread) code = Math.max(code, await this.fail(error));
    return code;
  }

  /** Returns the selected output format. @throws CommandLineError when the command does not support it */
  protected get format(): OutputFormat {
    const { formats } = this.constructor as typeof BaseCommand;
    const wanted = this.output ?? formats[0]!;
    const format = formats.find((candidate) => candidate === wanted);
    if (format !== undefined) return format;
    const isPath = /[/.]/.test(wanted);
    const known = formats.join(', ');
    throw new CommandLineError([
      `unknown output format '${wanted}': this command supports ${known}${isPath ? '; --output names a format, never a path' : ''}`,
      fr`format de sortie « ${wanted} » inconnu : cette commande accepte ${known}${isPath ? fr` ; --output nomme un format, jamais un chemin` : ''}`,
    ]);
  }

  /** Whether this run uses settings of the configuration, so that a document that was not read is worth a warning. */
  protected get readsConfig(): boolean {
    return true;
  }

  /**
   * Checks the values of flags that this command has in common with others, before anything is read: also those that it
   * does not use.
   *
   * @throws CommandLineError
   */
  protected async checkFlags(): Promise<void> {
    const flags = this.#commonFlags;
    if (Object.values(flags).every((value) => value === undefined)) return;
    const { checkFlags } = await import('../../src/config/check-flags.ts');
    await this.refuse(await checkFlags(flags));
  }

  /** Settings given by flags, by key path. Commands with flags for further keys add theirs. */
  protected get flags(): Record<string, string | undefined> {
    return this.#commonFlags;
  }

  get #commonFlags(): Record<string, string | undefined> {
    return {
      mode: this.mode,
      'storage.root': this.storageRoot,
      'state.root': this.stateRoot,
      'server.addr': this.serverAddr,
      'logging.level': this.logLevel,
      'shutdown.gracePeriod': this.shutdownGracePeriod,
      'network.proxy.url': this.proxyUrl,
      'server.tls.certFile': this.tlsCertFile,
      'server.tls.keyFile': this.tlsKeyFile,
    };
  }

  /** Returns the merged configuration and its violations for a scope. Warnings are printed. */
  protected async readConfig(
    scope: Scope,
  ): Promise<{ loaded: LoadedConfig; violations: readonly Violation[] }> {
    const { loadConfig } = await import('../../src/config/load-config.ts');
    const { validateConfig } = await import('../../src/config/validate-config.ts');
    const loaded = await loadConfig({
      flags: this.flags,
      env: this.context.env,
      ...(this.configPath === undefined ? {} : { configPath: this.configPath, explicit: true }),
    });
    this.#config = loaded.config;
    const { storage, state } = loaded.config;
    this.#roots = [storage.root, state.root].filter((root) => root !== undefined);
    for (const warning of loaded.warnings) this.warn(toRuleSentence(warning));
    if (loaded.originOf('logging.level').layer !== 'default') this.#recordLevel = loaded.config.logging.level;
    const violations = await validateConfig(loaded, scope);
    if (violations.length === 0 && this.readsConfig && isUntold(loaded) && (await hasDocumentHere()))
      this.warn(unreadHint);
    return { loaded, violations };
  }

  /**
   * Returns the merged configuration, valid for a scope: the settings that it requires are present.
   *
   * @throws CommandLineError when a flag has an invalid value, else SVC-CFG-001, SVC-CFG-002 or SVC-AUTH-001,
   *   each listing every violation
   */
  protected async loadConfig<S extends Scope>(
    scope: S,
  ): Promise<LoadedConfig & { readonly config: ConfigFor<S> }> {
    const { loaded, violations } = await this.readConfig(scope);
    await this.refuse(
      violations,
      suggestOwnConfig(scope, loaded, violations) ??
        (await suggestConfig(loaded, violations)) ??
        suggestZoneConfig(scope, loaded, violations) ??
        (await suggestQuickstart(scope, loaded)),
    );
    return { ...loaded, config: loaded.config as ConfigFor<S> };
  }

  /** @throws the errors of {@link loadConfig} when there is a violation */
  protected async refuse(violations: readonly Violation[], hint?: Rule): Promise<void> {
    if (violations.length === 0) return;
    if (violations.some(({ usage }) => usage)) {
      const { formatViolation } = await import('../../src/config/violation.ts');
      const rules = violations.map(formatViolation);
      if (rules.length === 1) throw new CommandLineError(toRuleSentence(rules[0]!));
      throw new CommandLineError(
        [
          `${violations.length} settings are not valid`,
          fr`${violations.length} réglages ne sont pas valides`,
        ],
        inBoth((language) => rules.map((one) => `  - ${sayRule(one, language)}`).join('\n')),
      );
    }
    const { toConfigError } = await import('../../src/config/to-config-error.ts');
    throw toConfigError(violations, hint);
  }

  /**
   * Opens a structured log on stderr: text lines on a terminal, JSON elsewhere. Records below `warn` would bury the
   * answer of a command, and are written when logging.level asks for them; audit records always are, and are kept where the
   * configuration names a state folder.
   *
   * @param config default: the one that was read
   */
  protected async openReport(progress?: Progress, config = this.#config): Promise<Report> {
    const { createReport } = await import('../../src/log/create-report.ts');
    const { stderr } = this.context;
    const report: Report = createReport({
      level: this.#recordLevel,
      stream: progress?.stream ?? stderr,
      ...this.recordForm,
      meter: { add: () => {}, set: () => {} },
      keep: (record) => this.#trail?.take(record),
    });
    const root = config?.state.root;
    if (config !== undefined && root !== undefined && this.#trail === undefined) {
      const { openAuditTrail } = await import('../../src/log/audit-trail.ts');
      // the folder of the state may be absent, or that of another user
      this.#trail = openAuditTrail({ root, keep: config.audit.keep, report: () => report, level: 'info' });
    }
    return report;
  }

  /** The form of records on stderr: lines for people on a terminal, JSON elsewhere, with priorities for the journal. */
  protected get recordForm(): Pick<ReportOptions, 'pretty' | 'colours' | 'journal'> {
    const { stderr, env } = this.context;
    const isTerminal = stderr.isTTY === true;
    const journal = isJournal(stderr.fd, env);
    return { pretty: isTerminal, colours: isTerminal && !env.NO_COLOR, journal };
  }

  /** Language of everything that the command prints for people. */
  protected get language(): Language {
    return selectLanguage(this.context.env);
  }

  /** Language of the document or the report on stdout: machine output is the same in every language. */
  protected get outputLanguage(): Language {
    return this.format === 'text' ? this.language : 'en';
  }

  /** How a report on stdout is rendered. */
  protected get rendering(): RenderOptions {
    return { language: this.language, width: getWidth(this.context) };
  }

  /** Prints a report on stdout. Lines that are wider than the terminal are broken. */
  protected printReport(text: string): void {
    this.context.stdout.write(fitLines(text, this.rendering.width));
  }

  /** Prints notes beside the report on stderr, in the same way. */
  protected printNotes(text: string): void {
    const { stderr, env } = this.context;
    stderr.write(fitLines(text, toWidth(stderr, env)));
  }

  /** Prints a line for the user on stderr. */
  protected printLine(sentence: Sentence): void {
    this.printNotes(`${say(sentence, this.language)}\n`);
  }

  /** Prints the way to resume interrupted work. */
  protected printInterrupted(): void {
    this.printLine([
      'svc: interrupted; run the same command to resume',
      fr`svc: interrompu ; la même commande reprend`,
    ]);
  }

  /** Prints a warning, once: one command can read its settings several times. */
  protected warn([english, french]: Sentence): void {
    if (this.#warned.has(english)) return;
    this.#warned.add(english);
    this.printLine([`svc: warning: ${english}`, fr`svc: avertissement : ${french}`]);
  }

  /** The flags of this command line that the next command needs too, as they were given. */
  protected get repeatedFlags(): Readonly<Record<string, string | undefined>> {
    return {
      '--config': this.configPath,
      '--storage-root': this.storageRoot,
      '--state-root': this.stateRoot,
    };
  }

  /**
   * Shows a person at a terminal the command that comes next, with the flags of this one. A pipe, which a script may
   * read, gets nothing.
   *
   * @param command without these flags
   */
  protected async suggestNext(sentence: Sentence, command: string): Promise<void> {
    const { stderr } = this.context;
    if (stderr.isTTY !== true || this.format !== 'text') return;
    const { printNext } = await import('./print-next.ts');
    printNext(stderr, [{ sentence, command: await this.withRepeatedFlags(command) }], this.language);
  }

  /** Returns a command with the flags of this one that it needs too, as it is typed. */
  protected async withRepeatedFlags(command: string): Promise<string> {
    const { toShellWord } = await import('../../src/text/shell-word.ts');
    const flags = Object.entries(this.repeatedFlags).flatMap(([flag, value]) =>
      value === undefined ? [] : [` ${flag} ${toShellWord(value)}`],
    );
    return `${command}${flags.join('')}`;
  }

  /** Actor of a command that works on local files. */
  protected get actor(): string {
    return `local:${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Returns the advice to name `svc.yaml` of the working directory, when settings are missing and no document was named. */
async function suggestConfig(
  { isDefaultPath }: LoadedConfig,
  violations: readonly Violation[],
): Promise<Rule | undefined> {
  if (!isDefaultPath || !violations.some(({ origin }) => origin.layer === 'default')) return undefined;
  if (!(await hasDocumentHere())) return undefined;
  return rule([
    'svc.yaml is here: add --config svc.yaml, or run export SVC_CONFIG=$PWD/svc.yaml',
    fr`svc.yaml est ici : ajoutez --config svc.yaml, ou lancez export SVC_CONFIG=$PWD/svc.yaml`,
  ]);
}

/** Returns the advice to write a configuration, when the named one does not exist, or nothing at all tells how to serve. */
async function suggestQuickstart(scope: Scope, loaded: LoadedConfig): Promise<Rule | undefined> {
  const isWanted = !loaded.isDefaultPath || (scope === 'serve' && isUntold(loaded));
  if (!loaded.isAbsent || !isWanted) return undefined;
  const { toShellWord } = await import('../../src/text/shell-word.ts');
  return rule(
    [
      'svc quickstart --config {path} writes one where there is none yet; a container needs it mounted there',
      fr`svc quickstart --config {path} en écrit une s’il n’y en a pas encore ; un conteneur doit l’avoir montée à cet endroit`,
    ],
    { path: toShellWord(loaded.path) },
  );
}

const unreadHint: Sentence = [
  'svc.yaml is here and was not read: add --config svc.yaml, or run export SVC_CONFIG=$PWD/svc.yaml',
  fr`svc.yaml est ici et n’a pas été lu : ajoutez --config svc.yaml, ou lancez export SVC_CONFIG=$PWD/svc.yaml`,
];

/** Whether the working directory has a document as quickstart names it. */
async function hasDocumentHere(): Promise<boolean> {
  const { existsSync } = await import('node:fs');
  return existsSync('svc.yaml');
}

/** Whether every setting has its default: no document, flag or variable gave one. */
function isUntold({ isDefaultPath, origins }: LoadedConfig): boolean {
  return isDefaultPath && [...origins.values()].every(({ layer }) => layer === 'default');
}

/** Returns the advice for a command about a carried medium that was given no configuration, and found none. */
function suggestZoneConfig(
  scope: Scope,
  { isDefaultPath, isAbsent }: LoadedConfig,
  violations: readonly Violation[],
): Rule | undefined {
  if (!isOfMedium(scope) || !isDefaultPath || !isAbsent) return undefined;
  if (!violations.some(({ origin }) => origin.layer === 'default')) return undefined;
  return rule([
    'Or name the configuration of the zone: --config FILE; svc quickstart --for medium writes one',
    fr`Ou nommez la configuration de la zone : --config FICHIER ; svc quickstart --for medium en écrit une`,
  ]);
}

/** Whether a command is about a medium that arrived in the zone. */
function isOfMedium(scope: Scope): boolean {
  return scope === 'media-verify' || scope === 'media-import' || scope === 'media-status';
}

/** Returns the advice for a command about a carried medium that was given the configuration of its source. */
function suggestOwnConfig(
  scope: Scope,
  { config }: LoadedConfig,
  violations: readonly Violation[],
): Rule | undefined {
  if (!isOfMedium(scope) || config.retriever.source === undefined) return undefined;
  if (!violations.some(({ key }) => key === 'zone')) return undefined;
  return rule([
    'retriever.source is set: this configuration is that of a source, which fills media; the zone has its own, which svc quickstart --for medium writes',
    fr`retriever.source est défini : cette configuration est celle d’une source, qui remplit des supports ; la zone a la sienne, que svc quickstart --for medium écrit`,
  ]);
}
