import { ContentList, FolderList } from '../../src/contract/content.ts';
import type { NamedQuery } from '../../src/contract/operation.ts';
import { type contentFilters, listContent } from '../../src/contract/operations/content.ts';
import { fr } from '../../src/text/language.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { flag, flagOf } from '../cli/inputs.ts';
import { findPageFault } from '../client/answer-faults.ts';
import { parsePaging, readPages } from '../client/paging.ts';
import { PlaceCommand } from '../client/place-command.ts';
import { getWidth } from '../render/width.ts';

const { query } = listContent;

export class ContentListCommand extends PlaceCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Asks the instance of --instance or SVC_INSTANCE_URL; without one, reads the store of the configuration, also while an instance serves it. Of a medium that has not been verified in this zone, only names are listed.',
        fr`Interroge l’instance de --instance ou de SVC_INSTANCE_URL ; sans elle, lit le stockage de la configuration, même pendant qu’une instance le sert. D’un support qui n’a pas été vérifié dans cette zone, seuls les noms sont listés.`,
      ],
      [
        'Exit code: 0 success, also for an empty list; 1 failure.',
        fr`Code de sortie : 0 succès, y compris pour une liste vide ; 1 échec.`,
      ],
    ],
    examples: [
      [
        ['Charts, the largest first', fr`Les charts, le plus grand d’abord`],
        'svc content list --kind HelmChart --sort size',
      ],
      [
        ['Folders of a running instance', fr`Dossiers d’une instance en cours d’exécution`],
        'svc content list --folders --instance https://svc.example',
      ],
      [['All names for a script', fr`Tous les noms pour un script`], 'svc content list --all --output json'],
    ],
  };

  search = flagOf('--search', query.q);
  kinds = flagOf('--kind', query.kind);
  prefix = flagOf('--prefix', query.prefix, 'path');
  sort = flagOf('--sort', query.sort);
  order = flagOf('--order', query.order);
  folders: boolean = flag.present('--folders', [
    'list the path segments below the prefix, with the number of repositories',
    fr`liste les segments de chemin sous le préfixe, avec le nombre de dépôts`,
  ]);
  page = flagOf('--page', query.page);
  pageSize = flagOf('--page-size', query.pageSize);
  all: boolean = flag.present('--all', ['all pages', fr`toutes les pages`]);

  async run(): Promise<number> {
    const paging = parsePaging(this);
    const query = {
      q: this.search,
      kind: this.kinds,
      prefix: this.prefix,
      sort: this.sort,
      order: this.order,
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
    query: NamedQuery<typeof contentFilters>,
    paging: ReturnType<typeof parsePaging>,
    member: string,
  ): Promise<ContentList | FolderList> {
    await using client = await this.connect();
    return await readPages<ContentList | FolderList>(paging, member as never, (part) =>
      this.folders
        ? // the order is not that of folders
          client.ask(listContent, {
            query: { ...query, sort: undefined, order: undefined, view: 'folders', ...part },
            as: FolderList,
            findFault: (answer) => findPageFault(answer, 'folders', part),
          })
        : client.ask(listContent, {
            query: { ...query, view: undefined, ...part },
            as: ContentList,
            findFault: (answer) => findPageFault(answer, 'repositories', part),
          }),
    );
  }

  async #look(
    query: NamedQuery<typeof contentFilters>,
    paging: ReturnType<typeof parsePaging>,
    member: string,
  ): Promise<ContentList | FolderList> {
    const { listContent, listFolders } = await import('../../src/view/content.ts');
    await using place = await this.openPlace();
    const list = this.folders ? listFolders : listContent;
    return await readPages<ContentList | FolderList>(paging, member as never, (part) =>
      list(place, { ...query, ...part }),
    );
  }
}
