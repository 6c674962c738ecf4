import { join, resolve } from 'node:path';
import { requireSetting } from '../src/base/require-setting.ts';
import type { LoadedConfig } from '../src/config/load-config.ts';
import { fr, type Sentence, say } from '../src/text/language.ts';
import { BaseCommand } from './cli/base-command.ts';
import type { CommandHelp } from './cli/command-definition.ts';
import { CommandLineError } from './cli/command-line-error.ts';
import { flag } from './cli/inputs.ts';
import { parseArgument } from './cli/parse-argument.ts';
import type { OutputFormat } from './cli/print.ts';
import { printNext } from './cli/print-next.ts';
import { toSource } from './cli/to-source.ts';
import { toTokenFile } from './client/read-token.ts';
import { checkAnswer, checkFolders } from './quickstart/checks/check-answer.ts';
import { refuseControlCharacters } from './quickstart/checks/refuse-control-characters.ts';
import { refuseMixture } from './quickstart/checks/refuse-mixture.ts';
import { refuseTaken, refuseTakenRetriever } from './quickstart/checks/refuse-taken.ts';
import { toMissingError } from './quickstart/checks/to-missing-error.ts';
import type { Answers, Question } from './quickstart/dialogue/question.ts';
import { toNextSteps, toRetrieverFile } from './quickstart/next-steps.ts';
import { type Purpose, purposes, toPlan } from './quickstart/purpose.ts';
import { readAdminPassword } from './quickstart/read-admin-password.ts';
import { listOpen } from './quickstart/select-open.ts';
import { addTrustKey } from './quickstart/written/add-trust-key.ts';
import type { RetrieverDraft } from './quickstart/written/retriever-file.ts';
import { defaultAddress, toSettings } from './quickstart/written/to-settings.ts';

const defaults = {
  config: './svc.yaml',
  'storage.root': './storage',
  'state.root': './state',
  admin: 'admin',
};

export class QuickstartCommand extends BaseCommand {
  static override formats: readonly OutputFormat[] = ['text'];
  static override help: CommandHelp = {
    details: [
      [
        'Sets up one of three: a source, which fills a medium from the network; a medium, where a carried disk is verified and imported; a passthrough zone, which feeds a registry on an interval. On a terminal, asks for every setting that no flag gives. Without a terminal, the flags of one example are required, with the option --password-stdin unless a medium is set up; with --mode instead of --for, only an instance with its accounts is set up.',
        fr`Installe l’un des trois : une source, qui remplit un support depuis le réseau (source) ; une zone où un disque transporté est vérifié et importé (medium) ; une zone relais, qui alimente un registre à intervalle régulier (passthrough). Sur un terminal, demande chaque réglage qu’aucune option ne donne. Sans terminal, les options d’un des exemples sont obligatoires, ainsi que --password-stdin sauf pour un support ; avec --mode au lieu de --for, seule une instance avec ses comptes est installée.`,
      ],
      [
        'Files are written only after every answer was checked, the trust key was read and the address of the instance was found free; nothing is overwritten. An instance set up with --for listens on 127.0.0.1:8080 unless --server-addr is given. Common flags become part of the configuration.',
        fr`Les fichiers ne sont écrits qu’une fois toutes les réponses vérifiées, la clé de confiance lue et l’adresse de l’instance trouvée libre ; rien n’est écrasé. Une instance installée avec --for écoute sur 127.0.0.1:8080 si --server-addr n’est pas donné. Les options communes deviennent une partie de la configuration.`,
      ],
      [
        'A source without a Retriever gets one, retriever.yaml, from --zone, --cookbook and --recipe. A token for svc sync is written into the state folder. The path of the configuration is printed on stdout, and the next commands on stderr; with --serve, the instance is then started.',
        fr`Une source sans Retriever en reçoit un, retriever.yaml, d’après --zone, --cookbook et --recipe. Un jeton pour svc sync est écrit dans le dossier d’état. Le chemin de la configuration est affiché sur la sortie standard, et les commandes suivantes sur la sortie d’erreur ; avec --serve, l’instance est ensuite démarrée.`,
      ],
      [
        'Exit code: 0 success, 1 failure, 2 an answer is missing or not valid, or the configuration already exists.',
        fr`Code de sortie : 0 succès, 1 échec, 2 une réponse manque ou n’est pas valide, ou la configuration existe déjà.`,
      ],
    ],
    examples: [
      [['Interactive', fr`Avec un dialogue`], 'svc quickstart'],
      [
        ['Set up and start without a terminal', fr`Installer et démarrer sans terminal`],
        'svc quickstart --mode mirror --password-stdin --serve < password-file',
      ],
      [
        ['A source that fills a medium', fr`Une source qui remplit un support`],
        'svc quickstart --for source --zone zone-b --cookbook registry.example/cookbook --recipe shop --trust-key release.pub',
      ],
      [
        ['A zone that imports a carried disk', fr`Une zone qui importe un disque transporté`],
        'svc quickstart --for medium --zone zone-b --storage-root /mnt --destination zone-b.example --trust-key release.pub',
      ],
      [
        ['A passthrough zone', fr`Une zone relais`],
        'svc quickstart --for passthrough --retriever zone-b.yaml --destination zone-b.example --trust-key release.pub',
      ],
    ],
  };

