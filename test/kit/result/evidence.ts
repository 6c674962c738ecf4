import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Everything that programs say or write, by where it was found, and the secrets that none of it may contain. */
export class Evidence {
  readonly #texts: { readonly where: string; readonly text: string }[] = [];
  readonly #secrets = new Map<string, string>();

  /** Plants a secret: its text, its base64 and its form in a URL may appear nowhere. */
  plant(name: string, value: string): void {
    assert.ok(value.length >= 12, `${name} is long enough to stand alone`);
    this.#secrets.set(name, value);
    this.#secrets.set(`${name}, base64`, Buffer.from(value).toString('base64').replace(/=+$/, ''));
    this.#secrets.set(`${name}, in a URL`, encodeURIComponent(value));
  }

  add(where: string, text: string): void {
    this.#texts.push({ where, text });
  }

  async addTree(where: string, root: string): Promise<void> {
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      this.add(`${where} ${path.slice(root.length)}`, (await readFile(path)).toString('latin1'));
    }
  }

  get size(): number {
    return this.#texts.reduce((sum, { text }) => sum + text.length, 0);
  }

  /** The places where a secret appears. */
  find(): readonly string[] {
    return this.#texts.flatMap(({ where, text }) =>
      [...this.#secrets].flatMap(([name, value]) => {
        const at = text.indexOf(value);
        return at < 0 ? [] : [`${name} in ${where}: …${text.slice(Math.max(0, at - 120), at + 40)}…`];
      }),
    );
  }
}
