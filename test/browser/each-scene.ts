import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { scenes } from './scenes.ts';
import type { Language, Stage } from './stage.ts';

/** Loads scenes in a language and a width, one after the other. */
export async function eachScene(
  { browser, stage }: { readonly browser: Browser; readonly stage: Stage },
  names: readonly string[],
  { language, width }: { readonly language: Language; readonly width: number },
  judge: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  for (const name of names) {
    const scene = scenes.find((each) => each.name === name);
    assert.ok(scene, name);
    await stage.play(scene, async () => {
      const { page } = await stage.load(browser, scene, language, {
        theme: 'light',
        scheme: 'light',
        width,
      });
      await judge(page, `${name}, ${language} ${width}`);
    });
  }
}
