import type { Plugin } from 'esbuild';
import { errorKinds } from '../src/text/errors/codes.ts';

/** Puts class and status of the error codes in place of the module that takes them out of all sentences. */
export const withErrorKinds: Plugin = {
  name: 'with-error-kinds',
  setup({ onLoad }) {
    onLoad({ namespace: 'file', filter: /\/src\/text\/errors\/codes\.ts$/ }, () => ({
      contents: `export const errorKinds = ${JSON.stringify(errorKinds)};\nexport const errorCodes = Object.keys(errorKinds);\n`,
    }));
  },
};