  override configPath: string | undefined = flag.text(
    '--config',
    [
      'configuration file to write (./svc.yaml); must not exist',
      fr`fichier de configuration à écrire (./svc.yaml) ; ne doit pas exister`,
    ],
    'file',
  );
  override storageRoot: string | undefined = flag.text(
    '--storage-root',
    ['store folder (./storage)', fr`dossier du stockage (./storage)`],
    'folder',
  );
  override stateRoot: string | undefined = flag.text(
    '--state-root',
    ['state folder (./state)', fr`dossier d’état (./state)`],
    'folder',
  );
  for: Purpose | undefined = flag.choice('--for', purposes, [
    'source, medium or passthrough: what is set up',
    fr`source, medium ou passthrough : ce qui est installé`,
  ]);
  retriever: string | undefined = flag.text(
    '--retriever',
    [
      'the Retriever, a path, https URL or oci:// reference',
      fr`le Retriever, un chemin, une URL https ou une référence oci://`,
    ],
    'source',
  );
  zone: string | undefined = flag.text(
    '--zone',
    ['the zone that the medium is addressed to', fr`la zone à laquelle le support est adressé`],
    'name',
  );
  cookbook: string | undefined = flag.text(
    '--cookbook',
    [
      'source: <registry>/<path> of the recipes, for a new Retriever',
      fr`source : <registre>/<chemin> des recettes, pour un nouveau Retriever`,
    ],
    'cookbook',
  );
  recipes: string[] = flag.each(
    '--recipe',
    [
      'source: <name> or <name>@<version> in a new Retriever; repeatable',
      fr`source : <nom> ou <nom>@<version> dans un nouveau Retriever ; répétable`,
    ],
    'publishedRecipe',
  );
  destination: string | undefined = flag.text(
    '--destination',
    [
      'registry that receives the content, <host>[:<port>]',
      fr`registre qui reçoit le contenu, <hôte>[:<port>]`,
    ],
    'address',
  );
  trustKey: string | undefined = flag.text(
    '--trust-key',
    [
      'PEM file of the public key whose signatures are accepted',
      fr`fichier PEM de la clé publique dont les signatures sont acceptées`,
    ],
    'file',
  );
  credentialsFile: string | undefined = flag.text(
    '--credentials-file',
    [
      'logins of registries, a file of docker login',
      fr`identifiants des registres, un fichier de docker login`,
    ],
    'file',
  );
  insecure: string[] = flag.each(
    '--insecure',
    ['host reached over plain HTTP; repeatable', fr`hôte joint en HTTP simple ; répétable`],
    'address',
  );
  admin: string | undefined = flag.text(
    '--admin',
    ['name of the first administrator (admin)', fr`nom du premier administrateur (admin)`],
    'name',
  );
  passwordStdin: boolean = flag.present('--password-stdin', [
    'read the password of the administrator from the first line of stdin; do not prompt',
    fr`lit le mot de passe de l’administrateur sur la première ligne de l’entrée standard ; ne pose pas de question`,
  ]);
  serve: boolean = flag.present('--serve', ['start the instance afterwards', fr`démarre ensuite l’instance`]);

