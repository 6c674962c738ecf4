import { type Language, selectAcceptLanguage } from '../../src/text/message.ts';
import { cookieNames, readCookie } from './cookies.ts';
import { type RowHeight, rowHeights, type Theme, themes } from './ui-route.ts';

/** The language of a page: the choice in the cookie, else the preference in `Accept-Language`. */
export function selectPageLanguage(headers: {
  readonly cookie?: string | undefined;
  readonly 'accept-language'?: string | undefined;
}): Language {
  const chosen = readCookie(headers.cookie, cookieNames.language);
  return chosen === 'en' || chosen === 'fr' ? chosen : selectAcceptLanguage(headers['accept-language']);
}

/** The theme in the cookie; `auto` follows the system. */
export function selectTheme(cookie: string | undefined): Theme {
  const chosen = readCookie(cookie, cookieNames.theme);
  return themes.find((theme) => theme === chosen) ?? 'auto';
}

/** The height of rows in the cookie. */
export function selectRowHeight(cookie: string | undefined): RowHeight {
  const chosen = readCookie(cookie, cookieNames.rows);
  return rowHeights.find((height) => height === chosen) ?? 'comfortable';
}
