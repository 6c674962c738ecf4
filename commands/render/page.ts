import type { PageOf } from '../../src/base/page.ts';
import { fr, type Language, speak } from '../../src/text/language.ts';

/** Renders the place of a page in its list; empty when it is the only one. */
export function renderPage({ page, totalPages, total }: PageOf, language: Language): string {
  if (totalPages <= 1) return '';
  return speak(language)(
    `page ${page} of ${totalPages}, ${total} in all: --page ${page < totalPages ? page + 1 : 1}, or --all\n`,
    fr`page ${page} sur ${totalPages}, ${total} au total : --page ${page < totalPages ? page + 1 : 1}, ou --all\n`,
  );
}
