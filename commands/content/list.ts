import { Command, Option, type Usage } from 'clipanion';
import type { ContentList, FolderList } from '../../src/contract/content.ts';
import { contentKinds } from '../../src/oci/kind.ts';
import type { ContentQuery } from '../../src/view/select-repositories.ts';
import type { FlagValues } from '../cli/base-command.ts';
import { parseChoice } from '../cli/parse-choice.ts';
import { parsePaging, readPages } from '../client/paging.ts';
import { PlaceCommand } from '../client/place-command.ts';
import { getWidth } from '../render/width.ts';

const sorts = ['name', 'size'] as const;

export class ContentListCommand extends PlaceCommand {
  static override paths: string[][] = [['content', 'list']];
  static override values: Readonly<Record<string, FlagValues>> = {
    ...PlaceCommand.values,
    '--kind': contentKinds,
    '--sort': sorts,
  };
  static override usage: Usage = Command.Usage({
    description: 'List the repositories of an instance or a store',
    details: `
      Asks the instance of --instance or SVC_INSTANCE_URL; without one, reads the store of the configuration, also
      while an instance serves it. Of a medium that has not been verified in this zone, only names are listed.

      Exit code: 0 success, also for an empty list; 1 failure.
    `,
    examples: [
      ['Charts, the largest first', 'svc content list --kind HelmChart --sort size'],
      ['Folders of a running instance', 'svc content list --folders --instance https://svc.example'],
      ['All names for a script', 'svc content list --all --output json'],
    ],
  });

  search: string | undefined = Option.String('--search', { description: 'part of the name' });
  kinds: string[] = Option.Array('--kind', [], { description: 'only this kind; repeatable' });
  prefix: string | undefined = Option.String('--prefix', { description: 'only below this path' });
  sort: string | undefined = Option.String('--sort', { description: 'order (name)' });
  folders: boolean = Option.Boolean('--folders', false, {
    description: 'list the path segments below the prefix, with the number of repositories',
  });
  page: string | undefined = Option.String('--page', { description: 'page to show (1)' });
  pageSize: string | undefined = Option.String('--page-size', {
    description: 'entries of a page, at most 200 (25)',
  });
  all: boolean = Option.Boolean('--all', false, { description: 'all pages' });

  async run(): Promise<number> {
    const paging = parsePaging(this);
    const query: ContentQuery = {
      q: this.search,
      kind: this.kinds.map((each) => parseChoice('--kind', each, contentKinds)),
      prefix: this.prefix,
      sort: parseChoice('--sort', this.sort, sorts),
    };
    const member: string = this.folders ? 'folders' : 'repositories';
    const list = this.asksInstance
      ? await this.#ask(query, paging, member)
      : await this.#look(query, paging, member);
    if (this.format === 'json') await this.printDocument(list);
    else {
      const { isNamesOnly, renderContent, renderFolders } = await import('./render-list.ts');
      const options = {
        language: this.language,
        width: getWidth(this.context),
        isOfStore: !this.asksInstance,
      };
      const text = 'folders' in list ? renderFolders(list, options) : renderContent(list, options);
      this.context.stdout.write(text);
      if (!this.asksInstance && 'repositories' in list && isNamesOnly(list)) await this.suggestVerification();
    }
    return 0;
  }

  async #ask(
    query: ContentQuery,
    paging: ReturnType<typeof parsePaging>,
    member: string,
  ): Promise<ContentList | FolderList> {
    await using client = await this.connect();
    const { sort, ...shared } = query;
    // the order is not that of folders
    const asked = this.folders ? { ...shared, view: 'folders' } : { ...shared, sort };
    return await readPages(paging, member as never, (part) =>
      client.get<ContentList | FolderList>('/content', this.folders ? 'FolderList' : 'ContentList', {
        ...asked,
        ...part,
      }),
    );
  }

  async #look(
    query: ContentQuery,
    paging: ReturnType<typeof parsePaging>,
    member: string,
  ): Promise<ContentList | FolderList> {
    const [{ listContent }, { listFolders }] = await Promise.all([
      import('../../src/view/content.ts'),
      import('../../src/view/folders.ts'),
    ]);
    await using place = await this.openPlace();
    const list = this.folders ? listFolders : listContent;
    return await readPages<ContentList | FolderList>(paging, member as never, (part) =>
      list(place, { ...query, ...part }),
    );
  }
}
