import { nextLink, type Page, parsePage } from './page.ts';
import { type RegistryCall, sendBytes } from './registry-call.ts';
import { wireError } from './wire-error.ts';

/** Selects one page of names and whether more follow. Reads in steps, since some names may be hidden. */
function selectPage(
  page: Page,
  read: (last: string | undefined, limit: number) => readonly string[],
  isShown: (name: string) => boolean,
): { readonly names: readonly string[]; readonly more: boolean } {
  const names: string[] = [];
  if (page.limit === 0) return { names, more: false };
  let { last } = page;
  for (;;) {
    const batch = read(last, page.limit + 1);
    for (const name of batch) {
      last = name;
      if (!isShown(name)) continue;
      if (names.length === page.limit) return { names, more: true };
      names.push(name);
    }
    if (batch.length <= page.limit) return { names, more: false };
  }
}

function parameters(call: RegistryCall): URLSearchParams {
  return new URLSearchParams(call.exchange.query);
}

/** Handles GET of the catalog: repository names in byte order, paginated. */
export function listCatalog(call: RegistryCall): void {
  const { index } = call.store;
  const page = parsePage(parameters(call));
  const { names, more } = selectPage(
    page,
    (last, limit) => index.repositories({ limit, last }),
    (name) => call.gate.allowsRepository(name),
  );
  sendBytes(
    call,
    'application/json',
    Buffer.from(JSON.stringify({ repositories: names })),
    more ? { link: nextLink('/v2/_catalog', page.limit, names.at(-1)!) } : {},
  );
}

/**
 * Handles GET of the tags of a repository: in byte order, paginated (distribution specification, Listing
 * Tags).
 */
export function listTags(call: RegistryCall, repository: string): void {
  const { index } = call.store;
  if (!index.hasRepository(repository) || !call.gate.allowsRepository(repository)) {
    throw wireError(404, 'NAME_UNKNOWN', 'repository name not known to registry', { name: repository });
  }
  const page = parsePage(parameters(call));
  const { names, more } = selectPage(
    page,
    (last, limit) => index.tags(repository, { limit, last }).map(({ tag }) => tag),
    (tag) => call.gate.allowsTag(repository, tag),
  );
  sendBytes(
    call,
    'application/json',
    Buffer.from(JSON.stringify({ name: repository, tags: names })),
    more ? { link: nextLink(`/v2/${repository}/tags/list`, page.limit, names.at(-1)!) } : {},
  );
}
