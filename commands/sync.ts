import type { Config } from '../src/config/model.ts';
import { exitCodes } from '../src/text/error.ts';
import { fr, type Sentence } from '../src/text/language.ts';
import type { CommandHelp } from './cli/command-definition.ts';
import { CommandLineError } from './cli/command-line-error.ts';
import { flag } from './cli/inputs.ts';
import { toSource } from './cli/to-source.ts';
import type { InstanceClient, SubmittedSync } from './client/instance-client.ts';
import { WaitCommand } from './client/wait-command.ts';
import { toWidth } from './render/width.ts';

export class SyncCommand extends WaitCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Without --dry-run, asks a running instance to synchronize and does not open the store. With --dry-run, plans on this machine against the store folder, without an instance; nothing is transferred or written.',
        fr`Sans --dry-run, demande à une instance en cours d’exécution de synchroniser, sans ouvrir le stockage. Avec --dry-run, établit le plan sur cette machine à partir du dossier du stockage, sans instance ; rien n’est transféré ni écrit.`,
      ],
      [
        'The task waits while no window of sync.windows is open; a plan is made at any time, and says how long its transfer takes under network.rateLimit and when it may run.',
        fr`La tâche attend tant qu’aucune fenêtre de sync.windows n’est ouverte ; un plan s’établit à toute heure, et dit combien de temps son transfert prend sous network.rateLimit et quand il peut avoir lieu.`,
      ],
      [
        'Exit code: 0 success or nothing to do, 5 the plan found work, 3 policy, 4 verification, 1 failure.',
        fr`Code de sortie : 0 succès ou rien à faire, 5 le plan prévoit des changements, 3 politique, 4 vérification, 1 échec.`,
      ],
    ],
    examples: [
      [
        ['Synchronize and wait for the result', fr`Synchroniser et attendre le résultat`],
        'svc sync --wait --token-file /etc/svc/token',
      ],
      [
        ['Show what would be transferred', fr`Afficher ce qui serait transféré`],
        'svc sync --dry-run --output json',
      ],
    ],
  };

  override tokenFile: string | undefined = flag.text(
    '--token-file',
    [
      'file with an API token of role operator (else SVC_API_TOKEN)',
      fr`fichier contenant un jeton d’API de rôle operator (sinon SVC_API_TOKEN)`,
    ],
    'file',
  );
  override requestTimeout: number | undefined = flag.duration('--request-timeout', [
    'timeout of each request, not of --wait (30s)',
    fr`délai maximal de chaque requête, pas de --wait (30s)`,
  ]);
  wait: boolean = flag.present('--wait', [
    'wait for the task and exit with the code of its outcome',
    fr`attend la fin de la tâche et se termine avec le code de son résultat`,
  ]);
  prune: string | boolean | undefined = flag.optional(
    '--prune',
    [
      'prune in this run, overriding the configuration and without a list shown first; --prune=false disables it',
      fr`élague lors de cette exécution, quelle que soit la configuration et sans liste montrée avant ; --prune=false désactive l’élagage`,
    ],
    ['true', 'false'],
  );
  dryRun: boolean = flag.present('--dry-run', ['plan only', fr`établit seulement le plan`]);
  retriever: string | undefined = flag.text(
    '--retriever',
    [
      'plan: the Retriever, a path, https URL or oci:// reference',
      fr`plan : le Retriever, par un chemin, une URL https ou une référence oci://`,
    ],
    'source',
  );
  skipDestination: boolean = flag.present('--skip-destination', [
    'plan: do not query the destination',
    fr`plan : n’interroge pas la destination`,
  ]);

  protected override get flags(): Record<string, string | undefined> {
    return { ...super.flags, 'retriever.source': toSource(this.retriever) };
  }

  async run(): Promise<number> {
    this.#refuseMixture();
    return this.dryRun ? this.#plan() : this.#trigger();
  }

  #refuseMixture(): void {
    const trigger = {
      '--instance': this.instance,
      '--token-file': this.tokenFile,
      '--request-timeout': this.requestTimeout,
      '--wait': this.wait || undefined,
      '--wait-timeout': this.waitTimeout,
      '--prune': this.prune,
    };
    const plan = { '--retriever': this.retriever, '--skip-destination': this.skipDestination || undefined };
    const given = (flags: Record<string, unknown>) =>
      Object.keys(flags).filter((name) => flags[name] !== undefined);
    if (this.dryRun && given(trigger).length > 0) {
      const names = given(trigger).join(', ');
      throw new CommandLineError([
        `${names} cannot be used with --dry-run, which contacts no instance`,
        fr`${names} : incompatible avec --dry-run, qui ne contacte aucune instance`,
      ]);
    }
    if (!this.dryRun && given(plan).length > 0) {
      const names = given(plan).join(', ');
      throw new CommandLineError([
        `${names} requires --dry-run: an instance uses its own configuration`,
        fr`${names} exige --dry-run : une instance utilise sa propre configuration`,
      ]);
    }
    if (this.waitTimeout !== undefined && !this.wait) {
      throw new CommandLineError(['--wait-timeout requires --wait', fr`--wait-timeout exige --wait`]);
    }
  }

  async #plan(): Promise<number> {
    const { config } = await this.loadConfig('sync-plan');
    const { planLocally } = await import('./plan-locally.ts');
    const { openProgress } = await import('./cli/progress.ts');
    using progress = openProgress({ stderr: this.context.stderr, language: this.language });
    const report = await this.openReport(progress);
    const { signal, env } = this.context;
    const skipDestination = this.skipDestination;
    const answer = await planLocally(config, { skipDestination, report, signal, env });
    progress.stop();
    if (this.format === 'json') await this.printDocument(answer);
    else {
      const { renderPlan } = await import('./render/plan.ts');
      this.printReport(renderPlan(answer.plan, this.rendering, answer.link));
    }
    return answer.exit_code;
  }

  async #trigger(): Promise<number> {
    const { waitTimeout: timeout } = this;
    const prune = toChoice(this.prune);
    const { config } = await this.loadConfig('ask-instance');
    await using client = await this.connect(config);
    const { task: created, ...preview } = await this.#submit(client, prune);
    if (preview.prunePreview) {
      const { renderProjection } = await import('./render/prune.ts');
      const { stderr, env } = this.context;
      const options = { language: this.language, width: toWidth(stderr, env) };
      this.printNotes(renderProjection(preview.prunePreview, created.prune !== false, options));
    }
    if (!this.wait) {
      await this.#print({ instance: client.url, waited: false, ...preview, task: created });
      await this.suggestNext(
        ['wait for its end with:', fr`attendez sa fin avec :`],
        `svc task wait ${created.id}`,
      );
      return exitCodes.ok;
    }
    const { task, gaveUp } = await this.waitFor(client, created.id, async () => created, timeout);
    await this.#print({ instance: client.url, waited: !gaveUp, ...preview, task });
    if (gaveUp) this.giveUp(client, task);
    const exitCode = await this.settle(task);
    if (exitCode === exitCodes.ok) await this.#suggestCarrying(config);
    return exitCode;
  }

  /** Requests the task. An interruption of the request says that its outcome is not known, and how to see it. */
  async #submit(client: InstanceClient, prune: boolean | undefined): Promise<SubmittedSync> {
    const { printNext } = await import('./cli/print-next.ts');
    const { signal, stderr } = this.context;
    const command = await this.withRepeatedFlags('svc task list --type sync');
    const { url } = client;
    const sentence: Sentence = [
      `interrupted before ${url} answered; a task that it had created by then continues, and its page on ${url}/tasks cancels it; to see whether there is one:`,
      fr`interrompu avant la réponse de ${url} ; une tâche déjà créée continue, et sa page sous ${url}/tasks l’annule ; pour voir s’il y en a une :`,
    ];
    const onAbort = (): void => printNext(stderr, [{ sentence, command }], this.language);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await client.submitSync(prune);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Shows a person at a terminal, beside a mirror of this machine, the next step with its medium. */
  async #suggestCarrying({ mode, storage }: Config): Promise<void> {
    const { stderr, env } = this.context;
    if (env.SVC_INSTANCE_URL || mode !== 'mirror' || storage.root === undefined) return;
    if (stderr.isTTY !== true || this.format !== 'text' || this.instance !== undefined) return;
    const { printNext } = await import('./cli/print-next.ts');
    const sentence: Sentence = [
      `the medium is ${storage.root}: stop the instance, carry it, and in the zone run:`,
      fr`le support est ${storage.root} : arrêtez l’instance, transportez-le, puis dans la zone :`,
    ];
    printNext(stderr, [{ sentence, command: 'svc quickstart --for medium' }], this.language);
  }

  async #print(document: SubmittedSync & { instance: string; waited: boolean }): Promise<void> {
    const { task } = document;
    if (this.format === 'json') await this.printDocument(document);
    else {
      const { renderLanded, renderLowered, renderTask } = await import('./render/task.ts');
      const { renderPruned } = await import('./render/prune.ts');
      const { language } = this;
      this.printReport(
        renderTask(task, language) +
          renderLanded(task) +
          renderLowered(task, language) +
          renderPruned(task, language),
      );
    }
  }
}

function toChoice(prune: string | boolean | undefined): boolean | undefined {
  if (prune === undefined || typeof prune === 'boolean') return prune;
  if (prune === 'true' || prune === '1') return true;
  if (prune === 'false' || prune === '0') return false;
  throw new CommandLineError([
    '--prune takes true or false: --prune, --prune=true or --prune=false',
    fr`--prune prend true ou false : --prune, --prune=true ou --prune=false`,
  ]);
}
