import { existsSync } from 'node:fs';
import {
  type OpenedRecipe,
  openPublishedRecipe,
  openRecipeDocument,
  openStoredRecipe,
} from '../../src/authoring/door.ts';
import { requireSetting } from '../../src/base/require-setting.ts';
import type { Config } from '../../src/config/model.ts';
import { readBounded } from '../../src/disk/named-file.ts';
import { parseReference } from '../../src/oci/reference.ts';
import { type Context, openContext } from '../../src/operation/context.ts';
import { openPromptRegistry } from '../../src/operation/prompt-registry.ts';
import { parseStoredName, parseVersionedName } from '../../src/recipe/versioned-name.ts';
import { isSvcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { openView } from '../../src/view/open-view.ts';
import { getBuildInfo } from '../build-info.ts';
import { parseArgument } from '../cli/parse-argument.ts';
import { documentLimit } from './document-limit.ts';

interface ReaderOptions extends Pick<Parameters<typeof openContext>[1], 'report' | 'env'> {
  readonly actor: string;
  readonly signal: AbortSignal;
}

/** Opens recipes as a command line names them: a file, a reference, or `<name>@<version>` of the store. */
export class RecipeReader implements AsyncDisposable {
  readonly #config: Config;
  readonly #context: Context;
  readonly #remote: Pick<Context, 'registry' | 'policy'>;
  readonly #options: ReaderOptions;
  readonly #opened = new AsyncDisposableStack();

  static async open(config: Config, options: ReaderOptions): Promise<RecipeReader> {
    const { report, env } = options;
    const context = await openContext(config, {
      report,
      version: getBuildInfo().version,
      ...(env ? { env } : {}),
    });
    return new RecipeReader(config, context, options);
  }

  private constructor(config: Config, context: Context, options: ReaderOptions) {
    this.#config = config;
    this.#context = this.#opened.use(context);
    this.#remote = { registry: openPromptRegistry(context), policy: context.policy };
    this.#options = options;
  }

  /** @throws CommandLineError for `<name>:<version>`, errors of reading a document, a registry or the store */
  async read(text: string): Promise<OpenedRecipe> {
    const { signal } = this.#options;
    const stored = parseStoredName(text);
    if (stored !== undefined && !existsSync(text)) return this.#readStored(stored);
    if (!existsSync(text)) {
      if (isReference(text)) return openPublishedRecipe(this.#remote, text, { signal });
      await parseArgument(
        ['a file, a reference or <name>@<version>', fr`un fichier, une référence ou <nom>@<version>`],
        text,
        parseVersionedName,
      );
    }
    const document = await readBounded(text, documentLimit);
    return openRecipeDocument(this.#remote, { document, file: text });
  }

  async #readStored(wanted: { readonly name: string; readonly version: string }): Promise<OpenedRecipe> {
    const { storage } = this.#config;
    const config = {
      ...this.#config,
      storage: { ...storage, root: requireSetting('storage.root', storage.root) },
    };
    const { report, actor, signal } = this.#options;
    const verify = { actor, signal, onProgress: () => {} };
    const view = this.#opened.use(
      await openView(config, { report, version: getBuildInfo().version, verify }),
    );
    const { policy } = this.#context;
    return openStoredRecipe(view, { policy, basePrefix: storage.basePrefix }, wanted, { signal });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.disposeAsync();
  }
}

/** Whether a text refers to a registry: a path such as `recipes/shop.yaml` has no qualified host. */
function isReference(text: string): boolean {
  try {
    parseReference(text);
    return true;
  } catch (error) {
    if (isSvcError(error, 'SVC-REG-001')) return false;
    throw error;
  }
}
