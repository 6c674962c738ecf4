// pictures [NAME…]: takes the screenshots of docs/pictures again, of an instance with made-up content. Needs Chromium.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scenes } from '../test/browser/scenes.ts';
import { type Language, openStage } from '../test/browser/stage.ts';
import { openTempFolder } from '../test/kit/instance/temp-folder.ts';
import { type Look, openBrowser } from '../test/kit/web/browser.ts';

interface Picture {
  /** Name of the file, without `.png`. */
  readonly file: string;
  readonly scene: string;
  readonly look: Look;
  readonly language?: Language;
  /** CSS pixels. */
  readonly height: number;
}

const light = { theme: 'light', scheme: 'light', width: 1280 } as const;
const dark = { theme: 'dark', scheme: 'dark', width: 1280 } as const;
const pictures: readonly Picture[] = [
  { file: 'overview', scene: 'overview', look: light, height: 720 },
  { file: 'overview-phone', scene: 'overview', look: { ...dark, width: 390 }, language: 'fr', height: 844 },
  { file: 'medium', scene: 'medium, partial', look: light, height: 960 },
  { file: 'plan', scene: 'plan', look: light, height: 1000 },
  { file: 'task', scene: 'task, running', look: dark, height: 1000 },
  { file: 'recipe', scene: 'recipe', look: light, height: 1000 },
  { file: 'version', scene: 'version', look: light, height: 1000 },
  { file: 'content', scene: 'content', look: dark, height: 900 },
];
/** Bytes of a file that a page of the documentation loads. */
const limit = 200 << 10;

function stop(message: string): never {
  process.stderr.write(`pictures: ${message}\n`);
  process.exit(1);
}

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !pictures.some(({ file }) => file === name));
if (unknown !== undefined) stop(`${unknown}: no such picture`);
const folder = join(import.meta.dirname, '..', 'docs', 'pictures');
mkdirSync(folder, { recursive: true });
await using temporary = await openTempFolder();
await using stage = await openStage(temporary.path);
await using browser = await openBrowser({ skip: (why) => stop(why ?? 'skipped') });
for (const { file, scene: name, look, language = 'en', height } of pictures) {
  if (wanted.length > 0 && !wanted.includes(file)) continue;
  const scene = scenes.find((each) => each.name === name) ?? stop(`${name}: no such scene`);
  await stage.play(scene, async () => {
    const { page } = await stage.load(browser!, scene, language, look);
    await page.setViewportSize({ width: look.width, height });
    const bytes = await page.screenshot();
    if (bytes.length > limit) stop(`${file}.png has ${bytes.length} bytes, of ${limit} at most`);
    writeFileSync(join(folder, `${file}.png`), bytes);
    process.stdout.write(`${file}.png ${bytes.length}\n`);
  });
}
