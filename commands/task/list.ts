import type { TaskStatus, TaskType } from '../../src/contract/common.ts';
import { listTasks } from '../../src/contract/operations/tasks.ts';
import { TaskSummaryList } from '../../src/contract/task.ts';
import { taskStatuses } from '../../src/task/model.ts';
import { fr } from '../../src/text/language.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { flag } from '../cli/inputs.ts';
import { InstanceCommand } from '../client/instance-command.ts';
import { largestPage, parsePaging, readPages } from '../client/paging.ts';
import { getWidth } from '../render/width.ts';

const types = [
  'sync',
  'import',
  'media-import',
  'layout-export',
  'layout-import',
  'fileset-pack',
] as const satisfies readonly TaskType[];

export class TaskListCommand extends InstanceCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Exit code: 0 success, also for an empty list; 1 failure.',
        fr`Code de sortie : 0 succès, y compris pour une liste vide ; 1 échec.`,
      ],
    ],
    examples: [
      [['What failed', fr`Ce qui a échoué`], 'svc task list --status failed'],
      [
        ['The last synchronization', fr`La dernière synchronisation`],
        'svc task list --type sync --page-size 1 --output json',
      ],
    ],
  };

  status: TaskStatus | undefined = flag.choice('--status', taskStatuses, [
    'only tasks in this state',
    fr`seulement les tâches dans cet état`,
  ]);
  type: TaskType | undefined = flag.choice('--type', types, [
    'only tasks of this type',
    fr`seulement les tâches de ce type`,
  ]);
  search: string | undefined = flag.text(
    '--search',
    [
      'part of the identifier, run, reference or actor',
      fr`partie de l’identifiant, de l’exécution, de la référence ou de l’acteur`,
    ],
    'text',
  );
  page: number | undefined = flag.count('--page', ['page to show (1)', fr`page à afficher (1)`]);
  pageSize: number | undefined = flag.count(
    '--page-size',
    ['entries of a page, at most 200 (25)', fr`entrées par page, au plus 200 (25)`],
    largestPage,
  );
  all: boolean = flag.present('--all', ['all pages', fr`toutes les pages`]);

  async run(): Promise<number> {
    const paging = parsePaging(this);
    const query = {
      q: this.search,
      status: this.status,
      type: this.type,
      view: 'summary',
    } as const;
    await using client = await this.connect();
    const list = await readPages<TaskSummaryList>(paging, 'tasks', (part) =>
      client.ask(listTasks, { query: { ...query, ...part }, as: TaskSummaryList }),
    );
    if (this.format === 'json') await this.printDocument(list);
    else {
      const { renderTasks } = await import('./render-task.ts');
      this.context.stdout.write(
        renderTasks(list, { language: this.language, width: getWidth(this.context) }),
      );
    }
    return 0;
  }
}
