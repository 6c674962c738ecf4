import { type HistoryPage, type HistoryRecord, isReversed } from '../src/contract/history.ts';
import { listHistory } from '../src/contract/operations/history.ts';
import { svcError } from '../src/text/error.ts';
import { fr } from '../src/text/language.ts';
import type { CommandHelp } from './cli/command-definition.ts';
import { CommandLineError } from './cli/command-line-error.ts';
import { flag, flagOf } from './cli/inputs.ts';
import { InstanceCommand } from './client/instance-command.ts';
import { largestPage, mostEntries } from './client/paging.ts';

const { query } = listHistory;

type ReadPage = (part: {
  readonly cursor: string | undefined;
  readonly pageSize: number;
}) => Promise<HistoryPage>;

export class HistoryCommand extends InstanceCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Lists the kept audit records, and the lines of the custody ledger if there is one, newest first: time, actor, action, target, outcome and client address. Reads the state folder of the configuration, also while an instance runs, or asks the instance of --instance or SVC_INSTANCE_URL, which requires the role admin, or the one of its auth.historyRole.',
        fr`Liste les enregistrements d’audit conservés, et les lignes du journal de garde s’il y en a un, du plus récent au plus ancien : heure, acteur, action, cible, résultat et adresse du client. Lit le dossier d’état de la configuration, même pendant qu’une instance fonctionne, ou interroge l’instance de --instance ou de SVC_INSTANCE_URL, ce qui exige le rôle admin, ou celui de son auth.historyRole.`,
      ],
      [
        'Exit code: 0 success, also for an empty list; 1 failure.',
        fr`Code de sortie : 0 succès, y compris pour une liste vide ; 1 échec.`,
      ],
    ],
    examples: [
      [
        ['Deletions of a repository', fr`Suppressions d’un dépôt`],
        'svc history --action content.delete --subject library/alpine',
      ],
      [
        ['Refusals of a month for a script', fr`Refus d’un mois pour un script`],
        'svc history --outcome denied --from 2026-11-01 --to 2026-11-30 --all --output json',
      ],
    ],
  };

  override instance: string | undefined = flag.text(
    '--instance',
    [
      'URL of a running instance (SVC_INSTANCE_URL); without one, the state folder of the configuration',
      fr`URL d’une instance en cours d’exécution (SVC_INSTANCE_URL) ; sans elle, le dossier d’état de la configuration`,
    ],
    'url',
  );

  by = flagOf('--actor', query.actor);
  subject = flagOf('--subject', query.subject);
  action = flagOf('--action', query.action);
  outcome = flagOf('--outcome', query.outcome);
  from = flagOf('--from', query.from);
  to = flagOf('--to', query.to);
  order = flagOf('--order', query.order);
  cursor = flagOf('--cursor', query.cursor);
  pageSize = flagOf('--page-size', query.pageSize);
  all: boolean = flag.present('--all', ['all records', fr`tous les enregistrements`]);

  async run(): Promise<number> {
    const { instance, stateRoot } = this;
    if (instance !== undefined && stateRoot !== undefined)
      throw new CommandLineError([
        '--instance and --state-root cannot be used together: one names a running instance, the other a folder of this machine',
        fr`--instance et --state-root sont incompatibles : l’une nomme une instance en cours d’exécution, l’autre un dossier de cette machine`,
      ]);
    if (isReversed(this.from, this.to))
      throw new CommandLineError(['--to must not be before --from', fr`--to ne doit pas précéder --from`]);
    const asksInstance =
      instance !== undefined || (Boolean(this.context.env.SVC_INSTANCE_URL) && stateRoot === undefined);
    const page = asksInstance ? await this.#ask() : await this.#look();
    if (this.format === 'json') await this.printDocument(page);
    else {
      const { renderHistory } = await import('./render/history.ts');
      this.printReport(renderHistory(page, this.rendering));
    }
    return 0;
  }

  get #filter() {
    const { by, subject, action, outcome, from, to, order } = this;
    return { actor: by, subject, action, outcome, from, to, order };
  }

  async #ask(): Promise<HistoryPage> {
    await using client = await this.connect();
    return await this.#collect((part) =>
      client.ask(listHistory, { query: { ...this.#filter, ...part, format: undefined } }),
    );
  }

  async #look(): Promise<HistoryPage> {
    const { config } = await this.loadConfig('history');
    const { showHistory } = await import('../src/view/history.ts');
    return this.#collect((part) => showHistory(config, { ...this.#filter, ...part }));
  }

  /**
   * Reads pages until the wanted number of records was found. An instance is untrusted: a cursor that stays ends the list.
   *
   * @throws SVC-VAL-002 for more than a million records or pages
   */
  async #collect(read: ReadPage): Promise<HistoryPage> {
    const { all, pageSize = 50 } = this;
    const records: HistoryRecord[] = [];
    let { cursor } = this;
    for (let pages = 0; ; pages += 1) {
      this.context.signal.throwIfAborted();
      const page = await read({ cursor, pageSize: all ? largestPage : pageSize - records.length });
      records.push(...page.records);
      if (records.length > mostEntries || pages > mostEntries)
        throw svcError('SVC-VAL-002', { limit: mostEntries });
      const isEnd = page.next === undefined || page.next === cursor;
      if (isEnd || (!all && records.length >= pageSize)) return { ...page, records };
      cursor = page.next;
    }
  }
}
