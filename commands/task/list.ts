import { Command, Option, type Usage } from 'clipanion';
import type { PageOf } from '../../src/base/page.ts';
import type { TaskType } from '../../src/contract/common.ts';
import { taskStatuses } from '../../src/task/model.ts';
import type { TaskHead } from '../../src/task/storage.ts';
import type { FlagValues } from '../cli/base-command.ts';
import { parseChoice } from '../cli/parse-choice.ts';
import { InstanceCommand } from '../client/instance-command.ts';
import { parsePaging, readPages } from '../client/paging.ts';
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
  static override paths: string[][] = [['task', 'list']];
  static override values: Readonly<Record<string, FlagValues>> = {
    ...InstanceCommand.values,
    '--status': taskStatuses,
    '--type': types,
  };
  static override usage: Usage = Command.Usage({
    description: 'List the tasks of an instance, newest first',
    details: 'Exit code: 0 success, also for an empty list; 1 failure.',
    examples: [
      ['What failed', 'svc task list --status failed'],
      ['The last synchronization', 'svc task list --type sync --page-size 1 --output json'],
    ],
  });

  status: string | undefined = Option.String('--status', { description: 'only tasks in this state' });
  type: string | undefined = Option.String('--type', { description: 'only tasks of this type' });
  search: string | undefined = Option.String('--search', {
    description: 'part of the identifier, run, reference or actor',
  });
  page: string | undefined = Option.String('--page', { description: 'page to show (1)' });
  pageSize: string | undefined = Option.String('--page-size', {
    description: 'entries of a page, at most 200 (25)',
  });
  all: boolean = Option.Boolean('--all', false, { description: 'all pages' });

  async run(): Promise<number> {
    const paging = parsePaging(this);
    const query = {
      q: this.search,
      status: parseChoice('--status', this.status, taskStatuses),
      type: parseChoice('--type', this.type, types),
      view: 'summary',
    };
    await using client = await this.connect();
    const list = await readPages<PageOf & { readonly tasks: readonly TaskHead[] }>(paging, 'tasks', (part) =>
      client.get('/tasks', 'TaskSummaryList', { ...query, ...part }),
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
