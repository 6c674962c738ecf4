import { listTasks } from '../../src/contract/operations/tasks.ts';
import { TaskSummaryList } from '../../src/contract/task.ts';
import { fr } from '../../src/text/language.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { flag, flagOf } from '../cli/inputs.ts';
import { findPageFault } from '../client/answer-faults.ts';
import { InstanceCommand } from '../client/instance-command.ts';
import { parsePaging, readPages } from '../client/paging.ts';
import { getWidth } from '../render/width.ts';

const { query } = listTasks;

export class TaskListCommand extends InstanceCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Exit code: 0 success, also for an empty list; 1 failure.',
        fr`Code de sortie : 0 succès, y compris pour une liste vide ; 1 échec.`,
      ],
    ],
    examples: [
      [['Failed tasks', fr`Les tâches en échec`], 'svc task list --status failed'],
      [
        ['The last synchronization', fr`La dernière synchronisation`],
        'svc task list --type sync --page-size 1 --output json',
      ],
    ],
  };

  status = flagOf('--status', query.status);
  type = flagOf('--type', query.type);
  search = flagOf('--search', query.q);
  sort = flagOf('--sort', query.sort);
  order = flagOf('--order', query.order);
  page = flagOf('--page', query.page);
  pageSize = flagOf('--page-size', query.pageSize);
  all: boolean = flag.present('--all', ['all pages', fr`toutes les pages`]);

  async run(): Promise<number> {
    const paging = parsePaging(this);
    const query = {
      q: this.search,
      status: this.status,
      type: this.type,
      sort: this.sort,
      order: this.order,
      view: 'summary',
    } as const;
    await using client = await this.connect();
    const list = await readPages<TaskSummaryList>(paging, 'tasks', (part) =>
      client.ask(listTasks, {
        query: { ...query, ...part },
        as: TaskSummaryList,
        findFault: (answer) => findPageFault(answer, 'tasks', part),
      }),
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
