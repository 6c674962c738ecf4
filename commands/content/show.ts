import { Command, Option, type Usage } from 'clipanion';
import { type RegistryBase, toRegistryBase } from '../../src/client/node-mirrors.ts';
import type { Repository, Tag } from '../../src/contract/content.ts';
import type { VersionQuery } from '../../src/view/content.ts';
import { toLogins, toPullCommands, toPullTarget } from '../../src/view/pull-commands.ts';
import type { FlagValues } from '../cli/base-command.ts';
import { parseChoice } from '../cli/parse-choice.ts';
import { parsePaging, readPages } from '../client/paging.ts';
import { PlaceCommand } from '../client/place-command.ts';
import { getWidth } from '../render/width.ts';

/** What `svc content show` is asked for: a repository, or one of its versions by tag or digest. */
interface ContentName {
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

/** Splits `<repository>[:<tag>|@<digest>]`. Repositories of a store have no colon. */
function parseContentName(text: string): ContentName {
  const at = text.indexOf('@');
  if (at >= 0) return { repository: text.slice(0, at).replace(/:[^:/]*$/, ''), digest: text.slice(at + 1) };
  const colon = text.lastIndexOf(':');
  if (colon < 0 || text.indexOf('/', colon) >= 0) return { repository: text.replace(/\/+$/, '') };
  return { repository: text.slice(0, colon), tag: text.slice(colon + 1) };
}

const ways = ['digest', 'tag'] as const;

/** What is shown, and the address that clients pull it from; undefined when none is known. */
interface Shown {
  readonly content: Repository | Tag;
  readonly base: RegistryBase | undefined;
  /** Whether the registry answers without a sign-in. */
  readonly isAnonymous: boolean;
}

/** Reads one repository or one version, from an instance or a store. */
interface ContentReader {
  repository(query: VersionQuery): Promise<Repository>;
  version(query: { readonly repository: string; readonly tag: string }): Promise<Tag>;
}

export class ContentShowCommand extends PlaceCommand {
  static override paths: string[][] = [['content', 'show']];
  static override values: Readonly<Record<string, FlagValues>> = {
    ...PlaceCommand.values,
    '--by': ways,
    '': 'repository',
  };
  static override usage: Usage = Command.Usage({
    description: 'Show a repository or a version, with the commands that pull it',
    details: `
      Of a repository, shows its versions; of a version, its platforms, signatures and owners, and the command of
      each client that pulls it. Asks the instance of --instance or SVC_INSTANCE_URL; without one, reads the store
      of the configuration, also while an instance serves it. The address in the commands is then server.publicURL,
      else the listen address.

      Exit code: 0 success, 1 failure or unknown name, 3 the medium has not been verified.
    `,
    examples: [
      ['The versions of a repository', 'svc content show registry.example/shop/web --search 1.4'],
      ['One version', 'svc content show registry.example/shop/web:1.4.0'],
      [
        'Pull it with the first client',
        "svc content show shop/web:1.4.0 --output json | jq -r '.pull[0].command'",
      ],
    ],
  });

  by: string | undefined = Option.String('--by', { description: 'pull by digest or by tag (digest)' });
  search: string | undefined = Option.String('--search', {
    description: 'versions: part of the tag, or at least 7 characters of the digest',
  });
  page: string | undefined = Option.String('--page', { description: 'versions: page to show (1)' });
  pageSize: string | undefined = Option.String('--page-size', {
    description: 'versions: entries of a page, at most 200 (25)',
  });
  all: boolean = Option.Boolean('--all', false, { description: 'versions: all pages' });
  content: string = Option.String({ name: 'repository[:tag|@digest]' });

  async run(): Promise<number> {
    const by = parseChoice('--by', this.by, ways) ?? 'digest';
    const name = parseContentName(this.content);
    const paging = parsePaging(this);
    const { content, base, isAnonymous } = this.asksInstance
      ? await this.#ask(name, paging)
      : await this.#look(name, paging);
    const target = 'tag' in content && base !== undefined ? toPullTarget(content, base, by) : undefined;
    const pull = target === undefined ? undefined : toPullCommands(target);
    const login = target === undefined || isAnonymous ? undefined : toLogins(target);
    if (this.format === 'json')
      await this.printDocument({
        ...content,
        ...(pull === undefined ? {} : { pull }),
        ...(login === undefined ? {} : { login }),
      });
    else {
      const { renderRepository, renderVersion } = await import('./render-show.ts');
      const options = { language: this.language, width: getWidth(this.context) };
      this.context.stdout.write(
        'tag' in content
          ? renderVersion(content, target, { ...options, login })
          : renderRepository(content, options),
      );
    }
    return 0;
  }

  async #ask(name: ContentName, paging: ReturnType<typeof parsePaging>): Promise<Shown> {
    await using client = await this.connect();
    const toPath = (repository: string): string =>
      `/content/${repository.split('/').map(encodeURIComponent).join('/')}`;
    const content = await this.#read(name, paging, {
      repository: ({ repository, ...query }) =>
        client.get<Repository>(toPath(repository), 'Repository', { ...query }),
      version: ({ repository, tag }) =>
        client.get<Tag>(`${toPath(repository)}/-/tags/${encodeURIComponent(tag)}`, 'Tag'),
    });
    // an instance that answered without a token asks nobody for one
    return { content, base: toRegistryBase(client.url), isAnonymous: !client.isSignedIn };
  }

  async #look(name: ContentName, paging: ReturnType<typeof parsePaging>): Promise<Shown> {
    const { showRepository, showVersion } = await import('../../src/view/content.ts');
    const { deriveUrl } = await import('../client/instance-address.ts');
    await using place = await this.openPlace(true);
    await place.loadRoots();
    const content = await this.#read(name, paging, {
      repository: (query) => showRepository(place, query),
      version: (query) => showVersion(place, query),
    });
    const url = place.config.server.publicURL ?? deriveUrl(place.config);
    const base = url === undefined ? undefined : toRegistryBase(url);
    return { content, base, isAnonymous: place.config.auth.disabled };
  }

  async #read(
    { repository, tag, digest }: ContentName,
    paging: ReturnType<typeof parsePaging>,
    reader: ContentReader,
  ): Promise<Repository | Tag> {
    if (tag !== undefined) return reader.version({ repository, tag });
    if (digest === undefined)
      return readPages<Repository>(paging, 'tags', (part) =>
        reader.repository({ repository, q: this.search, ...part }),
      );
    const { tags } = await reader.repository({ repository, q: digest, page: 1, pageSize: 200 });
    const found = tags.find((each) => each.digest === digest);
    if (found !== undefined) return reader.version({ repository, tag: found.tag });
    const { svcError } = await import('../../src/text/error.ts');
    throw svcError('SVC-REG-005', { reference: `${repository}@${digest}` });
  }
}