  #answers: Answers = {};
  /** Path of the Retriever that this command writes. */
  #retriever: string | undefined;

  protected override get flags(): Record<string, string | undefined> {
    return this.#settingsOf(this.#answers);
  }

  #settingsOf(answers: Answers): Record<string, string | undefined> {
    const written: Readonly<Record<string, string>> =
      this.#retriever === undefined ? {} : { 'retriever.source': this.#retriever };
    return { ...toSettings(super.flags, { ...answers, ...this.#given, ...written }, this.context.env) };
  }

  /** Answers that flags give. */
  get #given(): Answers {
    const retriever = toSource(this.retriever);
    const draft = this.zone ?? this.cookbook ?? this.recipes[0];
    const given: Record<string, string | undefined> = {
      for: this.for,
      // a source that names zone, cookbook or recipe gets a new Retriever
      'retriever.source': retriever ?? (this.for === 'source' && draft !== undefined ? '' : undefined),
      zone: this.zone,
      cookbook: this.cookbook,
      recipe: this.recipes[0],
      'destination.registry': this.destination,
      'trust.key': this.trustKey,
      'registries.credentialsFile': this.credentialsFile,
      'registries.insecure': this.insecure.length === 0 ? undefined : this.insecure.join(','),
      'storage.root': this.storageRoot,
      'state.root': this.stateRoot,
      admin: this.admin,
      serve: this.serve ? 'yes' : undefined,
    };
    const present = Object.entries(given).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return Object.fromEntries(present);
  }

  get #all(): Answers {
    return { ...this.#answers, ...this.#given };
  }

  async run(): Promise<number> {
    const { signal, stdout, stderr } = this.context;
    const path = resolve(this.configPath ?? defaults.config);
    const named = this.for;
    refuseMixture(this, named);
    await refuseTaken(path, toPlan(named)?.hasInstance ?? true);
    if (named === 'source') {
      const { requireDraft } = await import('./quickstart/checks/require-draft.ts');
      await requireDraft({ zone: this.zone, cookbook: this.cookbook, recipes: this.recipes });
    }
    const { loaded: before, violations: wrong } = await this.#judge();
    await this.refuse(wrong.filter(({ origin }) => origin.layer !== 'default'));
    if (this.admin !== undefined) {
      const { parseName } = await import('../src/account/credential-rules.ts');
      await parseArgument(['a user name', fr`un nom d’utilisateur`], this.admin, parseName);
    }
    if (this.credentialsFile) {
      const { checkCredentials } = await import('./quickstart/checks/check-credentials.ts');
      await checkCredentials(this.credentialsFile);
    }
    const isAsking = !this.passwordStdin && this.#canAsk;
    if (isAsking) await this.#ask(before);
    else await this.#settle(before);
    signal.throwIfAborted();

    const purpose = this.#all.for as Purpose | undefined;
    const plan = toPlan(purpose);
    const draft = this.#draftOf(this.#all);
    const retriever = draft && (await this.#prepareRetriever(draft, toRetrieverFile(path)));
    this.#retriever = retriever?.path;
    const { loaded, violations } = await this.#judge();
    await this.refuse(violations);
    const { config } = loaded;
    const storageRoot = requireSetting('storage.root', config.storage.root);
    const stateRoot = requireSetting('state.root', config.state.root);
    refuseControlCharacters({ '--config': path, '--storage-root': storageRoot, '--state-root': stateRoot });
    await checkFolders({ 'storage.root': storageRoot, 'state.root': stateRoot }, purpose);
    const { checkAddress } = await import('./quickstart/checks/check-address.ts');
    await checkAddress(config.server.addr);
    const hasInstance = plan?.hasInstance ?? true;
    const name = this.#all.admin ?? defaults.admin;
    const hasAccounts = await this.#hasAccounts(stateRoot);
    const needsPassword = hasInstance && !hasAccounts;
    const password = needsPassword
      ? await readAdminPassword(this.context, { name, isAsking, minLength: config.auth.passwordMinLength })
      : undefined;
    signal.throwIfAborted();

    if (hasInstance && hasAccounts)
      this.printLine([
        `svc: ${stateRoot} already has accounts; no account was added, and a given password is not used (svc user passwd sets the password of an account)`,
        fr`svc: ${stateRoot} contient déjà des comptes ; aucun compte n’a été ajouté, et un mot de passe donné ne sert pas (svc user passwd définit le mot de passe d’un compte)`,
      ]);
    const tokenFile = plan?.hasInstance ? toTokenFile(stateRoot) : undefined;
    const { setUpInstance } = await import('./quickstart/written/set-up-instance.ts');
    await setUpInstance({
      path,
      loaded,
      administrator: password === undefined ? undefined : { name, password },
      tokenFile,
      retriever,
      actor: this.actor,
      report: await this.openReport(undefined, config),
      language: this.language,
    });
    stdout.write(`${path}\n`);
    if (purpose === 'medium') {
      const { findMissingMedium } = await import('./quickstart/checks/find-missing-medium.ts');
      const missing = await findMissingMedium(storageRoot);
      if (missing !== undefined) this.warn(missing);
    }
    const isServing = this.#all.serve === 'yes';
    const trustKey = this.#all['trust.key'] || undefined;
    const steps = toNextSteps({ config: path, purpose, tokenFile, retriever: draft, trustKey, isServing });
    printNext(stderr, steps, this.language);
    if (!isServing) return 0;
    signal.throwIfAborted();
    return this.context.run(['serve', '--config', path]);
  }

  /** Whether stdin and stderr are terminals that can show a dialog. */
  get #canAsk(): boolean {
    const { stdin, stderr, env } = this.context;
    return stdin.isTTY === true && stderr.isTTY === true && env.TERM !== 'dumb';
  }

  /** Loads the configuration that would be written, and validates it as the commands that follow do. */
  async #judge(answers: Answers = this.#answers) {
    const { loadConfig } = await import('../src/config/load-config.ts');
    const { validateConfig } = await import('../src/config/validate-config.ts');
    const { env } = this.context;
    const all = { ...answers, ...this.#given };
    // the document does not exist yet, and the default one of the machine is not for the new instance
    const configPath = resolve(this.configPath ?? defaults.config);
    const merged = await loadConfig({ flags: this.#settingsOf(answers), env, configPath, explicit: false });
    const key = all['trust.key'] ?? '';
    const loaded = key === '' ? merged : addTrustKey(merged, resolve(key));
    const scope = toPlan(all.for)?.hasInstance === false ? 'media-import' : 'serve';
    return { loaded, violations: await validateConfig(loaded, scope) };
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
  async #settle(loaded: LoadedConfig): Promise<void> {
    const given = this.#given;
    const plan = toPlan(given.for);
    const isOpen = (key: string): boolean => loaded.originOf(key).layer === 'default';
    const isMedium = plan?.hasInstance === false;
    this.#answers = Object.fromEntries(
      (['storage.root', 'state.root'] as const).flatMap((key) =>
        isOpen(key) && !(isMedium && key === 'storage.root') ? [[key, defaults[key]]] : [],
      ),
    );
    const needsPassword =
      !isMedium && !this.passwordStdin && !(await this.#hasAccounts(await this.#stateRoot()));
    const missing = [
      ...(plan === undefined && isOpen('mode') ? ['--mode'] : []),
      ...listOpen(given, isOpen),
      ...(needsPassword ? ['--password-stdin'] : []),
    ];
    if (missing.length === 0) return this.#showKey();
    throw toMissingError(missing, {
      hasAll: this.passwordStdin || isMedium,
      answers: {
        config: this.configPath ?? defaults.config,
        mode: this.mode,
        storageRoot: this.storageRoot ?? defaults['storage.root'],
        stateRoot: this.stateRoot ?? defaults['state.root'],
        admin: this.admin ?? defaults.admin,
        purpose: given.for,
        given,
      },
    });
  }

  /** Prints the fingerprint of the key that becomes the trust root. @throws the errors of `readKey` */
  async #showKey(): Promise<void> {
    if (this.trustKey === undefined) return;
    const { readKey } = await import('./trust/read-key.ts');
    const { file, fingerprint } = await readKey(this.trustKey);
    this.printLine([
      `svc: trust key ${file}: ${fingerprint}`,
      fr`svc: clé de confiance ${file} : ${fingerprint}`,
    ]);
  }

  /** Asks for the missing settings. @throws CommandLineError when the user cancels */
  async #ask(loaded: LoadedConfig): Promise<void> {
    const { runDialogue } = await import('./quickstart/dialogue/dialogue.ts');
    const { createQuestionnaire } = await import('./quickstart/dialogue/questionnaire.ts');
    const { language, context } = this;
    const { stdin, stderr, signal, interrupt } = context;
    const given = this.#given;
    const select = createQuestionnaire({
      isOpen: (key) => loaded.originOf(key).layer === 'default',
      hasAccounts: async (answers) => this.#hasAccounts(await this.#stateRoot(answers)),
      isDefaultFree: async () => this.#isDefaultFree(loaded),
      language,
    });
    const answers = await runDialogue({
      stdin,
      stderr,
      title: say(title, language),
      keys: say(keyLine, language),
      next: (before): Promise<Question | undefined> => select({ ...this.#expandAll(before), ...given }),
      check: async (key, answer, before) => {
        const all = this.#expandAll({ ...before, [key]: answer });
        const problem = await checkAnswer(key, { ...all, ...given }, async () => this.#judge(all));
        return problem && say(problem, language);
      },
      signal,
      onInterrupt: () => interrupt('SIGINT'),
    });
    signal.throwIfAborted();
    if (answers === undefined)
      throw new CommandLineError(['cancelled; nothing was written', fr`annulé ; rien n’a été écrit`]);
    this.#answers = this.#expandAll(answers);
  }

  /** Whether the address that an instance gets without being told is free. */
  async #isDefaultFree(loaded: LoadedConfig): Promise<boolean> {
    if (loaded.originOf('server.addr').layer !== 'default') return true;
    const { checkAddress } = await import('./quickstart/checks/check-address.ts');
    return checkAddress(defaultAddress).then(
      () => true,
      () => false,
    );
  }

  /** Returns the Retriever to write, if the answers ask for one. */
  #draftOf(answers: Answers): RetrieverDraft | undefined {
    const { zone = '', cookbook = '', recipe = '' } = answers;
    if (answers.for !== 'source' || answers['retriever.source'] !== '') return undefined;
    return { zone, cookbook, recipes: this.recipes.length > 0 ? this.recipes : [recipe] };
  }

  /** @throws CommandLineError for a name that a Retriever cannot have, and when the file exists */
  async #prepareRetriever(draft: RetrieverDraft, path: string) {
    const { renderRetriever } = await import('./quickstart/written/retriever-file.ts');
    const { requireDraft } = await import('./quickstart/checks/require-draft.ts');
    await requireDraft(draft);
    await refuseTakenRetriever(path);
    return { path, text: renderRetriever(draft, this.language), zone: draft.zone };
  }

  /** Returns the state root according to the answers so far. */
  async #stateRoot(answers: Answers = {}): Promise<string> {
    const given = answers['state.root'];
    if (given !== undefined) return resolve(given);
    const { loaded } = await this.#judge();
    return requireSetting('state.root', loaded.config.state.root);
  }

  /** Expands `~` to the home folder, as a shell does, and the path of a Retriever. */
  #expandAll(answers: Answers): Answers {
    const home = this.context.env.HOME;
    const expand = (answer: string): string =>
      home !== undefined && /^~(?=\/|$)/.test(answer) ? join(home, answer.slice(1)) : answer;
    return Object.fromEntries(
      Object.entries(answers).map(([key, answer]) => [
        key,
        key === 'retriever.source' ? toSource(expand(answer.trim())) : expand(answer),
      ]),
    );
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
