import type { Language } from '../../src/text/language.ts';

/** How a report is rendered as text. */
export interface RenderOptions {
  readonly language: Language;
  /** Columns. */
  readonly width: number;
}
