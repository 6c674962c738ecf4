import { join } from 'node:path';
import { after, before, type TestContext } from 'node:test';
import type { Browser, BrowserContext } from 'playwright-core';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { mediumStates } from '../kit/showcase/answers.ts';
import { openShowcase, password, type Showcase } from '../kit/showcase/showcase.ts';
import { type Look, type OpenedPage, openBrowser, openPage } from '../kit/web/browser.ts';
import type { Scene } from './scenes.ts';
import { openTlsServer } from './tls-server.ts';

export type Language = 'en' | 'fr';

interface Visitor {
  readonly context: BrowserContext;
  readonly opened: OpenedPage;
}

/** The instances of the scenes, and visitors signed in to them. */
export interface Stage extends AsyncDisposable {
  readonly show: Showcase;
  /** Loads a page of a scene in a look, and does the steps of the scene there. */
  load(browser: Browser, scene: Scene, language: Language, look: Look): Promise<OpenedPage>;
  /** Sets the state of a scene, for as long as `run` takes. */
  play(scene: Scene, run: () => Promise<void>): Promise<void>;
}

/** @param folder of its own, empty */
export async function openStage(folder: string): Promise<Stage> {
  const show = await openShowcase(join(folder, 'full'));
  await show.startSync();
  const others = new Map<string, TestServer>([
    ['empty', await startTestServer({ folder: join(folder, 'empty') })],
    ['disabled', await startTestServer({ folder: join(folder, 'disabled'), authDisabled: true })],
    ['tls', await openTlsServer(join(folder, 'tls'))],
  ]);
  for (const server of others.values())
    for (const [name, role] of [
      ['alice', 'admin'],
      ['vera', 'viewer'],
    ] as const)
      await server.accounts.create({ name, role, password });
  const serverOf = ({ on }: Scene): TestServer => (on === undefined ? show.server : others.get(on)!);
  const visitors = new Map<string, Visitor>();

  /** One for each account, instance and language, with the page that loads all of its scenes. */
  async function openVisitor(browser: Browser, scene: Scene, language: Language): Promise<Visitor> {
    const { as = 'alice', on = 'full' } = scene;
    const key = `${on} ${as} ${language}`;
    const known = visitors.get(key);
    if (known !== undefined) return known;
    const { url } = serverOf(scene);
    const context = await browser.newContext({
      locale: language,
      ignoreHTTPSErrors: true,
      // a colour on its way to another one has a contrast of its own
      reducedMotion: 'reduce',
    });
    const opened = await openPage(context, `${url}/login`);
    const visitor = { context, opened };
    visitors.set(key, visitor);
    if (as === 'nobody') return visitor;
    const { page } = opened;
    await page.fill('#field-name', as);
    await page.fill('#field-password', password);
    await Promise.all([page.waitForURL(`${url}/`), page.keyboard.press('Enter')]);
    return visitor;
  }

  return {
    show,
    load: async (browser, scene, language, look) => {
      const { context, opened } = await openVisitor(browser, scene, language);
      const { url } = serverOf(scene);
      await context.addCookies([{ name: 'svc_theme', value: look.theme, url }]);
      const path = typeof scene.path === 'string' ? scene.path : scene.path(show);
      const { status: expected } = scene;
      await opened.load(`${url}${path}`, {
        look,
        ...(expected === undefined ? {} : { expected }),
      });
      await scene.act?.(opened.page);
      return opened;
    },
    play: async (scene, run) => {
      scene.set?.(show);
      try {
        await run();
      } finally {
        show.closed = false;
        show.alarmed = false;
        show.stalled = false;
        show.failure = undefined;
        show.media.current = mediumStates.partial!;
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const item of [show, ...others.values()]) await item[Symbol.asyncDispose]();
    },
  };
}

/** The stage of the tests of a file, and their browser. */
interface SetStage {
  readonly stage: Stage;
  readonly browser: Browser;
  /** Opens the browser. @returns false when none is installed: the test is then reported as not run */
  opens(context: TestContext): Promise<boolean>;
}

/** Opens a stage before the tests of a file, and closes it with its browser after them. */
export function setStage(): SetStage {
  let folder: TempFolder;
  let stage: Stage;
  let browser: Browser | undefined;
  before(async () => {
    folder = await openTempFolder();
    stage = await openStage(folder.path);
  });
  after(async () => {
    await browser?.close();
    for (const item of [stage, folder]) await item[Symbol.asyncDispose]();
  });
  return {
    get stage() {
      return stage;
    },
    get browser() {
      return browser!;
    },
    opens: async (context) => {
      browser ??= await openBrowser(context);
      return browser !== undefined;
    },
  };
}
