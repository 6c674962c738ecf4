import { type PageClient, toPoll } from './page-client.ts';
import { polledPages, toPagePaths } from './page-paths.ts';

/**
 * Asks for every page so many times, taking turns, and after each for the live sections again.
 *
 * @param pause called before each page
 * @throws Error at another status than 200, or 304 for a poll
 */
export async function askPages(
  client: PageClient,
  {
    repositories,
    times,
    pause,
  }: {
    readonly repositories: number;
    readonly times: number;
    readonly pause?: () => Promise<unknown>;
  },
): Promise<void> {
  const paths = Object.entries(toPagePaths(repositories));
  const known = new Map<string, string>();
  const poll = async (name: string, path: string): Promise<void> => {
    const before = known.get(path) ?? (await client.get('first', path)).text;
    const { status } = await client.get(name, path, toPoll(before));
    if (status === 304) known.set(path, before);
    // the state of the volume or of a task is another one: the next poll begins with a new page
    else if (status === 200) known.delete(path);
    else throw new Error(`${name}: ${status}`);
  };
  for (let i = 0; i < times; i += 1) {
    for (const [name, toPath] of paths) {
      await pause?.();
      const { status, text } = await client.get(name, toPath(i));
      if (status !== 200) throw new Error(`${toPath(i)}: ${status} ${text.slice(0, 500)}`);
    }
    for (const [name, path] of Object.entries(polledPages)) await poll(`poll-${name}`, path);
  }
}
