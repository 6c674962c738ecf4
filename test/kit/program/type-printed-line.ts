import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { Visitor } from '../web/visitor.ts';
import type { ClientHome } from './client-home.ts';

/** The row of a list of commands that is for this client. */
const rowOf = (list: Locator, client: string): Locator =>
  list.locator('li').filter({
    has: list
      .page()
      .locator('.client')
      .getByText(new RegExp(`\\b${client}\\b`)),
  });

/**
 * Takes a command from the page as a person does: by its button where scripts run, else by selecting it.
 *
 * @returns the text that is then in the clipboard, or selected
 */
export async function takeLine(visitor: Visitor, row: Locator): Promise<string> {
  const { page, way } = visitor;
  if (way === 'without scripts') return (await row.locator('code').innerText()).trim();
  await visitor.use(row.getByRole('button'));
  await row.locator('[data-state="done"]').waitFor();
  await visitor.context.grantPermissions(['clipboard-read']);
  return String(await page.evaluate('navigator.clipboard.readText()'));
}

interface TypedLines {
  /** The typed line that signs in. */
  readonly login: string;
  readonly pull: string;
  /** The folder that the client wrote. */
  readonly folder: string;
}

/**
 * Types the lines that the page of a version prints for a client into a shell: first the sign-in, then the pull. There is no
 * terminal that a client could ask on.
 *
 * @param token of the API, which the page asks to have in the file `token`
 */
export async function typePrintedLines(
  visitor: Visitor,
  home: ClientHome,
  client: 'crane' | 'skopeo',
  token: string,
): Promise<TypedLines> {
  const section = visitor.section('pull');
  const pull = await takeLine(visitor, rowOf(section.locator('.clients').first(), client));
  await visitor.unfold('Sign in once', section);
  const login = await takeLine(visitor, rowOf(section.locator('details .clients').first(), client));
  await writeFile(join(home.path, 'token'), `${token}\n`, { mode: 0o600 });
  await home.run('sh', ['-c', login]);
  await home.run('sh', ['-c', pull]);
  const folder = client === 'crane' ? pull.split(' ').at(-1)! : /oci:([^:]+)/.exec(pull)![1]!;
  return { login, pull, folder };
}
